/// A running machine as its ops see it: the head of an instance, 64 bytes. Everything else is in its block.
#pragma once

#include <hsm/op/detail/chart_head.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

struct hook_context;

/// Bits of machine::work: what keeps the next event from going straight to its program.
enum work_bit : std::uint8_t {
    work_stop = 1,       ///< stop() was called in a hook
    work_transient = 2,  ///< a transient state was entered
    work_completion = 4, ///< a state with on_finished transitions, or the root, was marked as over
    work_internal = 8,   ///< the internal queue is not empty
    work_fired = 16,     ///< a transition has fired, and what is tried after every transition has not been tried yet
    work_pending = 32,   ///< an event or request waits for a state that holds
    work_waiting = 64,   ///< in this tick a polled transition waits for a state that holds
    work_over = 128,     ///< the root was marked as over: nothing is left to do but to stop
    /// What a run to completion takes up.
    work_to_complete = work_stop | work_transient | work_completion | work_internal | work_fired,
};

/// Bits of machine::state.
enum state_bit : std::uint8_t {
    state_posted = 1,  ///< the posted queue is not empty, or there is a mailbox, or pulses
    state_watched = 2, ///< the first word of conditions is watched for the leaf; true only while shallowest_change says that nothing has changed
    state_queues = 4,  ///< the block has queues
    state_owner = 8,   ///< the block was allocated
    state_fired = 16,  ///< a transition has fired in the tick in progress
    state_paused = 32, ///< the clock stands still
    state_scaled = 64, ///< the clock runs faster or slower than the time that it is given
    state_ready = 128, ///< on_init has run
};

/// What machine::at points to when no hook runs, and yet the next event may not go straight to its program: there is none (not
/// started, over, something left to be done), or a call is in progress.
/// None of these is an address: modules with a copy of this library each have objects of their own.
inline const op* not_ready() { return reinterpret_cast<const op*>(std::uintptr_t(1)); }
inline const op* in_call() { return reinterpret_cast<const op*>(std::uintptr_t(2)); }
/// As not_ready, after a move that seems to have left the context behind. Any call but rebind is then a mistake of the user's; see memory.cpp.
inline const op* displaced() { return reinterpret_cast<const op*>(std::uintptr_t(3)); }

struct machine {
    const op* const* row = nullptr; ///< of the leaf: a program per column of events
    const chart_head* chart = nullptr;
    void* context = nullptr;    ///< of the machine whose hook runs
    const op* at = not_ready(); ///< the hook that runs; null: none does, and the next event may come
    union {
        const void* payload = nullptr; ///< of the event that is being handled
        const op* section; ///< of the tick that is being made: behind the section op that was begun last; null: a section is run by itself
    };
    std::byte* block = nullptr;               ///< the rest of its memory; it begins with a pointer to its hook context, if there is one
    std::int64_t now = 0;                     ///< nanoseconds that have passed for this instance
    std::uint16_t leaf = 0xffff;              ///< the innermost active state
    std::uint16_t unchanged_depth = 0xffff;   ///< how many of the outermost states the last transition of a program has left as they were
    std::uint16_t shallowest_change = 0xffff; ///< the least depth of a state left or entered since a tick has noted entry times; 0xffff: none
    std::uint8_t work = 0;                    ///< bits: what is to be done after the program that runs
    std::uint8_t state = 0;                   ///< bits

    detail::hook_context& hook_context() const { return **reinterpret_cast<detail::hook_context**>(block); }
};

} // namespace hsm::detail
