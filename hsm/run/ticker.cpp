#include <hsm/run/detail/ticker.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/handle_event.hpp>
#include <hsm/run/detail/life.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/ops.hpp>

namespace hsm::detail {

// Ticks without an effect, at the lowest cost.

namespace {

/// Advances the clock by a plain addition. Returns false, with nothing changed, if the time is negative or the clock overflows.
HSM_ALWAYS_INLINE inline bool pass(machine& m, std::int64_t elapsed) {
    const auto later = later_by(m, elapsed);
    if (later < m.now) return false;
    m.now = later;
    return true;
}

HSM_NOINLINE result run_tick(machine& m, std::int64_t elapsed, phase what);
HSM_NOINLINE result tick_observed(machine& m, const chart_core& core, std::int64_t elapsed);

/// Returns the op at which that section begins, and sets machine::section to the first of the sections joined with it.
HSM_ALWAYS_INLINE inline const op* begin_at(machine& m, const chart_core& core, const tick_section* section) {
    const auto* const from = core.at(section->at);
    while (section->joined) --section;
    m.section = core.at(section->at);
    return from;
}

/// Returns the op at which the tick continues after a decision of a level; null if other work follows first.
const op* after_decision(machine& m, const chart_core& core) {
    if (m.work != 0 || !core.ticks_continue) return nullptr;
    const int decided = core.options.order == decision_order::superstate_first ? depth_of_fired(m) : -1;
    mark_changed(m, core, 0, m.unchanged_depth);
    stamp(m, core);
    const auto* section = first_section(core, m.leaf);
    const auto* const last = last_section(core, m.leaf);
    while (section != last && (section->depth <= decided || section->at == 0)) ++section; // an update without hooks leaves no work
    return section == last ? core.at(0) : begin_at(m, core, section); // the op at 0 ends the tick
}

/// Does not begin a call: while sections find nothing to do, there is no work to complete.
HSM_NOINLINE result run_sections(machine& m, std::int64_t elapsed) {
    if (!pass(m, elapsed)) return run_tick(m, elapsed, phase::both);
    if (m.chart->has_hook_context) m.hook_context().tick_elapsed = elapsed;
    const auto* const first = m.chart->ticks[m.leaf];
    m.section = first; // each section continues with the next
    std::uintptr_t code;
    try {
        code = run(first, m);
    } catch (...) {
        handling_failed(m);
        throw;
    }
    return code == code_next ? result::unhandled : follow_sections(m, code);
}

/// Only advances the clock if no watched condition has the value that a transition requires.
HSM_ALWAYS_INLINE inline result tick_watched(machine& m, std::int64_t elapsed) {
    return may_fire(conditions_of(m)) || !pass(m, elapsed) ? run_sections(m, elapsed) : result::unhandled;
}

/// The mailbox may contain an event, or a pulse may be set.
HSM_NOINLINE result tick_with_posted(machine& m, const chart_core& core, std::int64_t elapsed) {
    if (has_arrivals(m, core) || elapsed < 0) return run_tick(m, elapsed, phase::both);
    if (!mail_of(m, core)) m.state = static_cast<std::uint8_t>(m.state & ~state_posted);
    const pulses now_and_then_gone(m, core, true);
    if (m.shallowest_change != no_index) stamp(m, core);
    return m.state & state_watched ? tick_watched(m, elapsed) : run_sections(m, elapsed);
}

HSM_NOINLINE result tick_after_change(machine& m, std::int64_t elapsed) {
    const auto& core = core_of(m);
    if (core.traced) return run_tick(m, elapsed, phase::both);
    const bool has_programs = core.by_regions ? core.ticks_by_region : !core.has_holds;
    if ((m.state & (state_paused | state_scaled)) || !has_programs) return run_tick(m, elapsed, phase::both);
    if (m.state & state_posted) return tick_with_posted(m, core, elapsed);
    stamp(m, core);
    return calls::tick(m, elapsed);
}

/// Returns whether the tick is ordinary except for a mailbox, which is empty.
bool has_empty_mailbox(const machine& m, const chart_core& core) {
    const auto* const queues = core.traced ? nullptr : queues_of(m, core);
    return queues && queues->mail && queues->mail->is_empty() && queues->posted.empty() && !has_pulses(m, core);
}

/// Continues without a call while the sections only decide.
HSM_NOINLINE result follow_decisions(machine& m, std::uintptr_t code) {
    const auto& core = core_of(m);
    if (core.by_regions) return follow_region(m, core, code);
    auto outcome = result::unhandled;
    try {
        const op* from = nullptr;
        while (code == static_cast<std::uintptr_t>(result::taken) && (from = after_decision(m, core))) {
            outcome = result::taken;
            code = run(from, m);
        }
    } catch (...) {
        handling_failed(m);
        throw;
    }
    if (code == code_next) return outcome;
    return continue_tick(m, core, code, outcome == result::taken);
}

} // namespace

result follow_sections(machine& m, std::uintptr_t code) { return code == ops::code_fired ? result::taken : follow_decisions(m, code); }

namespace {

HSM_ALWAYS_INLINE inline result tick_in_state(machine& m, std::int64_t elapsed, std::uint32_t how) {
    if (how == when_watched) return tick_watched(m, elapsed);
    if (how == when_stamped) return run_sections(m, elapsed);
    return tick_after_change(m, elapsed);
}

HSM_NOINLINE result tick_unless_posted(machine& m, std::int64_t elapsed) {
    if (!has_empty_mailbox(m, core_of(m))) return tick_after_change(m, elapsed);
    return tick_in_state(m, elapsed, tick_state(m) & ~tick_word(0, 0, state_posted));
}

} // namespace

result calls::tick(machine& m, std::int64_t elapsed) {
    if (m.at) return core_of(m).traces_sections ? tick_observed(m, core_of(m), elapsed) : run_tick(m, elapsed, phase::both);
    return m.state & state_posted ? tick_unless_posted(m, elapsed) : tick_in_state(m, elapsed, tick_state(m));
}

// Complete ticks.

result calls::decide(machine& m) { return run_tick(m, 0, phase::decisions); }
result calls::update(machine& m, std::int64_t elapsed) { return run_tick(m, elapsed, phase::hooks); }

namespace {

/// The last decisions can have been held without an update after them.
result finish_tick(machine& m, const chart_core& core) {
    if (core.has_hooks.leave) run_to_completion(m, core);
    return fired_or_not(m);
}

/// For observed machines: returns whether no watched condition has the value that a transition requires. Then the clock has advanced.
bool is_idle(machine& m, const chart_core& core, std::int64_t elapsed) {
    constexpr auto watched = tick_word(0xffff, 0xff, state_paused | state_scaled | state_watched);
    if ((tick_word(m.shallowest_change, m.work, m.state) & watched) != when_watched || may_fire(conditions_of(m))) return false;
    return !has_arrivals(m, core) && !has_pulses(m, core) && pass(m, elapsed);
}

/// A tick that carries over moves the clock to `time`, also if a hook throws at an earlier moment. The states entered by then count from that moment.
struct tick_end {
    machine& m;
    std::int64_t time = 0;
    ~tick_end() {
        if (time <= m.now) return;
        stamp(m, core_of(m));
        m.now = time;
    }
};

HSM_NOINLINE void notify_tick(machine& m, const chart_core& core, std::int64_t elapsed, phase what) {
    notify_mail(m, core);
    const auto kind = what == phase::both ? input_kind::tick : what == phase::hooks ? input_kind::update : input_kind::decide;
    observation_of(m).notify_input(m, {.kind = kind, .elapsed = elapsed});
}

HSM_NOINLINE result run_reported_tick(machine& m, std::int64_t elapsed, phase what) {
    const auto& core = core_of(m);
    if (core.traced && !core.carries && what == phase::both && is_idle(m, core, elapsed)) return result::unhandled;
    const auto call = what == phase::both ? call_kind::tick : what == phase::hooks ? call_kind::update : call_kind::decide;
    tick_end end{m};
    return exclusively(m, core, call, [&] {
        const bool decides = what != phase::hooks;
        const pulses now_and_then_gone(m, core, decides);
        begin_waiting(m, core);
        if (decides) forget_waiting(m, core);
        const auto before = m.now;
        advance(m, core, elapsed);
        if (core.carries && what == phase::both) {
            end.time = m.now;
            m.now = before; // until the transitions that are due during the tick have fired
        }
        if (what != phase::decisions) trace_call(m);
        reset_fired(m);
        if (decides && !has_ended(m)) {
            const auto there = arrived(m, core);
            if (end.time != 0) fire_overdue(m, core, end.time);
            run_to_completion(m, core);
            try_pending(m, core);
            handle_posted(m, core, there);
        }
        if (!has_ended(m)) walk(m, core, what);
        return finish_tick(m, core);
    });
}

result run_tick(machine& m, std::int64_t elapsed, phase what) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    if (m.leaf == no_index) return result::inactive;
    if (elapsed < 0) return result::refused;
    if (m.at && core.observed) notify_tick(m, core, elapsed, what);
    return run_reported_tick(m, elapsed, what);
}

/// Runs the sections of an observed machine, of which none has begun. Then completes the call.
HSM_NOINLINE result run_traced_sections(machine& m, const chart_core& core, std::int64_t elapsed) {
    auto& tracer = observation_of(m);
    begin_call(m);
    tracer.begin_call([](observer_link&) {});
    tracer.call = call_kind::tick;
    tracer.error_traced = false;
    if (tracer.wants(record_kind::call)) tracer.trace(m, tracer.call_record(m));
    tracer.in_call = true;
    if (core.has_hook_context) m.hook_context().tick_elapsed = elapsed;
    m.section = core.ticks[m.leaf];
    std::uintptr_t code;
    try {
        code = run(m.section, m);
    } catch (...) {
        handling_failed(m);
        throw;
    }
    const auto outcome = code == code_next ? result::unhandled : follow_sections(m, code);
    if (!core_of(m).observed || !observation_of(m).in_call) return outcome; // the call is complete
    if (m.work != 0 || tracer.wants_end() || tracer.wants(record_kind::call_end)) return end_observed_call(m, outcome);
    tracer.in_call = false;
    tracer.call = call_kind::none;
    m.at = not_ready();
    if (!tracer.by_calls) use_traced_row(m);
    return outcome;
}

/// Like a complete tick, without tests for work that the machine does not have.
HSM_NOINLINE result tick_observed(machine& m, const chart_core& core, std::int64_t elapsed) {
    if (m.at != not_ready() || m.leaf == no_index || elapsed < 0) return run_tick(m, elapsed, phase::both);
    notify_mail(m, core);
    observation_of(m).notify_input(m, {.kind = input_kind::tick, .elapsed = elapsed});
    constexpr auto special = tick_word(0, 0xff, special_state_bits | state_watched);
    const bool is_special = (tick_word(m.shallowest_change, m.work, m.state) & special) != 0 || m.leaf == no_index; // an observer can end the machine
    if (is_special) return run_reported_tick(m, elapsed, phase::both);
    if (m.shallowest_change != no_index) stamp(m, core);
    return pass(m, elapsed) ? run_traced_sections(m, core, elapsed) : run_reported_tick(m, elapsed, phase::both);
}

} // namespace

// The sections of a leaf's tick.

namespace {

/// Returns whether `b` comes after `a` in a tick: a level decides after the update of its machine, and before the levels below.
bool comes_after(const tick_section& a, const tick_section& b) {
    return flatten::section_comes_after(a.depth, a.kind == tick_section::update, b.depth, b.kind == tick_section::update);
}

/// Returns the active state at that depth.
index at_depth(const machine& m, const chart_core& core, int depth) {
    auto s = m.leaf;
    while (core.states[s].depth > depth) s = core.states[s].superstate;
    return s;
}

/// Returns whether a section ended without an effect. A machine at rest makes its entry choice again here.
bool found_nothing(machine& m, const chart_core& core, std::uintptr_t& code) {
    if (code == code_retry) code = retry_entry(m, core, 0) ? code_interrupted : code_next;
    return code == code_next || code == code_section;
}

bool is_excluded(const tick_section& s, phase what) { return s.kind == tick_section::update ? what == phase::decisions : what == phase::hooks; }

/// Returns the section that ended with `code`, which can be one joined with `begun`.
const tick_section* section_ended(const machine& m, const tick_section* begun, std::uintptr_t code) {
    if (code == static_cast<std::uintptr_t>(result::taken))
        while (begun[1].joined && begun->depth < depth_of_fired(m)) ++begun;
    return begun;
}

/// Runs sections until one has something to do and returns it; null: none has.
const tick_section* run_sections(machine& m, const chart_core& core, phase what, const tick_section* section, std::uintptr_t& code) {
    const auto* const last = last_section(core, m.leaf);
    for (; section != last; ++section) {
        if (is_excluded(*section, what)) continue;
        const bool something_waits = m.work & (work_pending | work_waiting);
        if (section->at == 0) { // an update without hooks
            code = code_interrupted;
            if (m.work) return section;
        } else if (what == phase::both && !something_waits) {
            code = run(begin_at(m, core, section), m);
            if (code == code_next) return nullptr;
            section = section_ended(m, section_begun(m, core), code);
            if (!found_nothing(m, core, code)) return section;
        } else {
            if (section->kind == tick_section::decide) forget_waiting_at(m, core, section->depth);
            m.section = nullptr; // this section does not continue with the next
            code = run(core.at(section->at), m);
            if (!found_nothing(m, core, code)) return section_ended(m, section, code);
            while (section[1].joined) ++section;
        }
    }
    return nullptr;
}

/// Completes what follows from a section. Returns false if the tick ends there, because the section's state has exited.
bool complete_section(machine& m, const chart_core& core, phase what, const tick_section& done, std::uintptr_t code) {
    m.at = in_call();
    if (code == static_cast<std::uintptr_t>(result::taken)) mark_changed(m, core, 0, m.unchanged_depth);
    if (done.kind == tick_section::update) {
        const auto updated = at_depth(m, core, done.depth);
        if (core.has_holds) holding_of(m, core).updated = updated;
        if (done.at != 0) take_successor(m, core, updated);
        follow_update(m, core, updated, what);
    } else {
        if (core.has_holds) holding_of(m, core).updated = no_index;
        m.state |= state_fired;
        run_to_completion(m, core);
    }
    if (has_ended(m) || m.shallowest_change <= done.depth) return false;
    stamp(m, core);
    return true;
}

/// Continues after the section `done`, which ended with `code`; null: with the first. If the section had an effect, continues with the sections of
/// the leaf that is active then, unless the state of the section has exited.
void resume_walk(machine& m, const chart_core& core, phase what, const tick_section* done, std::uintptr_t code) {
    while (true) {
        const auto* section = done ? done + 1 : first_section(core, m.leaf);
        if (done && code != code_section) {
            if (!complete_section(m, core, what, *done, code)) return;
            section = first_section(core, m.leaf);
            while (section != last_section(core, m.leaf) && !comes_after(*done, *section)) ++section;
        }
        done = run_sections(m, core, what, section, code);
        if (!done) return;
    }
}

} // namespace

void forget_waiting_at(machine& m, const chart_core& core, int depth) {
    if (!(m.work & work_waiting)) return;
    if (core.options.order == decision_order::substate_first)
        forget_waiting(m, core);
    else
        waiting_at(m, core, static_cast<std::size_t>(depth + 1)) = {};
}

result continue_tick(machine& m, const chart_core& core, std::uintptr_t code, bool has_fired) {
    reset_fired(m);
    if (has_fired) m.state |= state_fired;
    if (code == code_parts)
        return exclusively(m, core, call_kind::tick, [&] {
            begin_waiting(m, core);
            walk_by_parts(m, core, phase::both);
            return finish_tick(m, core);
        });
    const auto* const section = section_ended(m, section_begun(m, core), code);
    return exclusively(m, core, call_kind::tick, [&] {
        begin_waiting(m, core);
        if (found_nothing(m, core, code)) code = code_section;
        resume_walk(m, core, phase::both, section, code);
        return finish_tick(m, core);
    });
}

void walk(machine& m, const chart_core& core, phase what) {
    if (core.by_regions) return walk_regions(m, core, what);
    stamp(m, core);                                             // exits before this walk do not end it
    if (m.work && !core.states[0].updates && !core.follows_each_update) { // remaining work that no update of the root completes
        run_to_completion(m, core);
        if (has_ended(m) || m.shallowest_change == 0) return;
        stamp(m, core);
    }
    if (core.by_parts) return walk_by_parts(m, core, what);
    resume_walk(m, core, what, nullptr, 0);
}

void take_successor(machine& m, const chart_core& core, index updated) {
    if ((m.work & work_stop) || !core.has_hook_context || !m.hook_context().next) return;
    state_key target{state_ref()};
    target.node = m.hook_context().next.node;
    target.id = m.hook_context().next.id;
    make_request(m, core, updated, require_state(core, target, core.states[updated].node), false);
}

bool follow_update(machine& m, const chart_core& core, index updated, phase what) {
    run_to_completion(m, core);
    try_pending(m, core);
    if (what != phase::decisions) try_waiting(m, core, updated);
    return !has_ended(m);
}

} // namespace hsm::detail
