// The calls for events and requests.

#include <hsm/run/detail/calls.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/handle_event.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/query_scope.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/holding.hpp>

namespace hsm::detail {

std::uint32_t find_column(const machine& m, const event_ref& event) { return core_of(m).find_column(event); }

bool is_in_locals(const machine& m, const void* object) noexcept {
    const auto& core = core_of(m);
    const auto* const locals = m.block + core.layout.locals;
    return core.block_size > 0 && reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(locals) < core.block_size;
}

namespace {

/// Completes work that exceptions, finish() from outside and holding states left for later. Returns false if the machine is finished then.
bool finish_remaining_work(machine& m, const chart_core& core) {
    run_to_completion(m, core);
    try_pending(m, core);
    return !has_ended(m);
}

HSM_NOINLINE result report_full(machine& m, const chart_core& core, std::uint32_t column) {
    trace_dropped(m, core, drop_reason::full, core.column_events[column]);
    return result::full;
}

/// Returns queued, or why the internal queue does not accept the event. Allocates the queues only for an event that a transition handles.
result takes_internal(machine& m, const chart_core& core, std::uint32_t column) {
    if (core.column_events[column] == no_index) return result::unhandled;
    const auto* const queues = require_queues(m, core);
    return queues && !queues->internal.full() ? result::queued : report_full(m, core, column);
}

/// Returns the posted queue if it can take the event; otherwise null.
event_queue* room_for_posted(machine& m, const chart_core& core, std::uint32_t column) {
    if (m.at && (calls::is_locked(m) || is_inactive(m, core))) return nullptr;
    if (core.column_events[column] == no_index) return nullptr;
    auto* const queues = require_queues(m, core);
    return queues && !queues->posted.full() ? &queues->posted : nullptr;
}

/// Returns why an event is not posted. Counts and reports a lost event.
result refuse_posted(machine& m, const chart_core& core, std::uint32_t column) {
    if (m.at && calls::is_locked(m)) return result::busy;
    if (m.at && is_inactive(m, core)) return result::inactive;
    if (core.column_events[column] == no_index) return result::unhandled;
    if (const auto* const queues = queues_of(m, core)) atomic_view(*queues->lost_at).fetch_add<order::relaxed>(1);
    return report_full(m, core, column);
}

/// Returns the leaf, or the state that the key names, if it is active; otherwise no_index.
index active_state(const machine& m, const chart_core& core, const state_key* key) {
    const auto innermost = where(m, core);
    const auto s = key ? require_state(core, *key) : innermost;
    return is_active_now(m, core, s) ? s : no_index;
}

} // namespace

result calls::process(machine& m, const event_ref& event) {
    const auto& core = core_of(m);
    if (!is_busy(m)) assert_lives(m, event);
    if (!m.at && !(core.stores_events && event.construct)) {
        const auto* const known = m.row[find_column(m, event)];
        return known ? static_cast<engine&>(m).handle(known, event.object) : result::unhandled;
    }
    if (is_locked(m)) return result::busy;
    if (is_inactive(m, core)) return result::inactive;
    if (is_busy(m)) {
        const auto column = core.find_column(event);
        const auto outcome = takes_internal(m, core, column);
        if (outcome != result::queued) return outcome;
        if (!event.construct && !event.type->store) return report_full(m, core, column);
        queues_of(m, core)->internal.push(core.storable_event(event, core.column_events[column]), column);
        m.work |= work_internal;
        return outcome;
    }
    notify_input(m, core, {.kind = input_kind::process, .event = &event});
    return exclusively(m, core, call_kind::process, [&] {
        if (!finish_remaining_work(m, core)) return result::inactive;
        const auto number = core.find_event(event);
        trace_event(m, core, event_origin::call, number, event);
        const auto outcome = handle_event(m, core, number, event);
        run_to_completion(m, core);
        return outcome;
    });
}

result calls::process_after(machine& m, opening first, const event_ref* event) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    if (is_inactive(m, core)) return result::inactive;
    if (event) assert_lives(m, *event);
    if (event) notify_input(m, core, {.kind = input_kind::process, .event = event});
    return exclusively(m, core, call_kind::process, [&] {
        if (!finish_remaining_work(m, core)) return result::inactive;
        first.run(m, first.self);
        auto outcome = result::unhandled;
        if (event) {
            const auto number = core.find_event(*event);
            trace_event(m, core, event_origin::call, number, *event);
            outcome = handle_event(m, core, number, *event);
        }
        run_to_completion(m, core);
        return outcome;
    });
}

result calls::post(machine& m, const event_ref& event) {
    const auto& core = core_of(m);
    const auto column = core.find_column(event);
    if (!core.has_event_names) return post(m, column, event);
    return post(m, column, core.storable_event(event, core.column_events[column]));
}

result calls::post(machine& m, std::uint32_t column, const event_ref& event) {
    const auto& core = core_of(m);
    auto* const queue = room_for_posted(m, core, column);
    auto posted = event;
    if (queue && event.construct) posted.object = queue->construct(event); // before it is reported, because it can throw
    if (m.at) notify_input(m, core, {.kind = input_kind::post, .event = &posted});
    if (!queue) {
        const auto outcome = refuse_posted(m, core, column);
        rethrow_thrown(m);
        return outcome;
    }
    queue->push_entry(event_queue::entry::of_event(column, event));
    m.state |= state_posted;
    return result::queued;
}

void* calls::post_bytes(machine& m, std::size_t column) noexcept {
    if (m.at || !(m.state & state_queues)) [[unlikely]]
        return nullptr;
    const auto& core = core_of(m);
    auto* const queues = queues_at(m, core);
    if (!queues || core.column_events[column] == no_index) [[unlikely]]
        return nullptr;
    auto* const slot = queues->posted.push_bytes(static_cast<std::uint32_t>(column));
    if (slot) [[likely]]
        m.state |= state_posted;
    return slot;
}

namespace {

HSM_NOINLINE result drain_in_call(machine& m, const chart_core& core) {
    const bool ready = !m.at;
    if (!ready && is_busy(m)) return result::busy;
    if (!ready && is_inactive(m, core)) return result::inactive;
    if (!ready) {
        notify_mail(m, core);
        notify_input(m, core, {.kind = input_kind::drain});
    }
    return exclusively(m, core, call_kind::drain, [&] {
        reset_fired(m);
        const auto there = arrived(m, core);
        if (!ready) finish_remaining_work(m, core);
        handle_posted(m, core, there);
        return fired_or_not(m);
    });
}

} // namespace

result calls::drain(machine& m) {
    const auto& core = core_of(m);
    return !m.at && core.events_are_programs ? drain_ready(m, core) : drain_in_call(m, core);
}

result calls::change_to(machine& m, const state_key& key, bool force, const state_base* written_in) {
    const auto& core = core_of(m);
    if (is_locked(m)) return result::busy;
    if (is_inactive(m, core)) return result::inactive;
    const auto target = require_state(core, key, written_in);
    if (is_busy(m)) {
        auto* const queues = require_queues(m, core);
        if (!queues || queues->internal.full()) {
            trace_dropped(m, core, drop_reason::full, no_index);
            return result::full;
        }
        queues->internal.push_request(target, force);
        m.work |= work_internal;
        return result::queued;
    }
    notify_input(m, core, {.kind = force ? input_kind::force_to : input_kind::change_to, .state = target});
    return exclusively(m, core, force ? call_kind::force_to : call_kind::change_to, [&] {
        if (!finish_remaining_work(m, core)) return result::inactive;
        const auto outcome = make_request(m, core, target, force);
        run_to_completion(m, core);
        return outcome;
    });
}

result calls::change_to(machine& m, const state_base& state, bool force) {
    const auto& core = core_of(m);
    const auto target = core.index_of(state);
    if (m.at || target == no_index) return change_to(m, state_key(state), force);
    return exclusively(m, core, force ? call_kind::force_to : call_kind::change_to, [&] { // a ready machine has no remaining work
        const auto outcome = make_request(m, core, target, force);
        run_to_completion(m, core);
        return outcome;
    });
}

result calls::release(machine& m, const state_key* key) {
    const auto& core = core_of(m);
    if (is_locked(m)) return result::busy;
    if (is_inactive(m, core) || where(m, core) == no_index) return result::inactive;
    const auto s = active_state(m, core, key);
    if (s == no_index) return result::unhandled;
    notify_input(m, core, {.kind = input_kind::release, .state = s});
    release_state(m, core, s);
    rethrow_thrown(m);
    return result::queued;
}

result calls::finish(machine& m, const state_key* key) {
    const auto& core = core_of(m);
    if (is_locked(m)) return result::busy;
    if (where(m, core) == no_index || (m.work & work_over)) return result::inactive;
    const auto s = active_state(m, core, key);
    if (s == no_index) return result::unhandled;
    notify_input(m, core, {.kind = input_kind::finish, .state = s});
    mark_over(m, core, s);
    if (!is_busy(m)) end_call(m, core);
    rethrow_thrown(m);
    return result::queued;
}

result calls::can(machine& m, const event_ref& event) {
    const auto& core = core_of(m);
    if (where(m, core) == no_index || (m.work & work_over)) return result::inactive;
    const auto number = core.find_event(event);
    if (number == no_index && core.on_any_event.empty()) return result::unhandled;
    const query_scope query(m, core);
    m.payload = event.object;
    return preview(m, core, number);
}

} // namespace hsm::detail
