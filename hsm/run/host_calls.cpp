// The calls of hooks to their machine.

#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/handle_event.hpp>
#include <hsm/run/detail/raise.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/holding.hpp>

namespace hsm::detail {

namespace {

/// Handles an event that no single program can handle, by selecting the transitions of all regions.
result handle_event_by_selection(machine& m, std::uint32_t column) {
    const auto& core = core_of(m);
    const auto number = core.column_events[column];
    const auto event = core.event_at(number, m.payload);
    m.at = in_call();
    const auto outcome = handle_event(m, core, number, event);
    m.row = core.driven ? row_of_regions(m, core) : core.row_of(m.leaf);
    m.unchanged_depth = no_index; // the changes are recorded already
    m.at = nullptr;
    return outcome;
}

} // namespace

const host_calls host_calls::of_machines = {
    &calls::process,
    &calls::post,
    [](machine& m, const state_key& target, bool force) { return calls::change_to(m, target, force, &place_of_hook(m)); },
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
    [](const machine& m, const state_key& s) { return calls::is_in(m, s, &place_of_hook(m)); },
    [](const machine& m, const state_base& s) { return calls::is_in(m, s); },
    [](const machine& m, std::uint32_t number) { return holds(m, core_of(m), number); },
    &calls::get_condition,
    &calls::set_condition,
    &detail::raise_done,
    &detail::raise_guard_error,
    &handle_event_by_selection,
};

} // namespace hsm::detail
