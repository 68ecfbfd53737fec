/// The part of a chart that hooks and the inlined parts of an instance see, and what hooks may ask of whatever runs them.
#pragma once

#include <hsm/op/detail/op.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {

class event_data;
class state_base;
class state_ref;
struct condition_key;
struct event_ref;
struct event_type;
struct state_key;
enum class condition_change : std::uint8_t;

namespace detail {

struct local_type;
struct machine;

/// What hooks may ask of whatever runs them.
struct host_calls {
    result (*process)(machine& m, const event_ref& event);
    result (*post)(machine& m, const event_ref& event);
    result (*change_to)(machine& m, const state_key& target, bool force);
    result (*stop)(machine& m);
    void (*finish)(machine& m, const state_base& s);
    void (*release)(machine& m, const state_base& s);
    state_ref (*current)(const machine& m);
    std::int64_t (*time_in_state)(const machine& m, const state_base& s);
    /// The nearest local of that type from `from` outwards; null if no active state there has one.
    void* (*local)(machine& m, const state_base* from, const local_type& type);
    bool (*is_in)(const machine& m, const state_key& s);
    bool (*is_in_state)(const machine& m, const state_base& s);
    bool (*condition)(const machine& m, std::uint32_t number);
    bool (*get_condition)(const machine& m, const condition_key& c);
    void (*set_condition)(machine& m, const condition_key& c, condition_change to);

    // Events of the machine's own, for its internal queue. They throw queue_error if there is no room.
    /// A final state is being entered.
    void (*raise_done)(machine& m, const event_data& data);
    /// A guard has thrown: in its handler.
    void (*raise_guard_error)(machine& m);

    /// A program hands an event over, whose payload is in the machine: it is for several regions, or must perhaps be kept.
    result (*handle_by_selection)(machine& m, std::uint32_t column);

    static const host_calls of_machines; ///< of instances and agents: of the module that the chart is compiled in (hsm/run/host_calls.cpp)
};

/// Where in a row the events of one type stand. Column 0 is every row's empty one.
struct event_column {
    const event_type* type = nullptr; ///< null: of none
    std::int64_t first_value = 0;     ///< of an enumeration
    std::uint64_t count = 0;          ///< of its values from there on
    std::uint32_t first = 0;          ///< the column of the first value
    bool listed = false;              ///< its values are looked up one by one
    std::uint16_t first_event = 0;    ///< of a chart's events; those of one type stand together, in ascending order
};

/// The part of a chart that hooks and the inlined parts of an instance see; the rest of it derives from this.
struct chart_head {
    const host_calls* host = &host_calls::of_machines;
    const event_type* main_type = nullptr; ///< an enumeration whose values are columns 1 .. main_count; most charts have one
    std::uint64_t main_count = 0;
    const event_column* columns = nullptr; ///< by the id of the event's type, as far as the mask goes
    const void* module = nullptr;          ///< that all types of its events are of; null if they are of several
    std::uint32_t column_mask = 0;
    std::uint32_t quick_conditions = 0; ///< those that stand in front of a block: one behind the last number; at most 64
    const op* const* ticks = nullptr;   ///< by the leaf: all of its tick
    bool has_holds = false;             ///< some state may hold, so that an event may have to wait
    bool stores_events = false;         ///< because of that, or because a state defers it
    bool has_hook_context = false;      ///< some hook asks for the step, a local, the elapsed time
};

} // namespace detail

} // namespace hsm
