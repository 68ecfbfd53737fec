#include <hsm/run/detail/handle_event.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/selecting.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <utility>

namespace hsm::detail {

namespace {

/// Calls the unhandled hooks of the innermost active state that has some; of several regions the first.
void run_on_unhandled(machine& m, const chart_core& core, const event_ref& event) {
    if (core.has_defers && deferral_of(m, core).offering) return; // reported when the event arrived
    auto innermost = no_index;
    deciders_inwards(m, core, [&](index s) {
        const bool further_in = innermost == no_index || core.states[s].depth > core.states[innermost].depth;
        if (core.states[s].hook_programs.unhandled && further_in) innermost = s;
        return false;
    });
    if (innermost == no_index) return;
    set_cause(m, core, {reason::event, &event, nullptr, nullptr, core.states[m.leaf].node}, no_index);
    run_part(m, core, core.states[innermost].hook_programs.unhandled);
}

/// Ends the handling of pending events: each waits again, unless its source has exited.
void take_pending_out_of_hand(machine& m, const chart_core& core) {
    for (std::size_t slot = 0; slot < slot_count(core); ++slot) {
        auto& p = pending_at(m, core, slot);
        if (std::exchange(p.firing, false) && !is_active(m, core, p.source)) drop_pending(m, core, slot);
    }
}

/// Stores the selected transitions that a state holds as pending, and fires the others in one microstep.
result take_unless_held(machine& m, const chart_core& core, selection& w) {
    struct until_done { // a pending slot keeps the payload for all transitions, even if its source exits meanwhile
        machine& m;
        const chart_core& core;
        bool any = false;
        ~until_done() {
            if (any) take_pending_out_of_hand(m, core);
        }
    } firing{m, core};
    auto outcome = result::internal;
    std::size_t fires = 0;
    auto waits = result::unhandled;
    for (auto& e : w.transitions()) e.holder = holder_of(m, core, e); // before any payload is stored, because that can throw
    for (const auto& e : w.transitions()) {
        if (e.holder == no_index) {
            if (e.target != no_index) outcome = result::taken;
            w.found[fires++] = e;
            continue;
        }
        const auto pends = pend(m, core, core.number_of(e.transition) - 1, e.holder);
        if (waits != result::held) waits = pends;
        if (pends != result::held) continue;
        const auto slot = slot_of(core, e.transition->level); // the other transitions read the payload there
        offer_of(m, core) = nullptr;
        m.payload = core.event_at(e.transition->event, payload_at(m, core, slot)).object;
        firing.any = pending_at(m, core, slot).firing = true;
    }
    if (fires == 0) return waits;
    microstep(m, core, {w.found, fires});
    return outcome;
}

result handle_by_selection(machine& m, const chart_core& core, std::uint16_t number) {
    selection w(m, core, selection::event, number);
    if (number != no_index && select(m, core, w)) return take_unless_held(m, core, w);
    return w.deferred != no_index ? defer_event(m, core, w.deferred) : w.otherwise();
}

/// Handles an event that all transitions and deferrals declined. Returns the result of the event.
result handle_declined(machine& m, const chart_core& core, std::uint16_t number, const event_ref& event, result outcome) {
    selection w(m, core, selection::event, number);
    if (const auto* const t = select_any_event(m, core, w, run_probe())) {
        auto e = enable(m, core, *t, reason::event);
        e.event = &event;
        microstep(m, core, {&e, 1});
        return t->target == no_index ? result::internal : result::taken;
    }
    if (w.known) return result::guarded;
    if (outcome == result::unhandled) run_on_unhandled(m, core, event);
    return outcome;
}

/// Returns the program of an event; 0: there is none, or transitions must be selected.
program program_of(const machine& m, const chart_core& core, std::uint32_t column) {
    if (core.by_regions) return 0;
    if (core.rows.empty()) return core.by_parts ? 0 : core.program_for(m.leaf, column);
    const auto* const known = core.row_of(m.leaf)[column];
    return !known || known->run == &ops::select ? program(0) : static_cast<program>(known - core.ops.data());
}

} // namespace

result handle_event(machine& m, const chart_core& core, std::uint16_t number, const event_ref& event) {
    struct offering {
        machine& m;
        const chart_core& core;
        ~offering() {
            if (core.stores_events) offer_of(m, core) = nullptr;
            if (core.traced) observation_of(m).event = nullptr;
        }
    } const as_long_as_it_is_handled{m, core};
    if (core.stores_events) offer_of(m, core) = &event;
    m.payload = event.object;
    const auto p = program_of(m, core, number == no_index ? 0 : core.event_columns[number]);
    const bool selects = p == 0 && (core.by_regions || core.by_parts);
    const auto outcome = selects ? handle_by_selection(m, core, number) : static_cast<result>(run_part(m, core, p));
    const bool is_declined = outcome == result::unhandled || outcome == result::guarded;
    return is_declined && core.has_hooks.unhandled ? handle_declined(m, core, number, event, outcome) : outcome;
}

event_ref stored_event(const chart_core& core, std::uint16_t number, const void* payload) {
    auto event = core.event_at(number, payload);
    event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, from.object); };
    return event;
}

namespace {

[[noreturn]] void throw_lost(const chart_core& core, std::uint16_t number) {
    throw queue_error({code::lost_event, core.root->path(),
                       "the event \"" + core.events[number].name + "\" cannot be deferred: the queue of deferred events is full",
                       "raise instance_options::deferred_queue"});
}

template <class Queue> result handle_oldest(machine& m, const chart_core& core, Queue& queue, event_origin origin) {
    return queue.take([&](const queued_entry& entry, const void* payload, auto...) {
        if (entry.is_request()) return make_request(m, core, entry.target, entry.force);
        const auto number = core.column_events[entry.column];
        const auto event = stored_event(core, number, payload);
        trace_event(m, core, origin, number, event);
        const auto outcome = handle_event(m, core, number, event);
        if (outcome == result::taken) m.state |= state_fired;
        if (outcome == result::full) throw_lost(core, number);
        return outcome;
    });
}

/// Handles entries before a position until one leaves work. Returns whether one did. Requires an entry, events_are_programs and the row of the leaf.
template <bool HasObjects, class Queue> HSM_ALWAYS_INLINE inline bool run_entries_of(machine& m, Queue& queue, typename Queue::position until) {
    do {
        queue.template take<HasObjects>([&](const queued_entry& entry, const void* payload, auto...) HSM_ALWAYS_INLINE_LAMBDA {
            const auto* const known = m.row[entry.column];
            if (!known) return;
            m.payload = payload;
            const auto code = run(known, m);
            if constexpr (HasObjects) m.at = in_call(); // the payload's destructor is user code
            if (code == static_cast<std::uintptr_t>(result::taken)) m.state |= state_fired;
        });
        if (m.work != 0) return true;
    } while (!queue.has_reached(until));
    return false;
}

template <class Queue> HSM_NOINLINE bool run_objects(machine& m, Queue& queue, typename Queue::position until) {
    return run_entries_of<true>(m, queue, until);
}
template <class Queue> HSM_ALWAYS_INLINE inline bool run_entries(machine& m, const chart_core& core, Queue& queue, typename Queue::position until) {
    return core.has_event_objects ? run_objects(m, queue, until) : run_entries_of<false>(m, queue, until);
}

/// Handles the entries of a queue before a position, each with everything that follows from it.
template <class Queue> void handle_some(machine& m, const chart_core& core, Queue& queue, typename Queue::position until, event_origin origin) {
    while (!queue.has_reached(until) && !has_ended(m)) {
        if (core.events_are_programs) {
            m.row = core.row_of(m.leaf);
            run_entries(m, core, queue, until);
            m.at = in_call();
        } else {
            handle_oldest(m, core, queue, origin);
        }
        run_to_completion(m, core);
    }
}

} // namespace

result handle_queued(machine& m, const chart_core& core, event_queue& queue) { return handle_oldest(m, core, queue, event_origin::internal); }

arrivals arrived(const machine& m, const chart_core& core) {
    const auto* const queue = posted_queue(m, core);
    auto* const mailbox = mail_of(m, core);
    const auto posted = queue ? queue->end() : nullptr;
    if (!mailbox) return {posted, 0};
    const bool only_reported = core.observed && observation_of(m).by_calls; // otherwise a log lacks the mail that arrives after its last report
    return {posted, mailbox->behind(only_reported ? mailbox->reported() : mailbox->gather())};
}

bool has_arrivals(const machine& m, const chart_core& core) {
    const auto there = arrived(m, core);
    const auto* const mailbox = mail_of(m, core);
    return (there.posted && !posted_queue(m, core)->empty()) || (mailbox && !mailbox->has_reached(there.mailed));
}

namespace {

/// Clears state_posted if the next tick need not look for pulses. Requires that no event is posted, and that there is no mailbox: each tick must look
/// into it.
void clear_posted(machine& m, const chart_core& core) {
    if (!has_pulses(m, core)) m.state = static_cast<std::uint8_t>(m.state & ~state_posted);
}

} // namespace

void handle_posted(machine& m, const chart_core& core, arrivals there) {
    auto* const queues = queues_of(m, core);
    if (there.posted) handle_some(m, core, queues->posted, there.posted, event_origin::posted);
    if (queues && queues->mail) handle_some(m, core, *queues->mail, there.mailed, event_origin::mailbox);
    if (!queues || (!queues->mail && queues->posted.empty())) clear_posted(m, core);
}

namespace {

/// Continues drain_ready as a call, because an event left work.
HSM_NOINLINE result complete_drain(machine& m, const chart_core& core, arrivals there) {
    return exclusively(m, core, call_kind::drain, [&] {
        run_to_completion(m, core);
        handle_posted(m, core, there);
        return fired_or_not(m);
    });
}

HSM_NOINLINE bool run_posted(machine& m, const chart_core& core, event_queue& queue, event_queue::position until) {
    return run_entries(m, core, queue, until);
}

HSM_NOINLINE result drain_mailbox(machine& m, const chart_core& core, queue_head& queues) {
    const arrivals there{queues.posted.end(), queues.mail->behind(queues.mail->gather())};
    bool leaves_work = false;
    m.at = in_call();
    try {
        if (!queues.posted.empty()) leaves_work = run_posted(m, core, queues.posted, there.posted);
        if (!leaves_work && !queues.mail->has_reached(there.mailed)) leaves_work = run_entries(m, core, *queues.mail, there.mailed);
    } catch (...) {
        handling_failed(m);
        throw;
    }
    if (leaves_work) return complete_drain(m, core, there);
    m.at = nullptr;
    return fired_or_not(m);
}

} // namespace

result drain_ready(machine& m, const chart_core& core) {
    reset_fired(m);
    auto* const queues = queues_of(m, core);
    if (!queues) return result::unhandled;
    if (queues->mail) return drain_mailbox(m, core, *queues);
    auto& queue = queues->posted;
    if (queue.empty()) return result::unhandled;
    const auto until = queue.end();
    bool leaves_work;
    m.at = in_call();
    try {
        leaves_work = run_entries(m, core, queue, until);
    } catch (...) {
        handling_failed(m);
        throw;
    }
    if (leaves_work) return complete_drain(m, core, {until, 0});
    m.at = nullptr;
    if (queue.empty()) clear_posted(m, core);
    return fired_or_not(m);
}

} // namespace hsm::detail
