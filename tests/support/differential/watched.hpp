/// An observed instance that checks its trace: the active states according to the records are compared with is_in whenever it is called, also in
/// hooks.
#pragma once

#include <hsm/chart/fingerprint.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/instance.hpp>
#include <tests/support/differential/dice.hpp>
#include <tests/support/differential/test_context.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace differential {

/// The active states, from records only.
class tracked_states : public hsm::observer {
public:
    explicit tracked_states(const hsm::chart_base& chart) : chart_(chart), active_(chart.state_count()) {}

    void on_record(const hsm::record& r, const hsm::moment& when) override {
        ++records;
        switch (r.kind) {
        case hsm::record_kind::configuration: begin(r); break;
        case hsm::record_kind::more: go_on(r); break;
        case hsm::record_kind::exited: set(r.state, false); break;
        case hsm::record_kind::entered: set(r.state, true); break;
        case hsm::record_kind::call: begin_call(r, when); break;
        case hsm::record_kind::call_end:
            if (!in_call_) complain("a call ends that has not begun");
            in_call_ = false;
            break;
        default: break;
        }
    }

    const hsm::chart_base& chart() const { return chart_; }
    bool knows() const { return knows_; }
    bool is(std::size_t s) const { return active_[s]; }
    std::string complaints;
    std::size_t records = 0;

private:
    void complain(const std::string& what) { complaints += " TRACE: " + what; }
    void begin_call(const hsm::record& r, const hsm::moment& when) {
        if (in_call_) complain("a call in a call");
        if (static_cast<std::int64_t>(r.value) != when.now().nanoseconds()) complain("another clock");
        in_call_ = true;
    }
    void begin(const hsm::record& r) {
        before_ = active_;
        std::fill(active_.begin(), active_.end(), false);
        knows_ = true;
        left_ = r.number;
        why_ = static_cast<hsm::configuration_reason>(r.what);
        if (r.number > 0) activate(r.state);
        check();
    }
    void go_on(const hsm::record& r) {
        std::uint16_t numbers[7];
        std::memcpy(numbers, reinterpret_cast<const std::byte*>(&r) + 2, sizeof(numbers));
        for (int i = 0; i < r.what; ++i) activate(numbers[i]);
        check();
    }
    void activate(std::size_t leaf) {
        for (const auto* s = chart_.state(leaf).get(); s; s = s->superstate()) active_[s->number()] = true;
        --left_;
    }
    /// The configuration of a start or stop must match the preceding exits and entries.
    void check() {
        const bool repeats = why_ == hsm::configuration_reason::start || why_ == hsm::configuration_reason::stop;
        if (left_ == 0 && repeats && before_ != active_) complain("a configuration differs from the records before it");
    }
    void set(std::size_t s, bool active) {
        if (!knows_) return;
        if (active_[s] == active) complain((active ? "entered twice: " : "exited twice: ") + std::to_string(s));
        active_[s] = active;
    }

    const hsm::chart_base chart_;
    std::vector<bool> active_, before_;
    hsm::configuration_reason why_ = hsm::configuration_reason::attached;
    std::uint32_t left_ = 0;
    bool knows_ = false;
    bool in_call_ = false;
};

/// Attaches and detaches observers at random between inputs, so that data from observed calls is also used without observers. The records of a call
/// are complete, or there are none.
class coming_and_going {
public:
    explicit coming_and_going(const hsm::chart_base& chart)
        : dice_(chart.fingerprint().low), tracked_(std::make_unique<tracked_states>(chart)), stays_(dice_.chance(40)) {}

    /// Requires that the machine has attach_observer(observer), which returns the handle.
    template <class Machine> void begin(Machine& m) {
        if (stays_ || dice_.chance(50)) seen_ = m.attach_observer(*tracked_);
    }
    template <class Machine> void next_input(Machine& m) {
        if (stays_ || !dice_.chance(40)) return;
        if (!seen_) {
            seen_ = m.attach_observer(*tracked_);
            return;
        }
        seen_.detach();
        tracked_ = std::make_unique<tracked_states>(tracked_->chart());
    }
    void check(const hsm::state_base& s, bool is, bool busy) const {
        if (seen_ && tracked_->knows() && tracked_->is(s.number()) != is)
            throw std::logic_error("the trace is wrong about " + s.path() + (busy ? " in a hook" : "") + tracked_->complaints);
        if (seen_ && !tracked_->complaints.empty()) throw std::logic_error(tracked_->complaints);
    }

private:
    dice dice_;
    std::unique_ptr<tracked_states> tracked_;
    const bool stays_; ///< attached until the end
    hsm::attachment seen_;
};

class watched : public hsm::instance<test_context> {
public:
    watched(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : hsm::instance<test_context>(chart, w, options), observers_(chart) {
        observers_.begin(*this);
    }

    void next_input() {
        if (!busy()) observers_.next_input(*this);
    }
    hsm::attachment attach_observer(hsm::observer& to) { return attach(to); }
    using hsm::instance<test_context>::is_in;
    bool is_in(const hsm::state_base& s) const {
        const bool is = hsm::instance<test_context>::is_in(s);
        observers_.check(s, is, busy());
        return is;
    }

private:
    coming_and_going observers_;
};

} // namespace differential
