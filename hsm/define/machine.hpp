/// A running machine as its ops see it: the head of an instance, 64 bytes. Everything else is in its block.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/local.hpp>
#include <hsm/define/op.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {

struct machine;
struct transition_spec;

/// Why the transition in progress happens.
struct cause {
    hsm::reason reason = hsm::reason::none;
    const event_ref* event = nullptr;     ///< null unless an event is being handled; without its object
    const state_base* source = nullptr;   ///< null for start and stop
    const state_base* target = nullptr;   ///< null for internal reactions
    const state_base* previous = nullptr; ///< the leaf before the transition
    const transition_spec* transition = nullptr; ///< none for start, stop and requests
};

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
    bool (*condition)(const machine& m, std::uint32_t number);
    bool (*get_condition)(const machine& m, const condition_key& c);
    void (*set_condition)(machine& m, const condition_key& c, condition_change to);

    static const host_calls engine; ///< of instances and agents: of the module that the chart is compiled in (hsm/run/engine_life.cpp)
};

/// Where in a row the events of one type stand. Column 0 is every row's empty one.
struct event_column {
    const event_type* type = nullptr; ///< null: of none
    std::int64_t first_value = 0; ///< of an enumeration
    std::uint64_t count = 0;      ///< of its values from there on
    std::uint32_t first = 0;      ///< the column of the first value
    bool listed = false;          ///< its values are looked up one by one
};

/// The part of a chart that hooks and the inlined parts of an instance see; the rest of it derives from this.
struct chart_head {
    const host_calls* host = &host_calls::engine;
    const event_type* main_type = nullptr; ///< an enumeration whose values are columns 1 .. main_count; most charts have one
    std::uint64_t main_count = 0;
    const event_column* columns = nullptr; ///< by the id of the event's type, as far as the mask goes
    const void* module = &detail::this_module; ///< that all types of its events are of; null if they are of several
    std::uint32_t column_mask = 0;
    const op* const* ticks = nullptr; ///< by the leaf: all of its tick
    bool has_holds = false;  ///< some state may hold, so that an event may have to wait
    bool keeps_events = false; ///< because of that, or because a state defers it
    bool has_moment = false; ///< some hook asks for the step, a local, the elapsed time
};

/// What is known while a hook runs, kept only for charts with hooks that ask for it.
struct moment {
    hsm::cause cause;
    const state_base* state = nullptr; ///< whose hook runs, and where locals are looked up from; null: above the root
    std::int64_t elapsed = 0;          ///< nanoseconds; zero outside updates
    std::int64_t tick_elapsed = 0;     ///< of the tick or update in progress
    successor next;                    ///< what an update returned
    const state_base* arrived = nullptr; ///< for on_change: the leaf after the transition
    std::int64_t delay = 0;            ///< what a delay's function returned, in nanoseconds
    reason entered = reason::none;     ///< entry or history: what enters the state, if not the transition itself
    void* root_context = nullptr;
    std::uint16_t level = 0xffff;      ///< of the transition in progress
    bool retry = false;                ///< a machine at rest makes its entry choice anew
};

/// Bits of machine::work.
enum work_bit : std::uint8_t {
    work_stop = 1,       ///< stop() was called in a hook
    work_transient = 2,  ///< a transient state was entered
    work_completion = 4, ///< a state with on_finished transitions, or the root, was marked as over
    work_internal = 8,   ///< the internal queue is not empty
    work_always = 16,    ///< a transition has fired, and what is tried after every transition has not been tried yet
    work_pending = 32,   ///< an event or request waits for a state that holds
    work_waiting = 64,   ///< in this tick a polled transition waits for a state that holds
    work_by_section = 128, ///< a section of a tick is run by itself
    work_to_settle = work_stop | work_transient | work_completion | work_internal | work_always,
};

/// Bits of machine::state.
enum state_bit : std::uint8_t {
    state_posted = 1,   ///< the posted queue is not empty, or there is a mailbox, or pulses
    state_over = 2,     ///< the root was marked as over
    state_queues = 4,   ///< the block has queues
    state_owner = 8,    ///< the block was allocated
    state_fired = 16,   ///< a transition has fired in the tick in progress
    state_paused = 32,  ///< the clock stands still
    state_scaled = 64,  ///< the clock runs faster or slower than the time that it is given
    state_ready = 128,  ///< on_init has run
};

/// What machine::at points to when there is no hook, and yet the next event may not go straight to its program:
/// nothing is going on, but there is none (not started, over, something left to settle), or a call is in progress.
/// Neither is an address: modules with a copy of this library each have objects of their own.
inline const op* at_rest() { return reinterpret_cast<const op*>(std::uintptr_t(1)); }
inline const op* at_work() { return reinterpret_cast<const op*>(std::uintptr_t(2)); }

struct machine {
    const op* const* row = nullptr; ///< of the leaf: a program per column of events
    const chart_head* chart = nullptr;
    void* context = nullptr;       ///< of the machine whose hook runs
    const op* at = at_rest();      ///< the hook that runs; null: none does, and the next event may come
    const void* payload = nullptr; ///< of the event being handled
    std::byte* block = nullptr;    ///< the rest of its memory; it begins with a pointer to its `moment`, if there is one
    std::int64_t now = 0;          ///< nanoseconds that have passed for this instance
    std::uint16_t leaf = 0xffff;   ///< the innermost active state
    std::uint16_t stayed = 0xffff; ///< how many of the outermost states stayed in the last transition
    std::uint16_t kept = 0xffff;   ///< the least of these since it was reset
    std::uint8_t work = 0;  ///< bits: what is to be settled after the program that runs
    std::uint8_t state = 0; ///< bits

    hsm::moment& moment() const { return **reinterpret_cast<hsm::moment**>(block); }
};

} // namespace hsm
