// Ticks of charts with one region that have no programs by leaf: runs level by level what the sections of a program would do.

#include <hsm/run/detail/ticker.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

class level_walk {
public:
    level_walk(machine& m, const chart_core& core, phase what) : m_(m), core_(core), what_(what) {}

    void run() {
        if (what_ == phase::both && !core_.tick_parts.empty() && core_.parts_around[m_.leaf] != tick_part::selected) return run_parts();
        follow_path();
        if (superstate_first() ? !decide_at(-1) : !decide_all()) return;
        run_from(0);
    }

private:
    /// Runs the parts of a tick until one has an effect.
    void run_parts() {
        std::uint32_t firsts[most_levels + 1];
        std::size_t count = 0;
        const auto* const parts = core_.tick_parts.data();
        for (auto i = core_.parts_around[m_.leaf]; i != 0; i = parts[i].outer) firsts[count++] = i;
        while (count > 0) {
            const auto* part = parts + firsts[--count];
            do {
                const auto code = hsm::detail::run(core_.at(part->at), m_, code_next);
                if (code != code_next && (part->updates || code == static_cast<std::uintptr_t>(result::taken))) return continue_after(*part, code);
            } while (!part++->is_last);
        }
        m_.at = in_call();
        const int depth = core_.states[m_.leaf].depth;
        if (core_.is_machine(m_.leaf) && retry(depth)) run_from(depth + 1);
    }

    void continue_after(const tick_part& part, std::uintptr_t code) {
        end_part(m_, core_, code);
        if (part.updates) {
            if (complete_update(part.state, part.level)) run_from(part.level, true);
        } else {
            fired_ = true;
            if (complete_decision(part.level)) run_from(part.level + 1);
        }
    }

    /// Runs the levels from that depth inwards. Requires follow_path. `updated`: the state at that depth has been updated already.
    void run_from(int depth, bool updated = false) {
        for (; depth <= core_.states[m_.leaf].depth; ++depth) {
            if (!std::exchange(updated, false) && !update(depth)) return;
            if (!superstate_first() || !core_.is_machine(path_[depth])) continue;
            if (!decide_at(depth)) return;
            if (!fired_ && path_[depth] == m_.leaf && !retry(depth)) return;
        }
    }

    bool superstate_first() const { return core_.options.order == decision_order::superstate_first; }
    bool decides() const { return what_ != phase::hooks; }

    /// Finds the active states, and for each level the innermost one that has a transition of it.
    void follow_path() {
        const int deepest = core_.states[m_.leaf].depth;
        std::fill(innermost_, innermost_ + deepest + 2, none);
        for (auto s = m_.leaf; s != no_index; s = core_.states[s].superstate) {
            const auto& row = core_.states[s];
            path_[row.depth] = s;
            for (auto i = row.levels.first; i < row.levels.first + row.levels.count; ++i) {
                auto& innermost = innermost_[slot_of(core_, core_.polled_levels[i])];
                if (innermost == none) innermost = static_cast<std::int16_t>(row.depth);
            }
        }
    }

    /// Returns false if the tick ends, because the state whose part of the tick ran has exited.
    bool complete(int depth) {
        if (has_ended(m_) || m_.shallowest_change <= depth) return false;
        stamp(m_, core_);
        follow_path();
        return true;
    }
    bool complete_decision(int depth) {
        if (core_.has_holds) holding_of(m_, core_).updated = no_index;
        m_.state |= state_fired;
        run_to_completion(m_, core_);
        return complete(depth);
    }

    void fire(const transition_row& t) {
        fired_ = true;
        hsm::detail::fire(m_, core_, t, reason_of(t));
    }

    /// Decides at the level of the state at that depth; -1: above the root.
    bool decide_at(int depth) {
        fired_ = false;
        const auto innermost = innermost_[depth + 1];
        if (!decides() || innermost == none) return true;
        forget_waiting_at(m_, core_, depth);
        const auto level = depth < 0 ? no_index : path_[depth];
        for (int source = std::max(depth, 0); source <= innermost && !fired_; ++source) {
            if (const auto p = program_of(path_[source], level))
                fired_ = run_part(m_, core_, p) == static_cast<std::uintptr_t>(result::taken);
            else if (const auto* const t = select_at_level(m_, core_, level, path_[source]))
                fire(*t);
        }
        return !fired_ || complete_decision(depth);
    }

    /// Returns the program for a state's decisions at a level; 0: there is none, or they are selected.
    program program_of(index s, index level) const {
        const auto& levels = core_.states[s].levels;
        for (auto i = levels.first; i < levels.first + levels.count; ++i)
            if (core_.polled_levels[i] == level) return core_.level_programs[i];
        return 0;
    }

    bool decide_all() {
        if (!decides()) return true;
        forget_waiting_at(m_, core_, -1);
        const auto* const t = select_alone(m_, core_, selection::polled);
        if (t) fire(*t);
        return t ? complete_decision(-1) : !core_.is_machine(m_.leaf) || retry(-1);
    }

    /// `depth` is the depth of the level to which the choice belongs.
    bool retry(int depth) { return !decides() || !retry_entry(m_, core_, 0) || complete_decision(depth); }

    bool update(int depth) {
        const auto s = path_[depth];
        const auto& row = core_.states[s];
        if (what_ == phase::decisions) return true;
        if (row.updates) {
            if (run_part(m_, core_, row.update_program) == code_next) return true;
        } else if (!core_.follows_each_update || m_.work == 0) {
            return true;
        }
        return complete_update(s, depth);
    }

    bool complete_update(index s, int depth) {
        if (core_.has_holds) holding_of(m_, core_).updated = s;
        if (core_.states[s].updates) take_successor(m_, core_, s);
        follow_update(m_, core_, s, what_);
        return complete(depth);
    }

    static constexpr int none = -1;

    machine& m_;
    const chart_core& core_;
    const phase what_;
    bool fired_ = false;                      ///< the last decision has fired a transition
    index path_[most_levels + 1];             ///< the active states by depth
    std::int16_t innermost_[most_levels + 2]; ///< by the slot of a level: the depth of the innermost state with a polled transition of it
};

} // namespace

void walk_by_parts(machine& m, const chart_core& core, phase what) { level_walk(m, core, what).run(); }

} // namespace hsm::detail
