#include <hsm/run/detail/microstep.hpp>

#include <hsm/chart/detail/write_transition.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/change.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/timers.hpp>

namespace hsm::detail {

enabled_transition enable(const machine& m, const chart_core& core, const transition_row& t, reason why) {
    return {&t, t.source, t.target, t.by_record ? level_now(m, core, t) : t.level, no_index, why};
}

void request_recall(machine& m, const chart_core& core) {
    if (!core.has_defers) return;
    deferral_of(m, core).recall = true;
    m.work |= work_fired;
}

void set_entering(machine& m, const chart_core& core, std::uint32_t by) {
    if (core.has_over) set_entered_by(m, core, by);
}

namespace {

void set_cause_of(machine& m, const chart_core& core, const enabled_transition& e) {
    if (!core.has_hook_context) return;
    const auto node = [&](index s) { return s == no_index ? nullptr : core.states[s].node; };
    const auto* const t = e.transition;
    const auto* const event = e.event ? e.event : t && t->event != no_index ? &core.event_refs[t->event] : nullptr;
    detail::set_cause(m, core, {e.why, event, node(e.source), node(e.target), node(e.previous), t ? t->spec : nullptr}, e.level);
}

/// The sink of flatten::write_step that executes the exits, actions and entries.
struct live_step {
    machine& m;
    const chart_core& core;
    const bool alone;         ///< one transition: its cause is set only once
    bool is_reported = false; ///< a program has called on_change

    static bool moves(const enabled_transition& e) { return e.target != no_index; }

    void exits(const enabled_transition& e) {
        set_cause_of(m, core, e);
        set_entering(m, core, 0);
        exit_below(m, core, e.level);
        if (e.transition && e.transition->needs_finished) reset_entry_conditions(m, core);
    }
    void action(const enabled_transition& e) {
        const auto* const t = e.transition;
        if (!t || t->action_program == 0) return;
        if (t->target == no_index && t->wants_local && !is_active(m, core, t->source)) return; // another transition has exited its source
        if (!alone || t->target == no_index) set_cause_of(m, core, e);
        if (t->by_record && core.has_hook_context) m.hook_context().state = e.level == no_index ? nullptr : core.states[e.level].node;
        run_part(m, core, t->action_program);
    }
    void entries(const enabled_transition& e) {
        if (!alone) set_cause_of(m, core, e);
        set_entering(m, core, core.number_of(e.transition));
        is_reported = enter_targets(m, core, e);
    }
};

void trace_begin(const machine& m, const chart_core& core, const enabled_transition& e) {
    trace_transition(m, core, e.transition, e.why, e.source, e.target);
    const auto* const t = e.transition;
    if (t && t->event == no_index && t->timer != no_timer && !t->rechoice) trace(m, core, {record_kind::due, 0, t->source, t->timer, 0});
}

/// Uses up the timer, the triggers and the draw of the transition.
void use_up(machine& m, const chart_core& core, const transition_row* t) {
    if (t) count_draw(m, core, *t);
    if (t && t->uses_triggers) use_triggers(m, core, *t);
    if (t && t->event == no_index && t->timer != no_timer && !t->rechoice) due_at(m, core, t->timer) = never;
}

/// Before any exit: stops used timers, clears used triggers and records history.
void begin_step(machine& m, const chart_core& core, std::span<enabled_transition> transitions) {
    if (core.tracks_fired) m.work |= work_fired;
    bool moves = false;
    index around = no_index;
    for (auto& e : transitions) {
        trace_begin(m, core, e);
        use_up(m, core, e.transition);
        const auto within = e.target == no_index ? e.source : e.level;
        e.previous = region_leaf_of(m, core, within == no_index ? 0 : core.states[within].region);
        if (e.target == no_index) continue;
        around = moves ? core.common(around, e.level) : e.level;
        moves = true;
    }
    if (!moves) return;
    m.state |= state_fired;
    request_recall(m, core);
    region_step_of(m, core).step_level = around;
    region_step_of(m, core).moving = region_step_head::step;
    if (core.history_owners.empty()) return;
    for (const auto& e : transitions)
        if (e.target != no_index) record_exits(m, core, e.level);
}

/// Does the same for a chart with one region.
void begin_step_alone(machine& m, const chart_core& core, enabled_transition& e) {
    if (core.tracks_fired) m.work |= work_fired;
    trace_begin(m, core, e);
    use_up(m, core, e.transition);
    e.previous = m.leaf;
    if (e.target == no_index) return;
    m.state |= state_fired;
    request_recall(m, core);
    if (!core.history_owners.empty()) record_exits(m, core, e.level);
}

/// Restores a valid state while the event's payload still exists.
void step_failed(machine& m, const chart_core& core) {
    trace_failure(m, core);
    recover(m, core);
    if (!core.by_regions) return;
    if (region_step_of(m, core).moving != region_step_head::none) abandon_step(m, core);
}

} // namespace

void mark_exited(machine& m, const chart_core& core, index level) {
    const auto& outer = core.states[level == no_index ? 0 : level];
    mark_changed(m, core, outer.region, level == no_index ? 0 : outer.depth + 1);
    if (!core.by_regions) return;
    for (auto r = outer.regions.first; r < outer.regions.first + outer.regions.count; ++r) region_at(m, core, r).shallowest_change = 0;
}

namespace {

/// Exits a region from its leaf outwards up to `stop`, with the regions inside; no_index: all of it.
void exit_region(machine& m, const chart_core& core, std::size_t region, index stop, std::exception_ptr* first) {
    const auto innermost = region_leaf_of(m, core, region);
    if (innermost == no_index) return; // a parallel that stays has regions to exit
    const auto& inner = core.states[innermost].regions;
    for (auto r = inner.first + inner.count; r-- > inner.first;)
        if (core.states[core.regions[r]].superstate == innermost) exit_region(m, core, r, no_index, first);
    for (auto s = innermost; s != stop; s = region_leaf_of(m, core, region)) {
        try {
            run_part(m, core, core.states[s].exit_program);
            set_region_leaf(m, core, region, core.regions[region] == s ? no_index : core.states[s].superstate);
        } catch (...) {
            if (!first) throw;
            if (!*first) *first = std::current_exception();
            trace_exception(m, core);
            recover(m, core);
        }
    }
}

/// Does the same for a chart with one region, without handling exceptions.
void exit_alone(machine& m, const chart_core& core, index level) {
    for (auto s = m.leaf; s != level && s != no_index; s = m.leaf) {
        const auto& left = core.states[s];
        if (left.exit_program != 0) run(core.at(left.exit_program), m);
        m.leaf = left.superstate;
    }
    m.at = in_call();
    mark_changed(m, core, 0, level == no_index ? 0 : core.states[level].depth + 1);
}

} // namespace

void exit_below(machine& m, const chart_core& core, index level, std::exception_ptr* first) {
    if (!core.by_regions && !first) return exit_alone(m, core, level);
    exit_region(m, core, level == no_index ? 0 : core.states[level].region, level, first);
    mark_exited(m, core, level); // only now: exit hooks still see how long the states have been active
}

namespace {

/// A microstep of a chart with one region, and so of one transition.
void microstep_alone(machine& m, const chart_core& core, enabled_transition& e) {
    m.at = in_call();
    live_step step{m, core, true};
    const bool moves = live_step::moves(e);
    try {
        begin_step_alone(m, core, e);
        if (moves) step.exits(e);
        step.action(e);
        if (moves) step.entries(e);
    } catch (...) {
        step_failed(m, core);
        throw;
    }
    if (!core.has_hooks.change || step.is_reported || !moves) return;
    set_cause_of(m, core, e);
    run_on_change(m, core, e.level);
}

} // namespace

void microstep(machine& m, const chart_core& core, std::span<enabled_transition> transitions) {
    if (!core.by_regions) return microstep_alone(m, core, transitions.front());
    m.at = in_call();
    live_step step{m, core, transitions.size() == 1};
    try {
        begin_step(m, core, transitions);
        flatten::write_step(transitions, step);
    } catch (...) {
        step_failed(m, core);
        throw;
    }
    region_step_of(m, core).moving = region_step_head::none;
    if (!core.has_hooks.change || step.is_reported) return;
    for (const auto& e : transitions) {
        if (e.target == no_index) continue;
        set_cause_of(m, core, e);
        run_on_change(m, core, e.level);
    }
}

void fire(machine& m, const chart_core& core, const transition_row& t, reason why) {
    enabled_transition one = enable(m, core, t, why);
    microstep(m, core, {&one, 1});
}

void enter_root(machine& m, const chart_core& core, index target, reason why) {
    enabled_transition one{nullptr, no_index, target, no_index, no_index, why};
    microstep(m, core, {&one, 1});
}

namespace {

/// Enters the states below the level down to the target.
void enter_plainly(machine& m, const chart_core& core, index level, index target) {
    const auto& entered = core.states[target];
    if (entered.superstate != level) enter_plainly(m, core, level, entered.superstate);
    if (entered.enter_program != 0) run(core.at(entered.enter_program), m);
}

/// Requires steps_are_plain. Has the effect of a microstep of that transition.
void move_plainly(machine& m, const chart_core& core, index level, index target) {
    m.state |= state_fired;
    exit_alone(m, core, level);
    if (target != level) enter_plainly(m, core, level, target);
    m.leaf = target;
    m.at = in_call();
    if (const auto& entered = core.states[target]; entered.kind == state_kind::machine) run_part(m, core, entered.entry_program);
}

result make_request_at(machine& m, const chart_core& core, index source, index target, index level, bool force) {
    if (core.steps_are_plain) return move_plainly(m, core, level, target), result::taken;
    const auto holder = core.has_holds && !force ? holder_of(m, core, level, target) : no_index;
    if (holder != no_index) return pend_request(m, core, source, target, level, holder);
    enabled_transition one{nullptr, source, target, level, no_index, reason::request};
    microstep(m, core, {&one, 1});
    return result::taken;
}

/// Requires driven regions.
result make_request_in_region(machine& m, const chart_core& core, index target, bool force) {
    auto region = core.states[core.machine_of(target)].region;
    while (region_leaf_of(m, core, region) == no_index) region = core.states[core.states[core.regions[region]].superstate].region;
    const auto source = region_leaf_of(m, core, region);
    const bool is_region = is_request_to_region(core, source, target);
    if (is_region) return make_request_at(m, core, source, target, target, force);
    return make_request(m, core, source, target, force);
}

} // namespace

result make_request(machine& m, const chart_core& core, index source, index target, bool force) {
    return make_request_at(m, core, source, target, level_between(core.states, source, target, false), force);
}

result make_request(machine& m, const chart_core& core, index target, bool force) {
    if (core.by_regions) return make_request_in_region(m, core, target, force);
    return make_request(m, core, m.leaf, target, force);
}

bool retry_entry(machine& m, const chart_core& core, std::size_t region) {
    const auto resting = region_leaf_of(m, core, region);
    const enabled_transition choice{nullptr, resting, no_index, resting, resting, reason::entry};
    m.at = in_call();
    set_cause_of(m, core, choice);
    struct retrying { // keeps the driver: call_failed reads it if a hook throws
        machine& m;
        const chart_core& core;
        ~retrying() {
            if (core.has_hook_context) m.hook_context().retry = false;
        }
    };
    if (core.has_hook_context) m.hook_context().retry = true;
    if (core.by_regions) {
        region_step_of(m, core).step_level = resting;
        region_step_of(m, core).moving = region_step_head::step;
    }
    mark_changed(m, core, region, core.states[resting].depth + 1); // entered states start with a time of zero
    set_entering(m, core, 0);
    bool is_reported = false;
    {
        const retrying until_done{m, core};
        is_reported = enter_on(m, core, core.states[resting].default_program);
    }
    if (core.by_regions) region_step_of(m, core).moving = region_step_head::none;
    if (region_leaf_of(m, core, region) == resting) return false;
    mark_exited(m, core, resting);
    m.state |= state_fired;
    if (core.tracks_fired) m.work |= work_fired;
    request_recall(m, core);
    if (core.has_hooks.change && !is_reported) run_on_change(m, core, resting);
    return true;
}

// A hook has thrown during a step.

/// A step that is executed here has stored its level; one by programs is in the parallel around the region of the hook's state.
bool is_in_step(machine& m, const chart_core& core) {
    auto& region_step = region_step_of(m, core);
    if (region_step.moving == region_step_head::step) return true;
    const auto* const site = current_hook_site(m, core);
    const bool moves = site && (site->moves() || (region_step.moving == region_step_head::siblings && site->state != no_index));
    const auto s = site ? site->state : no_index;
    region_step.step_level = s == no_index ? no_index : core.regions[core.states[s].region];
    return moves;
}

void abandon_step(machine& m, const chart_core& core) noexcept {
    auto& region_step = region_step_of(m, core);
    region_step.moving = region_step_head::none;
    auto around = no_index;
    for (auto s = region_step.step_level; s != no_index; s = core.states[s].superstate)
        if (core.states[s].kind == state_kind::parallel && core.states[core.states[s].superstate].kind == state_kind::machine) {
            around = s;
            break;
        }
    if (around == no_index) {
        const auto leaf = region_leaf_of(m, core, 0);
        if (leaf == no_index || core.states[leaf].kind != state_kind::parallel) return;
        around = leaf;
    }
    std::exception_ptr ignored;
    if (core.has_hook_context) m.hook_context().entered = reason::none;
    exit_below(m, core, core.states[around].superstate, &ignored);
}

} // namespace hsm::detail
