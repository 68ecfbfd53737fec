/// What a user can ask of a running machine, without types. instance_base.hpp says what each of these means and returns.
///
/// Each question has a file: calls.cpp (events and requests), queries.cpp, ticker.cpp, life.cpp, set_state.cpp, take_over.cpp,
/// clock.cpp, conditions.cpp.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hsm {
class mailbox;
struct transition_spec;
} // namespace hsm

namespace hsm::detail {

/// Is that in the memory of its locals? A transition destroys the locals of the states that it exits, and the event may be used after that.
bool is_in_locals(const machine& m, const void* object) noexcept;

/// Is a call to it in progress?
inline bool is_busy(const machine& m) { return m.at && m.at != not_ready() && m.at != displaced(); }

// The slower ends of engine::handle.
void handling_failed(machine& m) noexcept;
result complete_handling(machine& m, result outcome);
result follow_sections(machine& m, std::uintptr_t code);             ///< the same of engine::tick
std::uint32_t find_column(const machine& m, const event_ref& event); ///< 0: nobody waits for it

namespace calls {

// life.cpp
result start(machine& m);
result start(machine& m, const state_key& target);
result stop(machine& m);
result restart(machine& m);
result destroy(machine& m);

// set_state.cpp: without hooks
result reset(machine& m);
result set_state(machine& m, const state_key& target);

// take_over.cpp
result take_over(machine& m, machine& from);

// ticker.cpp; time in nanoseconds
result tick(machine& m, std::int64_t elapsed);
result decide(machine& m);
result update(machine& m, std::int64_t elapsed);

// calls.cpp
result process(machine& m, const event_ref& event); ///< in any situation
/// What comes first in a call; events that it raises come after the one that is handled.
struct opening {
    void (*run)(machine& m, void* self);
    void* self;
};
/// From outside: that, the event (null: none), and what follows from both. busy; inactive.
result process_after(machine& m, opening first, const event_ref* event);
result post(machine& m, const event_ref& event);
result post(machine& m, std::uint32_t column, const event_ref& event); ///< the same, where its column is known
/// Of one that is copied as bytes: it waits where this says, if nothing is out of the ordinary; null, and nothing has changed, otherwise.
void* post_bytes(machine& m, std::uint32_t column) noexcept;
result drain(machine& m);
/// In a hook names are looked up from there outwards; null: from outside.
result change_to(machine& m, const state_key& target, bool force, const state_base* written_in = nullptr);
result change_to(machine& m, const state_base& target, bool force); ///< from outside
result finish(machine& m, const state_key* state);                  ///< null: the leaf
result release(machine& m, const state_key* state);
result can(machine& m, const event_ref& event);
std::string suggestion_for(const machine& m, std::string_view event_name);

// clock.cpp
void pause(machine& m, bool paused);
result scale_time(machine& m, double factor);
double time_scale(const machine& m);
bool time_left(const machine& m, const transition_spec& spec, std::int64_t& left); ///< false: it has no time, or is not waiting

// conditions.cpp
bool get_condition(const machine& m, const condition_key& key);
void set_condition(machine& m, const condition_key& key, condition_change to);
void clear_conditions(machine& m);

// queries.cpp
state_ref current(const machine& m);
state_ref next_leaf(const machine& m, state_ref last); ///< behind that one; empty: none is
/// The root's context is there from now on.
result rebind(machine& m, void* root_context);
bool is_in(const machine& m, const state_key& key, const state_base* written_in = nullptr);
bool is_in(const machine& m, const state_base& state);
std::int64_t time_in_state(const machine& m, const state_key& key);
std::int64_t time_in_state(const machine& m, const state_base& state);
std::size_t queued(const machine& m);
std::uint64_t lost(const machine& m);
hsm::mailbox* mailbox(const machine& m); ///< null if it has none
std::string root_path(const machine& m); ///< for messages
bool only_looks(const machine& m);       ///< does a guard or predicate run? Then nothing may be changed
void* local(const machine& m, const state_base* from, const local_type& type);
void* root_context(const machine& m);

} // namespace calls

} // namespace hsm::detail
