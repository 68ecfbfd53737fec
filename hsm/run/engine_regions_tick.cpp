// A tick where regions are driven: as where they are not, and of a parallel region by region.

#include <hsm/compile/block.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/compile/satisfied.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/engine_wish.hpp>

namespace hsm {

void engine::drive(phase what) {
    region_at(*this, core(), 0).kept = no_index;
    if (work && !core().states[0].updates && !core().has_holds) { // left over from before, and no update of the root to settle it after
        settle();
        if (over() || has_left(0)) return;
    }
    if (what != phase::hooks) {
        if (core().options.order == decision_order::substate_first)
            drive_decisions();
        else
            decide_at(no_index);
        if (over()) return;
    }
    drive_state(0, what);
}

/// Has it been left since its part of the tick began?
bool engine::has_left(index s) const {
    return region_at(*this, core(), core().states[s].region).kept <= core().states[s].depth;
}

/// The innermost decides first: one step of all regions, and then what rests chooses anew.
void engine::drive_decisions() {
    for (std::size_t r = 0; r < core().regions.size(); ++r) region_at(*this, core(), r).kept = no_index;
    forget_waiting(*this, core());
    wish w{wish::polled, plan_of(*this, core()), asked_of(*this, core(), false)};
    if (take_all(w)) settle();
    for (std::size_t r = 0; r < core().regions.size() && !over(); ++r) {
        const auto tip = tip_of(*this, core(), r);
        if (tip == no_index || core().states[tip].kind != state_kind::machine) continue;
        if (region_at(*this, core(), r).kept <= core().states[tip].depth + 1u) continue; // a transition has been here
        retry_at(static_cast<index>(r));
    }
}

/// False if there is nothing more to do in the tick.
bool engine::drive_update(index s, phase what) {
    const auto& updated = core().states[s];
    if (what == phase::decisions || !(updated.updates || core().has_holds)) return true;
    if (core().has_holds) holding_of(*this, core()).updated = s;
    if (updated.updates) {
        run_part(updated.update_program);
        after_update(s);
    }
    if (work) {
        settle();
        try_pending();
        try_waiting(s);
    }
    return !over();
}

void engine::drive_state(index s, phase what) {
    const auto& driven = core().states[s];
    region_at(*this, core(), driven.region).kept = no_index;
    if (!drive_update(s, what) || has_left(s)) return;
    each_region(s, [&](index region) {
        if (!over() && !has_left(s)) drive_state(region, what);
    });
    if (driven.kind != state_kind::machine) return;
    if (what != phase::hooks && core().options.order == decision_order::superstate_first) {
        const bool fired = decide_at(s);
        if (over() || has_left(s)) return;
        if (!fired && tip_of(*this, core(), driven.region) == s) retry_at(driven.region);
        if (over() || has_left(s)) return;
    }
    if (const auto tip = tip_of(*this, core(), driven.region); tip != s) drive_state(core().toward(s, tip), what);
}

/// Of the polled transitions of that level at most one. True if one has fired.
bool engine::decide_at(index level) {
    const auto& span = level == no_index ? core().decides_above : core().states[level].decides;
    if (span.count == 0) return false;
    if (core().has_holds) waiting_at(*this, core(), slot_of(core(), level)) = {};
    mark_bits satisfied(block + core().layout.barred); // by source
    satisfied.clear_all(core().states.size());
    bool blocked = false;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core().transitions[core().decisions[i]];
        if (satisfied[t.source] || (blocked && !t.force) || !is_active(*this, core(), t.source)) continue;
        if (t.on_finished && (!is_marked_over(*this, core(), t.source) || due_of(*this, core())[t.source])) continue;
        if (!enabled(t)) continue;
        if (t.any_state && is_satisfied(*this, core(), t)) {
            satisfied.set(t.source);
        } else if (must_wait(t)) {
            blocked = true;
        } else {
            fire(t, reason_of(t));
            settle();
            return true;
        }
    }
    return false;
}

/// The machine that rests in that region makes its entry choice anew.
void engine::retry_at(index region) {
    const auto resting = tip_of(*this, core(), region);
    auto* const p = plan_of(*this, core());
    *p = {nullptr, resting, no_index, resting, resting, reason::entry};
    set_cause(*p);
    at = at_work();
    auto& head = driver_of(*this, core());
    head.step_level = resting;
    head.moving = driver_head::step;
    lead(0);
    enter_on(core().states[resting].anew_program);
    head.moving = driver_head::none;
    list_regions(*this, core());
    if (tip_of(*this, core(), region) == resting) return;
    regions_left(resting);
    state |= state_fired;
    if (core().has_always) work |= work_always;
    offer_deferred();
    if (core().has_changes) tell_changes(*p);
    settle();
}

} // namespace hsm
