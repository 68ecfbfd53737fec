// The calls of hooks to their machine.

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/handle_event.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <exception>
#include <string>
#include <utility>

namespace hsm::detail {

namespace {

/// Raises an event in the machine's own internal queue. Throws queue_error if there is no room.
void raise(machine& m, const chart_core& core, std::uint16_t number, std::string_view name, event_data data) {
    const refer_name named(name, std::move(data));
    const event_ref& event = named;
    auto* const queues = require_queues(m, core);
    if (!queues || queues->internal.full()) {
        trace_dropped(m, core, drop_reason::full, number);
        throw queue_error({code::lost_event, core.root->path(),
                           "the event \"" + std::string(name) + "\" cannot be raised: the internal queue is full",
                           "raise instance_options::internal_queue"});
    }
    queues->internal.push(core.storable_event(event, number), core.event_columns[number]);
    m.work |= work_internal;
}

void raise_done_of(machine& m, const chart_core& core, index s, event_data data) {
    const auto& row = core.states[s];
    if (row.done != no_index) raise(m, core, row.done, "done.state." + std::string(row.node->done_id()), std::move(data));
}

std::string what_was_thrown() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "not a std::exception";
    }
}

/// Raises the done event of the machine whose final substate's enter runs, and that of the parallel around it if all its regions are final.
void raise_done(machine& m, const event_data& data) {
    const auto& core = core_of(m);
    const auto machine_over = core.states[current_hook_site(m, core)->state].superstate;
    raise_done_of(m, core, machine_over, data);
    const auto around = core.states[machine_over].superstate;
    if (around != no_index && core.states[around].kind == state_kind::parallel && is_in_final_now(m, core, around))
        raise_done_of(m, core, around, {});
}

/// Raises chart_core::guard_error. Requires that a guard's exception is being handled. Does nothing if a query evaluated the guard.
void raise_guard_error(machine& m) {
    const auto& core = core_of(m);
    if (is_in_query(m, core)) return;
    trace_exception(m, core);
    if (core.guard_error == no_index) return;
    raise(m, core, core.guard_error, core.options.guard_error, event_data(what_was_thrown()));
}

/// Handles an event that no single program can handle, by selecting the transitions of all regions.
result handle_event_by_selection(machine& m, std::uint32_t column) {
    const auto& core = core_of(m);
    const auto number = core.column_events[column];
    const auto event = core.event_at(number, m.payload);
    m.at = in_call();
    const auto outcome = handle_event(m, core, number, event);
    m.row = core.by_regions ? core.dispatch_row.data() : core.row_of(m.leaf);
    m.unchanged_depth = no_index; // the changes are recorded already
    m.at = nullptr;
    return outcome;
}

} // namespace

const host_calls host_calls::of_machines = {
    &calls::process,
    &calls::post,
    [](machine& m, const state_key& target, bool force) { return calls::change_to(m, target, force, &state_of_hook(m)); },
    &calls::stop,
    [](machine& m, const state_base& s) {
        const auto& core = core_of(m);
        if (const auto marked = core.index_of(s); is_active_now(m, core, marked)) mark_over(m, core, marked);
    },
    [](machine& m, const state_base& s) {
        const auto& core = core_of(m);
        if (const auto released = core.index_of(s); is_active_now(m, core, released)) release_state(m, core, released);
    },
    &calls::current,
    [](const machine& m, const state_base& s) { return calls::time_in_state(m, s); },
    [](machine& m, const state_base* from, const local_type& type) { return calls::local(m, from, type); },
    [](const machine& m, const state_query& s) { return calls::is_in(m, s, &state_of_hook(m)); },
    [](const machine& m, const state_base& s) { return calls::is_in(m, s); },
    [](const machine& m, std::uint32_t number) { return holds(m, core_of(m), number); },
    &calls::get_condition,
    &calls::set_condition,
    &calls::trigger,
    &calls::time_left,
    &calls::set_timer,
    &calls::pending,
    &detail::raise_done,
    &detail::raise_guard_error,
    &handle_event_by_selection,
};

} // namespace hsm::detail
