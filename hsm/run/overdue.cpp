#include <hsm/run/detail/ticker.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <cstddef>

namespace hsm::detail {

namespace {

class overdue_walk {
public:
    overdue_walk(machine& m, const chart_core& core, std::int64_t end)
        : m_(m), core_(core), begin_(m.now), end_(end), moment_(m.now), tried_(m.block + core.layout.tried) {}

    void run() {
        run_to_completion(m_, core_);
        try_pending(m_, core_);
        while (!has_ended(m_)) {
            stamp(m_, core_); // states entered since the last moment count from that moment
            const auto* const t = next();
            if (!t) return;
            m_.now = moment_;
            if (!fires(*t)) continue;
            fire(m_, core_, *t, reason_of(*t));
            run_to_completion(m_, core_);
        }
    }

private:
    /// Returns the transition that is due first; of several the first in the order of decision. Each is tried once at a moment.
    const transition_row* next() {
        std::size_t found = core_.carried.size();
        std::int64_t first = 0;
        for (std::size_t i = 0; i < core_.carried.size(); ++i) {
            const auto& t = core_.transitions[core_.carried[i]];
            if (!is_active(m_, core_, t.source)) continue;
            const auto due = due_at(m_, core_, t.timer);
            if (due <= begin_ || due < moment_ || due > end_ || due == never || (due == moment_ && tried_[static_cast<index>(i)])) continue;
            if (found == core_.carried.size() || due < first) {
                found = i;
                first = due;
            }
        }
        if (found == core_.carried.size()) return nullptr;
        if (first != moment_) tried_.clear_all(core_.carried.size());
        moment_ = first;
        tried_.set(static_cast<index>(found));
        return &core_.transitions[core_.carried[found]];
    }

    bool fires(const transition_row& t) {
        if (is_barred(t) || !is_enabled(m_, core_, t) || is_satisfied_now(t)) return false;
        return holder_of(m_, core_, enable(m_, core_, t, reason_of(t))) == no_index;
    }

    bool is_satisfied_now(const transition_row& t) { return t.any_state && is_satisfied(m_, core_, t); }

    /// Returns whether a satisfied transition of the same source and level comes before this one.
    bool is_barred(const transition_row& t) {
        for (auto i = core_.states[t.source].polled.first; &core_.transitions[i] != &t; ++i) {
            const auto& earlier = core_.transitions[i];
            if (!earlier.any_state || earlier.rechoice || earlier.level != t.level) continue;
            if (earlier.on_finished && (!is_marked_over(m_, core_, t.source) || due_of(m_, core_)[t.source])) continue;
            if (is_enabled(m_, core_, earlier) && is_satisfied_now(earlier)) return true;
        }
        return false;
    }

    machine& m_;
    const chart_core& core_;
    const std::int64_t begin_;
    const std::int64_t end_;
    std::int64_t moment_;
    mark_bits tried_; ///< the transitions of chart_core::carried that were tried at this moment
};

} // namespace

void fire_overdue(machine& m, const chart_core& core, std::int64_t end) {
    overdue_walk(m, core, end).run();
    m.now = end;
}

} // namespace hsm::detail
