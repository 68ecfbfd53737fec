// Steps where regions are driven: what is left in all of them, then the actions, then what is entered.

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>

#include <algorithm>

namespace hsm {

/// Does a hook run that leaves or enters a state, or between the two? Then `s` is that state, or the one that stays; no_index: none.
bool engine::is_moving(index& s) const {
    const auto& ops = core().ops;
    if (!at || at < ops.data() || at >= ops.data() + ops.size()) return false;
    const auto note = core().notes[static_cast<std::size_t>(at - ops.data())];
    s = note.state;
    return note.kind != op_note::still && note.kind != op_note::outside;
}

/// Also while a program runs.
index engine::tip_now(index region) const {
    index moving = no_index;
    if (is_moving(moving) && (moving == no_index ? index(0) : core().states[moving].region) == region) return moving;
    return tip_of(*this, core(), region);
}

planned engine::plan(const transition_row& t, reason why) const {
    return {&t, t.source, t.target, level_now(t), no_index, why};
}

void engine::set_cause(const planned& p) {
    if (!core().has_moment) return;
    const auto node = [&](index s) { return s == no_index ? nullptr : core().states[s].node; };
    const auto* const event = p.transition && p.transition->event != no_index ? &core().event_refs[p.transition->event] : nullptr;
    set_cause({p.why, event, node(p.source), node(p.target), node(p.previous), p.transition ? p.transition->spec : nullptr}, p.level);
}

/// The plan, as one step.
void engine::carry_out(std::size_t count) {
    at = at_work();
    try {
        make_step(plan_of(*this, core()), count);
    } catch (...) { // as long as the event is there
        recover();
        if (driver_of(*this, core()).moving != driver_head::none) abandon_step();
        list_regions(*this, core());
        throw;
    }
    list_regions(*this, core());
    for (std::size_t i = 0; i < count && core().has_changes; ++i)
        if (const auto& p = plan_of(*this, core())[i]; p.target != no_index) tell_changes(p);
}

void engine::make_step(planned* steps, std::size_t count) {
    begin_step(steps, count);
    for (auto i = count; i-- > 0;) {
        if (steps[i].target == no_index) continue;
        set_cause(steps[i]);
        lead(0);
        exit_below(steps[i].level);
        if (steps[i].transition && steps[i].transition->needs_over) take_back(*this, core());
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto* const t = steps[i].transition;
        if (!t || t->action_program == 0) continue;
        if (t->target == no_index && t->wants_local && !is_active(*this, core(), t->source)) continue; // another one has left it
        set_cause(steps[i]);
        if (t->by_record && core().has_moment) moment().state = steps[i].level == no_index ? nullptr : core().states[steps[i].level].node;
        run_part(t->action_program);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (steps[i].target == no_index) continue;
        set_cause(steps[i]);
        lead(core().number_of(steps[i].transition));
        enter_targets(steps[i]);
    }
    driver_of(*this, core()).moving = driver_head::none;
}

void engine::begin_step(planned* steps, std::size_t count) {
    auto& head = driver_of(*this, core());
    if (core().has_always) work |= work_always;
    bool moves = false;
    for (std::size_t i = 0; i < count; ++i) {
        auto& p = steps[i];
        const auto* const t = p.transition;
        if (t && t->event == no_index && t->timer != no_timer) due_at(*this, core(), t->timer) = never;
        const auto place = p.target == no_index ? p.source : p.level;
        p.previous = tip_of(*this, core(), place == no_index ? 0 : core().states[place].region);
        if (p.target == no_index) continue;
        head.step_level = moves ? core().common(head.step_level, p.level) : p.level;
        moves = true;
    }
    if (!moves) return;
    head.moving = driver_head::step;
    state |= state_fired;
    offer_deferred();
    if (core().remembering.empty()) return;
    for (std::size_t i = 0; i < count; ++i)
        if (steps[i].target != no_index) record_exits(*this, core(), steps[i].level);
}

void engine::exit_below(index level) {
    regions_left(level);
    exit_region(level == no_index ? index(0) : core().states[level].region, level);
}

/// What is below that level has been there until now.
void engine::regions_left(index level) {
    const auto& outer = core().states[level == no_index ? 0 : level];
    auto& own = region_at(*this, core(), outer.region).kept;
    own = std::min<index>(own, level == no_index ? index(0) : static_cast<index>(outer.depth + 1));
    for (auto r = outer.regions.first; r < outer.regions.first + outer.regions.count; ++r) region_at(*this, core(), r).kept = 0;
}

/// From its tip outwards, with the regions inside; `stop` stays. no_index: all of it.
void engine::exit_region(index region, index stop) {
    const auto tip = tip_of(*this, core(), region);
    if (tip == no_index || tip == stop) return;
    const auto& inner = core().states[tip].regions;
    for (auto r = inner.first + inner.count; r-- > inner.first;)
        if (core().states[core().regions[r]].superstate == tip) exit_region(static_cast<index>(r), no_index);
    for (auto s = tip; s != stop; s = tip_of(*this, core(), region)) {
        run_part(core().states[s].exit_program);
        exited(s);
    }
}

/// The tip of a region is not active any more.
void engine::exited(index s) {
    const auto region = core().states[s].region;
    set_tip(*this, core(), region, core().regions[region] == s ? no_index : core().states[s].superstate);
}

void engine::enter_targets(const planned& p) {
    if (p.transition && p.transition->enter_program)
        enter_on(p.transition->enter_program);
    else if (p.transition && p.transition->by_record)
        enter_by_record(p.level, {&p.target, 1}, reason::none);
    else if (p.target == p.level)
        enter_on(core().states[p.level].anew_program);
    else
        enter_into(p.level, p.transition ? core().targets_of(*p.transition) : std::span(&p.target, 1), reason::none);
}

/// Towards what a target stands for, which may be further in than the history state itself.
void engine::enter_by_record(index level, std::span<const index> targets, reason why) {
    const auto target = targets.front();
    const auto& history = core().states[target];
    const bool inside = level != no_index && history.kind == state_kind::history && level != history.superstate && core().contains(history.superstate, level);
    if (!inside) return enter_into(level, targets, why);
    const auto place = core().place_of(history.superstate);
    if (const auto recorded = record_of(*this, core(), place)) {
        const auto& outer = core().states[history.superstate];
        const auto region = core().states[level].region;
        return follow(place, level, region == outer.region ? recorded : region_records_of(*this, core(), place)[region - outer.regions.first]);
    }
    const auto& otherwise = core().transitions[history.initial.first];
    if (core().has_moment) {
        moment().entered = reason::entry;
        moment().state = core().states[history.superstate].node;
    }
    run_part(otherwise.action_program);
    enter_by_record(level, core().targets_of(otherwise), reason::entry);
}

/// Below a state that stays, or was just entered: towards the targets, or by default. Why: none for the transition's own reason.
void engine::enter_into(index s, std::span<const index> targets, reason why) {
    if (s == no_index) {
        enter_state(0, why);
        return enter_into(0, targets, why);
    }
    const auto& from = core().states[s];
    if (from.kind != state_kind::machine && from.kind != state_kind::parallel) return;
    const auto inner = std::ranges::find_if(targets, [&](index t) { return t != s && core().contains(s, t); });
    if (inner != targets.end() && core().states[*inner].kind == state_kind::history && core().states[*inner].superstate == s)
        return enter_on(core().states[*inner].entry_program);
    if (from.kind == state_kind::parallel) return enter_regions(s, inner == targets.end() ? std::span<const index>() : targets, why);
    if (inner == targets.end()) return enter_on(from.entry_program);
    const auto next = core().toward(s, *inner);
    enter_state(next, why);
    enter_into(next, targets, why);
}

/// All regions are led into by the same, whatever the entry choices inside are.
template <class Visit> void engine::enter_each(index parallel, Visit visit) {
    const auto by = leading();
    each_region(parallel, [&](index region) {
        lead(by);
        visit(region);
    });
}

/// Those that no target is in are entered by default. Without any target they go back to where they were left, if the parallel remembers.
void engine::enter_regions(index parallel, std::span<const index> targets, reason why) {
    if (targets.empty() && core().states[parallel].history != history_depth::none) {
        const auto place = core().place_of(parallel);
        if (record_of(*this, core(), place) != 0) return follow_regions(place, parallel);
    }
    enter_each(parallel, [&](index region) {
        const bool on_the_way = std::ranges::any_of(targets, [&](index t) { return core().contains(region, t); });
        enter_state(region, on_the_way ? why : reason::entry);
        enter_into(region, targets, on_the_way ? why : reason::entry);
    });
}

void engine::enter_state(index s, reason why) {
    if (core().has_moment) moment().entered = why;
    run_part(core().states[s].enter_program);
    set_tip(*this, core(), core().states[s].region, s);
}

/// Goes on from a state by a program, and where that ends because it would lead into regions, by hand.
void engine::enter_on(program entries) {
    const auto code = run_part(entries);
    if (code == static_cast<std::uintptr_t>(result::taken)) return;
    const auto reached = driver_of(*this, core()).reached;
    const auto handed = driver_of(*this, core()).handed;
    if (code == code_regions)
        enter_regions(reached, {}, reason::entry);
    else if (code == code_targets)
        enter_into(reached, core().targets_of(core().transitions[handed]), reason::entry);
    else if (code == code_record)
        go_back(handed & 0xffff, (handed >> 16) != 0);
}

void engine::go_back(std::size_t place, bool deep) {
    const auto s = core().remembering[place];
    const auto recorded = record_of(*this, core(), place);
    if (core().states[s].kind == state_kind::parallel && deep) return follow_regions(place, s);
    if (core().states[s].kind == state_kind::parallel)
        return enter_each(s, [&](index region) {
            enter_state(region, reason::history);
            enter_into(region, {}, reason::entry);
        });
    if (deep) return follow(place, s, recorded);
    const auto next = core().toward(s, recorded);
    enter_state(next, reason::history);
    enter_into(next, {}, reason::entry);
}

/// From a state inwards to the tip that its region had, and then into the regions inside that.
void engine::follow(std::size_t place, index from, index tip) {
    while (from != tip) {
        from = core().toward(from, tip);
        enter_state(from, reason::history);
    }
    if (core().states[tip].kind == state_kind::parallel)
        follow_regions(place, tip);
    else
        enter_into(tip, {}, reason::entry);
}

void engine::follow_regions(std::size_t place, index parallel) {
    enter_each(parallel, [&](index region) { follow_region(place, region); });
}

void engine::follow_region(std::size_t place, index region) {
    const auto first = core().states[core().remembering[place]].regions.first;
    const auto recorded = region_records_of(*this, core(), place)[core().states[region].region - first];
    enter_state(region, reason::history);
    if (recorded == no_index)
        enter_into(region, {}, reason::entry);
    else
        follow(place, region, recorded);
}

/// Outermost first, every active machine below which that transition has left or entered something.
void engine::tell_changes(const planned& p) {
    set_cause(p);
    const auto region = p.level == no_index ? index(0) : core().states[p.level].region;
    const auto tip = tip_of(*this, core(), region);
    moment().arrived = tip == no_index ? nullptr : core().states[tip].node;
    for (const auto s : core().tellers) {
        if (!is_active(*this, core(), s)) continue;
        const bool around = p.level != no_index && core().contains(s, p.level);
        const bool below = (p.level == no_index || core().contains(p.level, s)) && tip_of(*this, core(), core().states[s].region) != s;
        if (around || below) run_part(core().states[s].change_program);
    }
}

/// Everything that is active below that level exits, also when hooks throw.
void engine::exit_all_below(index level, std::exception_ptr& first) noexcept {
    const int outermost = level == no_index ? 0 : level + 1;
    for (int i = core().states[level == no_index ? 0 : level].last; i >= outermost; --i) {
        const auto s = static_cast<index>(i);
        if (!is_active(*this, core(), s)) continue;
        try {
            run_part(core().states[s].exit_program);
            exited(s);
        } catch (...) {
            if (!first) first = std::current_exception();
            recover();
        }
    }
    list_regions(*this, core());
}

/// A hook has thrown in the middle of a step: no parallel is left with some of its regions only.
void engine::abandon_step() noexcept {
    auto& head = driver_of(*this, core());
    head.moving = driver_head::none;
    auto around = no_index;
    for (auto s = head.step_level; s != no_index; s = core().states[s].superstate)
        if (core().states[s].kind == state_kind::parallel && core().states[core().states[s].superstate].kind == state_kind::machine) {
            around = s;
            break;
        }
    if (around == no_index) {
        const auto tip = tip_of(*this, core(), 0);
        if (tip == no_index || core().states[tip].kind != state_kind::parallel) return;
        around = tip;
    }
    std::exception_ptr ignored;
    if (core().has_moment) moment().entered = reason::none;
    exit_all_below(core().states[around].superstate, ignored);
    regions_left(core().states[around].superstate);
}

} // namespace hsm
