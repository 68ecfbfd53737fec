// The calls that move an instance without hooks.

#include <hsm/run/detail/life.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>

namespace hsm::detail {

namespace {

/// Removes the mark of a finished state. A parallel around it is then not finished either.
void take_mark(machine& m, const chart_core& core, index s) {
    clear_mark(m, core, s);
    const auto outer = core.states[s].superstate;
    if (outer != no_index && core.states[outer].kind == state_kind::parallel) take_mark(m, core, outer);
}

/// Deactivates a state without hooks. A final state also removes the mark of its machine.
void discard(machine& m, const chart_core& core, index s) {
    destroy_locals(m, core, s, core.states[s].locals.count);
    clear_mark(m, core, s);
    if (core.states[s].kind == state_kind::final) take_mark(m, core, core.states[s].superstate);
    end_holding(m, core, s);
    const auto region = core.states[s].region;
    set_region_leaf(m, core, region, core.regions[region] == s ? no_index : core.states[s].superstate);
}

/// Deactivates everything below the level.
void exit_silently(machine& m, const chart_core& core, index level) {
    const int outermost = level == no_index ? 0 : level + 1;
    for (int i = core.states[level == no_index ? 0 : level].last; i >= outermost; --i)
        if (const auto s = static_cast<index>(i); is_active(m, core, s)) discard(m, core, s);
    mark_exited(m, core, level);
}

/// Activates a state without hooks. If copying a local or computing a delay throws, the state is not active.
void enter_silently(machine& m, const chart_core& core, index s) {
    const auto& entered = core.states[s];
    if (core.has_over) entered_by_of(m, core).slots()[entered.time_slot] = 0;
    std::uint32_t built = 0;
    try {
        for (; built < entered.locals.count; ++built) {
            const auto& local = core.locals[entered.locals.first + built];
            local.prototype->type().copy(m.block + core.layout.locals + local.offset, local.prototype->object());
        }
    } catch (...) {
        destroy_locals(m, core, s, built);
        throw;
    }
    set_cause(m, core, {reason::request, nullptr, nullptr, entered.node, nullptr}, m.leaf);
    run_part(m, core, entered.timers_program);
    if (core.by_regions && core.options.entry_times) entry_times(m, core)[entered.time_slot] = m.now;
    if (entered.kind == state_kind::final && core.states[entered.superstate].marked) mark_over(m, core, entered.superstate);
    set_region_leaf(m, core, entered.region, s);
}

/// Activates the states down to the target, and the outermost states of the other regions on the way.
void enter_path_silently(machine& m, const chart_core& core, index s, index target) {
    enter_silently(m, core, s);
    each_region(core, s, [&](index region) { enter_path_silently(m, core, region, target); });
    const bool on_the_way = s != target && core.contains(s, target) && core.states[s].kind == state_kind::machine;
    if (on_the_way) enter_path_silently(m, core, core.toward(s, target), target);
}

/// Deactivates a parallel of which only some regions are active.
void exit_partial_parallel(machine& m, const chart_core& core) {
    deciders_inwards(m, core, [&](index s) {
        bool whole = true;
        each_region(core, s, [&](index region) { whole &= is_active(m, core, region); });
        if (whole) return false;
        while (core.states[s].kind == state_kind::parallel) s = core.states[s].superstate;
        exit_silently(m, core, s);
        return true;
    });
}

void move_quietly(machine& m, const chart_core& core, index target) {
    auto stays = target;
    while (stays != no_index && !is_active(m, core, stays)) stays = core.states[stays].superstate;
    exit_silently(m, core, stays);
    try {
        if (stays == no_index)
            enter_path_silently(m, core, 0, target);
        else if (core.states[stays].kind == state_kind::parallel)
            each_region(core, stays, [&](index region) { enter_path_silently(m, core, region, target); });
        else if (stays != target)
            enter_path_silently(m, core, core.toward(stays, target), target);
    } catch (...) {
        exit_partial_parallel(m, core);
        throw;
    }
}

/// Resets the instance, but not whether its on_init hooks have run.
void forget_all(machine& m, const chart_core& core) {
    forget_pending(m, core);
    forget_just_entered(m, core);
    if (!core.conditions.empty()) condition_bits(m, core).clear();
    drop_events(m, core);
    m.work = 0;
    m.now = 0;
    reset_clock(m);
    m.shallowest_change = 0;
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) record_of(m, core, i) = 0;
    for (std::size_t i = 0; i < core.cooldowns.size(); ++i) cool_at(m, core, i) = 0;
}

} // namespace

result calls::reset(machine& m) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    notify_input(m, core, {.kind = input_kind::reset});
    return exclusively(m, core, call_kind::reset, [&] {
        exit_silently(m, core, no_index);
        forget_all(m, core);
        trace_configuration(m, core, configuration_reason::reset);
        return result::taken;
    });
}

result calls::set_state(machine& m, const state_key& key) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    const auto target = require_state(core, key);
    const auto kind = core.states[target].kind;
    if (kind == state_kind::choice || kind == state_kind::history)
        throw state_error({code::not_in_chart, core.root->path(), '"' + core.states[target].node->path() + "\" is never active",
                           "name a state, not a choice or a history state"});
    notify_input(m, core, {.kind = input_kind::set_state, .state = target});
    return exclusively(m, core, call_kind::set_state, [&] {
        clear_work(m, work_transient | work_fired); // no transition follows from set_state
        forget_just_entered(m, core);
        clear_mark(m, core, 0);
        move_quietly(m, core, target);
        trace_configuration(m, core, configuration_reason::set_state);
        if (kind == state_kind::final) mark_over(m, core, core.states[target].superstate);
        return result::taken;
    });
}

} // namespace hsm::detail
