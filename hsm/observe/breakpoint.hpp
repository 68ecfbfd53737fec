/// An observer that calls you when something happens: a state is entered or left, a transition begins, a condition changes, an event comes, a hook
/// throws.
///
///     hsm::breakpoint stop(chart, [](const hsm::record&, const hsm::moment&) { std::raise(SIGTRAP); }); // the debugger stops there
///     stop.at_entry("fight/slash").at_condition("IsHungry");
///     auto attached = stop.watch(agent); // an instance, a crowd, a manager
///
/// Your function must not change the machine, which is busy; it may look, and hsm::explain. What it throws is thrown behind the call that is in
/// progress. A breakpoint keeps its chart, and belongs to the thread of what it is attached to. Not part of <hsm/hsm.hpp>.
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

/// What all breakpoints are.
class breakpoint_base : public observer {
public:
    // It stops whenever one of these happens. What is not in the chart throws state_error or usage_error (HSM-202), or
    // condition_error (HSM-204).
    breakpoint_base& at_entry(const state_key& state);
    breakpoint_base& at_exit(const state_key& state);
    breakpoint_base& at_transition(const transition_view& transition); ///< any of those that it is one of, if it was written for several events
    breakpoint_base& at_condition(std::string_view name);
    template <class E> breakpoint_base& at_event() { return at(detail::key_of_type<E>()); }
    breakpoint_base& at_event(std::string_view name) { return at(detail::key_of_name(name)); }
    breakpoint_base& at_error(); ///< a hook throws
    void clear();

    record_kinds kinds() const; ///< what it needs to be told of
    /// Attaches it, for what has been said until then. It takes no notice of machines of charts with another fingerprint.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) { return machine.attach(*this, kinds()); }

    void on_record(const record& r, const moment& when) final;

protected:
    explicit breakpoint_base(const chart_base& chart) : chart_(chart) {}

private:
    struct place {
        record_kind kind;
        std::uint32_t number; ///< state, transition, condition, event
    };
    breakpoint_base& at(record_kind kind, std::uint32_t number);
    breakpoint_base& at(const event_key& event);
    virtual void reached(const record& r, const moment& when) = 0;

    chart_base chart_;
    std::vector<place> places_;
};

template <class F> class breakpoint final : public breakpoint_base {
public:
    /// f(const record&, const moment&)
    breakpoint(const chart_base& chart, F f) : breakpoint_base(chart), f_(std::move(f)) {}

private:
    void reached(const record& r, const moment& when) override { f_(r, when); }

    F f_;
};

} // namespace hsm
