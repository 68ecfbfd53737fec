/// The part of a chart that inline code reads, and the functions that hooks can call.
#pragma once

#include <hsm/op/detail/op.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hsm {

class event_data;
class state_base;
class state_ref;
struct condition_key;
struct event_ref;
struct event_type;
struct held_transition;
struct state_key;
struct state_query;
struct timer_key;
enum class condition_change : std::uint8_t;
enum class timer_change : std::uint8_t;

namespace detail {

struct local_type;
struct machine;

/// The functions that a hook can call through its step.
struct host_calls {
    result (*process)(machine& m, const event_ref& event);
    result (*post)(machine& m, const event_ref& event);
    result (*change_to)(machine& m, const state_key& target, bool force);
    result (*stop)(machine& m);
    void (*finish)(machine& m, const state_base& s);
    void (*release)(machine& m, const state_base& s);
    state_ref (*current)(const machine& m);
    std::int64_t (*time_in_state)(const machine& m, const state_base& s);
    /// Returns the nearest local of that type from `from` outwards; null if no active state there has one.
    void* (*local)(machine& m, const state_base* from, const local_type& type);
    bool (*is_in)(const machine& m, const state_query& s);
    bool (*is_in_state)(const machine& m, const state_base& s);
    bool (*condition)(const machine& m, std::uint32_t number);
    bool (*get_condition)(const machine& m, const condition_key& c);
    void (*set_condition)(machine& m, const condition_key& c, condition_change to);
    void (*trigger)(machine& m, const condition_key& c);
    bool (*time_left)(const machine& m, const timer_key& t, std::int64_t& left);
    result (*set_timer)(machine& m, const timer_key& t, timer_change to, std::int64_t left);

    std::vector<held_transition> (*pending)(const machine& m);

    // These functions raise an event of the machine in its internal queue. They throw queue_error if there is no room.
    /// Call it while a final state is entered.
    void (*raise_done)(machine& m, const event_data& data);
    /// Call it in the handler of an exception that a guard threw.
    void (*raise_guard_error)(machine& m);

    /// Handles an event that a program cannot handle alone, because it is for several regions or may have to be stored. Its payload is in the
    /// machine.
    result (*handle_by_selection)(machine& m, std::uint32_t column);

    static const host_calls of_machines; ///< for instances and agents, in the module that compiled the chart (hsm/run/host_calls.cpp)
};

/// The columns of one event type in a row. Column 0 is always empty.
struct event_column {
    const event_type* type = nullptr; ///< null: no type
    std::int64_t first_value = 0;     ///< of an enumeration
    std::uint64_t count = 0;          ///< the number of values from there on
    std::uint32_t first = 0;          ///< the column of the first value
    bool listed = false;              ///< its values are found by search
    std::uint16_t first_event = 0;    ///< of a chart's events; those of one type are consecutive and ascending
};

/// The part of a chart that hooks and inline code of instances read. chart_core derives from it.
struct chart_head {
    const host_calls* host = &host_calls::of_machines;
    const event_type* main_type = nullptr; ///< an enumeration whose values have the columns 1 to main_count; most charts have one
    std::uint64_t main_count = 0;
    const event_column* columns = nullptr; ///< by the id of the event's type, within the mask
    const void* module = nullptr;          ///< the module of all types of its events; null if there are several
    std::uint32_t column_mask = 0;
    std::uint32_t quick_conditions = 0; ///< the conditions in front of a block: one more than the last number; at most 64
    const op* const* ticks = nullptr;   ///< by the leaf: the program of its tick
    bool has_holds = false;             ///< some state can hold, so an event may have to wait
    bool stores_events = false;         ///< because a state can hold, or defers it
    bool has_hook_context = false;      ///< some hook takes the step, a local or the elapsed time
};

} // namespace detail

} // namespace hsm
