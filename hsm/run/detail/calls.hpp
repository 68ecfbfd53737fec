/// The calls of an instance, without templates. instance_base.hpp documents what they do and return.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hsm {
class mailbox;
} // namespace hsm

namespace hsm::detail {

/// Returns whether the object is in the memory of the machine's locals. A transition destroys locals, so an event must not be there.
bool is_in_locals(const machine& m, const void* object) noexcept;

/// Returns whether a call to the machine is in progress.
inline bool is_busy(const machine& m) { return m.at && m.at != not_ready() && m.at != displaced(); }

// The slow paths of engine::handle and engine::tick.
void handling_failed(machine& m) noexcept;
result complete_handling(machine& m, result outcome);
result follow_sections(machine& m, std::uintptr_t code);
std::uint32_t find_column(const machine& m, const event_ref& event); ///< 0: no transition of the chart handles it

namespace calls {

// life.cpp
result start(machine& m);
result start(machine& m, const state_key& target);
result stop(machine& m);
result restart(machine& m);
result destroy(machine& m);

// set_state.cpp, no hooks
result reset(machine& m);
result set_state(machine& m, const state_key& target);

// take_over.cpp
result take_over(machine& m, machine& from);
result set_stream(machine& m, std::uint64_t stream);

// ticker.cpp; time in nanoseconds
result tick(machine& m, std::int64_t elapsed);
result decide(machine& m);
result update(machine& m, std::int64_t elapsed);

// calls.cpp
result process(machine& m, const event_ref& event); ///< also in a hook
/// A callback that runs before the event of a call is handled; events that it raises are handled after that event.
struct opening {
    void (*run)(machine& m, void* self);
    void* self;
};
/// Runs `first`, handles the event (null: none), then everything that follows from both. Returns busy in a hook; inactive if the machine is not
/// active.
result process_after(machine& m, opening first, const event_ref* event);
result post(machine& m, const event_ref& event);
result post(machine& m, std::uint32_t column, const event_ref& event); ///< for a known column
/// Queues an event that is copied as bytes and returns where to copy it. Returns null, with nothing changed, if the caller must call post instead.
void* post_bytes(machine& m, std::size_t column) noexcept;
result drain(machine& m);
/// Names are looked up from the state `written_in` outwards; null: from outside the chart.
result change_to(machine& m, const state_key& target, bool force, const state_base* written_in = nullptr);
result change_to(machine& m, const state_base& target, bool force); ///< only outside a hook
result finish(machine& m, const state_key* state);                  ///< null: the leaf
result release(machine& m, const state_key* state);
result can(machine& m, const event_ref& event);
std::string suggestion_for(const machine& m, std::string_view event_name);

// clock.cpp
void pause(machine& m, bool paused);
result scale_time(machine& m, double factor);
double time_scale(const machine& m);
bool time_left(const machine& m, const timer_key& key, std::int64_t& left); ///< false: no timer whose source is active counts
result set_timer(machine& m, const timer_key& key, timer_change to, std::int64_t left);

// conditions.cpp
bool get_condition(const machine& m, const condition_key& key);
void set_condition(machine& m, const condition_key& key, condition_change to);
void trigger(machine& m, const condition_key& key);
void clear_conditions(machine& m);

// queries.cpp
state_ref current(const machine& m);
state_ref next_leaf(const machine& m, state_ref last); ///< the leaf after `last`; empty: there is none
/// Replaces the root's context pointer.
result rebind(machine& m, void* root_context);
bool is_in(const machine& m, const state_query& asked, const state_base* written_in = nullptr);
bool has_tag(const machine& m, std::size_t number); ///< whether an active state has it
bool is_in(const machine& m, const state_base& state);
std::int64_t time_in_state(const machine& m, const state_key& key);
std::int64_t time_in_state(const machine& m, const state_base& state);
std::vector<held_transition> pending(const machine& m);
std::size_t queued(const machine& m);
std::uint64_t lost(const machine& m);
hsm::mailbox* mailbox(const machine& m); ///< null if it has none
std::string root_path(const machine& m); ///< for messages
bool is_locked(const machine& m);        ///< returns whether a guard, predicate or observer runs; then no call may change the machine
void* local(const machine& m, const state_base* from, const local_type& type);
void* root_context(const machine& m);

} // namespace calls

} // namespace hsm::detail
