#include <hsm/vm/detail/ops.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/change.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>

namespace hsm::detail::ops {

namespace {

const state_base* node(const chart_core& core, index s) { return s == no_index ? nullptr : core.states[s].node; }

void lower_change(machine& m, std::uint64_t shallowest_change) {
    m.shallowest_change = std::min(m.shallowest_change, static_cast<std::uint16_t>(shallowest_change));
}

} // namespace

const op* end(const op* at, machine& m) {
    m.at = nullptr;
    return at->target; // end_with(code), set by the assembler
}

const op* jump(const op* at, [[maybe_unused]] machine& m) { HSM_PROCEED(at->target); }

const op* pause(const op* at, [[maybe_unused]] machine& m) { return at + 1; }

const op* select(const op* at, machine& m) { return end_with(m.chart->host->handle_by_selection(m, static_cast<std::uint32_t>(at->number))); }

const op* exit_to_level(const op* at, machine& m) {
    const auto& core = core_of(m);
    for (auto s = m.leaf; s != static_cast<index>(at->number); s = core.states[s].superstate) run(core.at(core.states[s].exit_program), m);
    HSM_PROCEED(at + 1);
}

const op* record_history(const op* at, machine& m) {
    record_exits(m, core_of(m), static_cast<index>(at->number));
    HSM_PROCEED(at + 1);
}

const op* done(const op* at, machine& m) {
    auto number = at->number;
    HSM_FORGET(number); // otherwise clang loads and stores each half separately
    m.leaf = static_cast<index>(number);
    m.unchanged_depth = static_cast<std::uint16_t>(number >> 16);
    m.row = static_cast<const op* const*>(at[1].self);
    m.at = nullptr;
    return end_with(result::taken);
}

const op* exited(const op* at, machine& m) {
    lower_change(m, at->number);
    HSM_PROCEED(at + 1);
}

const op* done_changed(const op* at, machine& m) {
    m.leaf = static_cast<index>(at->number);
    lower_change(m, at->number >> 16);
    run_on_change(m, core_of(m), m.hook_context().level);
    return done(at, m);
}

const op* rest_changed(const op* at, machine& m) {
    const bool rested_before = m.hook_context().retry && m.leaf == static_cast<index>(at->number);
    return rested_before ? done(at, m) : done_changed(at, m);
}

const op* enter_by(const op* at, machine& m) {
    lower_change(m, at[1].number);
    HSM_PROCEED(at->target);
}

namespace {
void set_cause(std::uint64_t operand, index previous, machine& m) {
    const auto& core = core_of(m);
    const auto& t = core.transitions[static_cast<std::uint32_t>(operand)];
    auto& now = m.hook_context();
    now.cause = {static_cast<reason>(operand >> 32),
                 t.event == no_index ? nullptr : &core.event_refs[t.event],
                 node(core, t.source),
                 node(core, t.target),
                 node(core, previous),
                 t.spec};
    now.entered = reason::none;
    now.elapsed = 0;
    if (t.target != no_index) now.level = t.level;
}
} // namespace

const op* because(const op* at, machine& m) {
    const auto& core = core_of(m);
    auto previous = m.leaf;
    if (core.by_regions) [[unlikely]] // a reaction in its own region
        previous = region_leaf_of(m, core, core.states[core.transitions[static_cast<std::uint32_t>(at->number)].source].region);
    set_cause(at->number, previous, m);
    HSM_PROCEED(at + 1);
}

const op* because_from(const op* at, machine& m) {
    set_cause(at->number, static_cast<index>(at[1].number), m);
    HSM_PROCEED(at + 2);
}

const op* at_state(const op* at, machine& m) {
    m.hook_context().state = static_cast<const state_base*>(at->self);
    HSM_PROCEED(at + 1);
}

const op* locals(const op* at, machine& m) {
    m.hook_context().locals = &core_of(m).local_slots[at->number];
    HSM_PROCEED(at + 1);
}

const op* locals_by_level(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto level = m.hook_context().level;
    const auto around = level == no_index ? std::size_t(0) : core.states[level].depth + 1u;
    const auto first = (at->number & 0xffff'ffff) + (around - at[1].number) * (at->number >> 32);
    m.hook_context().locals = core.local_slots.data() + first;
    HSM_PROCEED(at + 2);
}

const op* in_context(const op* at, machine& m) {
    m.at = at; // a projection is user code, too
    m.context = core_of(m).context_of(static_cast<index>(at->number), m.hook_context().root_context);
    HSM_PROCEED(at + 1);
}

const op* updating(const op* at, machine& m) {
    auto& now = m.hook_context();
    now.cause = {};
    now.entered = reason::none;
    now.state = static_cast<const state_base*>(at->self);
    now.elapsed = now.tick_elapsed;
    now.next = {};
    HSM_PROCEED(at + 1);
}

const op* updated(const op* at, machine& m) {
    if (m.work != 0 || (at->number && m.hook_context().next)) return end_with(code_interrupted);
    HSM_PROCEED(at + 1);
}

const op* section(const op* at, machine& m) {
    if (!m.section) [[unlikely]]
        return end_with(code_section);
    const auto* const first = at + 1;
    m.section = first;
    HSM_PROCEED(first);
}

const op* decided(const op* at, machine& m) {
    if (m.work & (work_waiting | work_internal)) return end_with(code_section);
    HSM_PROCEED(at + 1);
}

const op* unless_stopped(const op* at, machine& m) {
    if (m.work & work_stop) HSM_PROCEED(at->target);
    HSM_PROCEED(at + 1);
}

const op* construct(const op* at, machine& m) {
    m.at = at;
    const auto& core = core_of(m);
    const auto& local = core.locals[at->number];
    local.prototype->type().copy(m.block + core.layout.locals + local.offset, local.prototype->object());
    HSM_PROCEED(at + 1);
}

const op* destroy(const op* at, machine& m) {
    m.at = at;
    const auto& core = core_of(m);
    const auto& local = core.locals[at->number];
    local.prototype->type().destroy(m.block + core.layout.locals + local.offset);
    HSM_PROCEED(at + 1);
}

const op* raise_done(const op* at, machine& m) {
    m.at = at;
    m.chart->host->raise_done(m, {});
    HSM_PROCEED(at + 1);
}

namespace {
/// at[2] and at[3] are the guard, at[4] and at[5] the two ends.
bool agrees(const op* at, machine& m) {
    bool agreed = false;
    try {
        agreed = run(at + 2, m) == static_cast<std::uintptr_t>(result::taken);
    } catch (...) {
        m.chart->host->raise_guard_error(m);
    }
    m.at = at;
    return agreed;
}
} // namespace

const op* try_guard(const op* at, machine& m) {
    at = agrees(at, m) ? at + 6 : at[1].target;
    HSM_PROCEED(at);
}

const op* mark(const op* at, machine& m) {
    mark_over(m, core_of(m), static_cast<index>(at->number));
    HSM_PROCEED(at + 1);
}

const op* unmark(const op* at, machine& m) {
    clear_mark(m, core_of(m), static_cast<index>(at->number));
    HSM_PROCEED(at + 1);
}

const op* if_marked(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto s = static_cast<index>(at->number);
    if (!is_marked_over(m, core, s) || due_of(m, core)[s]) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* transient(const op* at, machine& m) {
    m.work |= work_transient;
    just_entered_of(m, core_of(m)).set(static_cast<index>(at->number));
    HSM_PROCEED(at + 1);
}

const op* fired(const op* at, machine& m) {
    m.work |= work_fired;
    HSM_PROCEED(at + 1);
}

const op* entering(const op* at, machine& m) {
    m.hook_context().entered = static_cast<reason>(at->number);
    HSM_PROCEED(at + 1);
}

const op* record(const op* at, machine& m) {
    record_of(m, core_of(m), at->number & 0xffff) = static_cast<index>(at->number >> 16);
    HSM_PROCEED(at + 1);
}

const op* restore(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto owner = at->number & 0xffff;
    const auto recorded = record_of(m, core, owner);
    if (recorded == 0) HSM_PROCEED(at + 1);
    const auto* const entries = core.at(core.restores[(at->number >> 16) + recorded - core.history_owners[owner] - 1u]);
    HSM_PROCEED(entries);
}

const op* arm_fixed(const op* at, machine& m) {
    const auto timer = static_cast<std::uint32_t>(at->number);
    arm(m, core_of(m), timer, core_of(m).timers[timer].fixed);
    HSM_PROCEED(at + 1);
}

const op* arm_found(const op* at, machine& m) {
    arm(m, core_of(m), static_cast<std::uint32_t>(at->number), m.hook_context().delay);
    HSM_PROCEED(at + 1);
}

const op* if_due(const op* at, machine& m) {
    const auto due = *reinterpret_cast<const std::int64_t*>(m.block + at->number);
    if (!is_due(m, due)) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* used_up(const op* at, machine& m) {
    due_at(m, core_of(m), static_cast<std::uint32_t>(at->number)) = never;
    HSM_PROCEED(at + 1);
}

const op* again(const op* at, machine& m) {
    arm_again(m, core_of(m), static_cast<std::uint32_t>(at->number));
    HSM_PROCEED(at + 1);
}

const op* if_conditions(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto where = static_cast<index>(at->number >> 32);
    const auto leaf = at->number & entered_leaf ? where : core.by_regions ? region_leaf_of(m, core, core.states[where].region) : m.leaf;
    if (!group_holds(m, core, core.groups[static_cast<std::uint32_t>(at->number)], leaf)) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* if_all(const op* at, machine& m) {
    const auto& wanted = core_of(m).masks[at->number];
    if (((conditions_of(m).bits ^ wanted.mask) & wanted.filter) != 0) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* if_any(const op* at, machine& m) {
    const auto& wanted = core_of(m).masks[at->number];
    if (((conditions_of(m).bits ^ wanted.mask) & wanted.filter) == wanted.filter) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* entered_by(const op* at, machine& m) {
    set_entered_by(m, core_of(m), static_cast<std::uint32_t>(at->number));
    HSM_PROCEED(at + 1);
}

const op* store_entered_by(const op* at, machine& m) {
    auto& led = entered_by_of(m, core_of(m));
    led.slots()[at->number] = led.by;
    HSM_PROCEED(at + 1);
}

const op* mark_entry_conditions(const op* at, machine& m) {
    add_entry_conditions(m, core_of(m), at->number);
    HSM_PROCEED(at + 1);
}

const op* reset_entry_conditions(const op* at, machine& m) {
    reset_entry_conditions(m, core_of(m));
    HSM_PROCEED(at + 1);
}

const op* use_triggers(const op* at, machine& m) {
    use_triggers(m, core_of(m), core_of(m).transitions[at->number]);
    HSM_PROCEED(at + 1);
}

const op* if_satisfied(const op* at, machine& m) {
    m.at = at; // it can call guards of entry choices, which are user code
    const auto& core = core_of(m);
    if (!is_satisfied(m, core, core.transitions[at->number])) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* if_none_waits(const op* at, machine& m) {
    if (waiting_at(m, core_of(m), at->number).transition) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* or_wait(const op* at, machine& m) {
    m.at = at; // it can call predicates of states, which are user code
    const auto& core = core_of(m);
    const auto number = static_cast<std::uint32_t>(at->number);
    const auto& t = core.transitions[number];
    const auto holder = holder_of(m, core, t.level, t.target);
    if (holder == no_index) HSM_PROCEED(at + 2);
    wait(m, core, number, holder);
    request_leave(m, core, holder, number);
    HSM_PROCEED(at[1].target);
}

const op* guard_refused(const op* at, machine& m) {
    end_leave_requests_of(m, core_of(m), static_cast<std::uint32_t>(at->number));
    HSM_PROCEED(at + 1);
}

const op* or_pend(const op* at, machine& m) {
    m.at = at;
    const auto& core = core_of(m);
    const auto number = static_cast<std::uint32_t>(at->number);
    const auto& t = core.transitions[number];
    const auto holder = holder_of(m, core, t.level, t.target);
    if (holder == no_index) HSM_PROCEED(at + 1);
    const auto outcome = pend(m, core, number, holder);
    m.at = nullptr;
    return end_with(outcome);
}

const op* state_exited(const op* at, machine& m) {
    end_holding(m, core_of(m), static_cast<index>(at->number));
    HSM_PROCEED(at + 1);
}

const op* defer(const op* at, machine& m) {
    m.at = at; // copying a payload is user code
    const auto outcome = defer_event(m, core_of(m), static_cast<std::uint16_t>(at->number));
    m.at = nullptr;
    return end_with(outcome);
}

const op* recall(const op* at, machine& m) {
    if (auto& head = deferral_of(m, core_of(m)); head.count != 0 || at->number != 0) {
        head.recall = true;
        m.work |= work_fired;
    }
    HSM_PROCEED(at + 1);
}

const op* if_active(const op* at, machine& m) {
    if (!is_active(m, core_of(m), static_cast<index>(at->number))) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

const op* unless_active(const op* at, machine& m) {
    if (is_active(m, core_of(m), static_cast<index>(at->number))) HSM_PROCEED(at[1].target);
    HSM_PROCEED(at + 2);
}

} // namespace hsm::detail::ops
