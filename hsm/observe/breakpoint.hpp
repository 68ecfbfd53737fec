/// An observer that calls a function when something happens: a state is entered or exited, a transition begins, a condition changes, an event
/// arrives, a hook throws.
///
///     hsm::breakpoint stop(chart, [](const hsm::record&, const hsm::moment&) { std::raise(SIGTRAP); }); // the debugger stops there
///     stop.at_entry("fight/slash").at_condition("IsHungry");
///     auto attached = stop.watch(agent); // an instance, a crowd, a manager
///
/// The function runs during a call of the machine. The function may read the machine and call hsm::explain, but must not change the machine. If the
/// function throws, the call in progress rethrows the exception at its end. A breakpoint keeps its chart alive, and belongs to the thread of the
/// observed machine. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm {

/// The common base of all breakpoints.
class breakpoint_base : public observer {
public:
    // These functions add a place at which the breakpoint stops. If the chart does not contain the place, they throw state_error, usage_error
    // (HSM-202) or condition_error (HSM-204).
    breakpoint_base& at_entry(const state_key& state);
    breakpoint_base& at_exit(const state_key& state);
    breakpoint_base& at_transition(const transition_view& transition); ///< stops for each event that the transition waits for
    breakpoint_base& at_condition(std::string_view name);
    breakpoint_base& at_condition(const condition_view& condition);
    template <class E> breakpoint_base& at_event() { return at(detail::key_of_type<E>()); }
    breakpoint_base& at_event(std::string_view name) { return at(detail::key_of_name(name)); }
    breakpoint_base& at_event(const event_view& event);
    breakpoint_base& at_error(); ///< stops when a hook throws
    void clear();

    record_kinds kinds() const; ///< returns the kinds of records that the current places need
    /// Attaches the breakpoint with the places added so far. Machines of charts with another fingerprint are ignored.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) { return machine.attach(*this, kinds()); }

    void on_record(const record& r, const moment& when) final;

protected:
    explicit breakpoint_base(const chart_base& chart) : chart_(chart) {}

private:
    struct location {
        record_kind kind;
        std::uint32_t number; ///< the number of a state, transition, condition or event
    };
    breakpoint_base& at(record_kind kind, std::uint32_t number);
    breakpoint_base& at(const event_key& event);
    virtual void reached(const record& r, const moment& when) = 0;

    chart_base chart_;
    std::vector<location> locations_;
};

template <class F> class breakpoint final : public breakpoint_base {
public:
    /// Calls f(const record&, const moment&).
    breakpoint(const chart_base& chart, F f) : breakpoint_base(chart), f_(std::move(f)) {}

private:
    void reached(const record& r, const moment& when) override { f_(r, when); }

    F f_;
};

} // namespace hsm
