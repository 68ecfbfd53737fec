// Ticks of charts with driven regions: a parallel runs its regions one after the other.

#include <hsm/run/detail/ticker.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/ops.hpp>

namespace hsm::detail {

namespace {

class region_walk {
public:
    region_walk(machine& m, const chart_core& core, phase what) : m_(m), core_(core), what_(what) {}

    void run() {
        region_at(m_, core_, 0).shallowest_change = no_index;
        if (m_.work && !core_.states[0].updates && !core_.follows_each_update) { // remaining work that no update of the root completes
            run_to_completion(m_, core_);
            if (ends_at(0)) return;
        }
        if (decides()) {
            if (superstate_first())
                decide_at(no_index);
            else
                decide_all();
            if (has_ended(m_)) return;
        }
        walk(0);
    }

    /// Continues after a region's section that ended with `code`.
    void resume(const tick_section& done, index s, std::uintptr_t code) {
        if (done.kind == tick_section::update) {
            take_successor(m_, core_, s);
            if (follow_update(m_, core_, s, what_)) walk_updated(s);
        } else {
            const auto level = done.depth < 0 ? no_index : s;
            const bool fired = done.kind == tick_section::decide && (code == code_regions ? decide_at(level) : fire_chosen(level, code));
            if (level != no_index)
                walk_decided(s, fired);
            else if (!has_ended(m_))
                walk(0);
        }
        walk_behind(s);
    }

private:
    bool decides() const { return what_ != phase::hooks; }
    bool superstate_first() const { return core_.options.order == decision_order::superstate_first; }
    /// Returns whether the machine is finished, or the state has exited since its part of the tick began.
    bool ends_at(index s) const { return has_ended(m_) || was_exited(m_, core_, s); }

    /// For substate_first: one step of all regions, then the machines at rest make their entry choices again.
    void decide_all() {
        for (std::size_t r = 0; r < core_.regions.size(); ++r) region_at(m_, core_, r).shallowest_change = no_index;
        forget_waiting(m_, core_);
        selection w(m_, core_, selection::polled);
        if (select(m_, core_, w)) {
            microstep(m_, core_, w.transitions());
            run_to_completion(m_, core_);
        }
        for (std::size_t r = 0; r < core_.regions.size() && !has_ended(m_); ++r) {
            const auto leaf = region_leaf_of(m_, core_, r);
            if (leaf == no_index || core_.states[leaf].kind != state_kind::machine) continue;
            if (region_at(m_, core_, r).shallowest_change <= core_.states[leaf].depth + 1u) continue; // a transition has fired in this region
            retry(r);
        }
    }

    /// Fires at most one polled transition of the level. Returns whether one has fired.
    bool decide_at(index level) {
        const auto& span = level == no_index ? core_.decides_above : core_.states[level].decides;
        if (span.count == 0) return false;
        if (core_.has_holds) waiting_at(m_, core_, slot_of(core_, level)) = {};
        const auto* const t = select_at_level(m_, core_, level);
        if (!t) return false;
        fire(m_, core_, *t, reason_of(*t));
        run_to_completion(m_, core_);
        return true;
    }

    /// Fires the transition that a section has chosen, or completes the one that it has already made.
    bool fire_chosen(index level, std::uintptr_t code) {
        if (code == code_chosen) {
            const auto& t = core_.transitions[region_step_of(m_, core_).handed];
            fire(m_, core_, t, reason_of(t));
        } else {
            m_.state |= state_fired;
            mark_exited(m_, core_, level);
        }
        run_to_completion(m_, core_);
        return true;
    }

    void retry(std::size_t region) {
        if (retry_entry(m_, core_, region)) run_to_completion(m_, core_);
    }

    /// Returns false if the tick ends here.
    bool update(index s) {
        const auto& updated = core_.states[s];
        if (what_ == phase::decisions || !(updated.updates || core_.follows_each_update)) return true;
        if (core_.has_holds) holding_of(m_, core_).updated = s;
        if (updated.updates) {
            run_part(m_, core_, updated.update_program);
            take_successor(m_, core_, s);
        }
        return m_.work ? follow_update(m_, core_, s, what_) : !has_ended(m_);
    }

    void walk(index s) {
        region_at(m_, core_, core_.states[s].region).shallowest_change = no_index;
        if (update(s)) walk_updated(s);
    }
    void walk_updated(index s) {
        if (was_exited(m_, core_, s)) return;
        each_region(core_, s, [&](index region) {
            if (!ends_at(s)) walk(region);
        });
        if (!core_.is_machine(s)) return;
        if (decides() && superstate_first())
            walk_decided(s, decide_at(s));
        else
            walk_substate(s);
    }
    void walk_decided(index s, bool fired) {
        if (ends_at(s)) return;
        const auto region = core_.states[s].region;
        if (!fired && region_leaf_of(m_, core_, region) == s) retry(region);
        if (!ends_at(s)) walk_substate(s);
    }
    void walk_substate(index s) {
        if (const auto leaf = region_leaf_of(m_, core_, core_.states[s].region); leaf != s) walk(core_.toward(s, leaf));
    }

    /// Runs the parts of the tick that follow a state and everything inside it.
    void walk_behind(index s) {
        while (!has_ended(m_)) {
            const auto outermost = core_.regions[core_.states[s].region];
            const auto parallel = core_.states[outermost].superstate;
            if (parallel == no_index) return;
            each_region(core_, parallel, [&](index region) {
                if (region > outermost && !ends_at(parallel)) walk(region);
            });
            s = parallel;
        }
    }

    machine& m_;
    const chart_core& core_;
    const phase what_;
};

} // namespace

void walk_regions(machine& m, const chart_core& core, phase what) { region_walk(m, core, what).run(); }

namespace {

/// Returns the active state of the region whose section this is; above the root, the root.
index state_of(const machine& m, const chart_core& core, std::size_t region, const tick_section& section) {
    auto s = region_leaf_of(m, core, region);
    while (core.states[s].depth > section.depth && core.states[s].superstate != no_index) s = core.states[s].superstate;
    return s;
}

/// Returns the region whose section began last.
std::size_t region_begun(const machine& m) { return static_cast<std::size_t>(m.section[-1].number >> 32); }

/// Returns where the tick continues after a region's decision from which nothing else follows.
const op* after_region_decision(machine& m, const chart_core& core) {
    m.state |= state_fired;
    return core.at(core.section_after(region_at(m, core, region_begun(m)).leaf, section_begun(m, core)->depth));
}

/// Continues as a call after a section that ended with `code`.
HSM_NOINLINE result resume_regions(machine& m, const chart_core& core, std::uintptr_t code) {
    const auto region = region_begun(m);
    const auto& done = *section_begun(m, core);
    for (std::size_t r = 0; r <= region; ++r) region_at(m, core, r).shallowest_change = no_index; // programs change only leaves
    return exclusively(m, core, call_kind::tick, [&] {
        const auto s = state_of(m, core, region, done);
        region_walk(m, core, phase::both).resume(done, s, code);
        return fired_or_not(m);
    });
}

} // namespace

result follow_region(machine& m, const chart_core& core, std::uintptr_t code) {
    try {
        while (code == static_cast<std::uintptr_t>(result::taken) && m.work == 0) code = hsm::detail::run(after_region_decision(m, core), m);
    } catch (...) {
        handling_failed(m);
        throw;
    }
    return code == ops::code_fired ? result::taken : resume_regions(m, core, code);
}

} // namespace hsm::detail
