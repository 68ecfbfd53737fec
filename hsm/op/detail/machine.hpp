/// A running machine as its ops use it: the head of an instance, 64 bytes. All other data is in its block.
#pragma once

#include <hsm/op/detail/chart_head.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

struct hook_context;

/// Bits of machine::work: reasons why the next event cannot use its program directly.
enum work_bit : std::uint8_t {
    work_stop = 1,       ///< stop() was called in a hook
    work_transient = 2,  ///< a transient state was entered
    work_completion = 4, ///< a state with on_finished transitions, or the root, was marked as finished
    work_internal = 8,   ///< the internal queue is not empty
    work_fired = 16,     ///< a transition fired, and transitions that are tried after every other have not been tried yet
    work_pending = 32,   ///< an event or request waits for a state that holds
    work_waiting = 64,   ///< in this tick a polled transition waits for a state that holds
    work_over = 128,     ///< the root was marked as finished: the machine must stop
    /// The bits that a run to completion handles.
    work_to_complete = work_stop | work_transient | work_completion | work_internal | work_fired,
};

/// Bits of machine::state.
enum state_bit : std::uint8_t {
    state_posted = 1,  ///< the posted queue is not empty, or there is a mailbox, or pulses
    state_watched = 2, ///< the first word of conditions is watched for the leaf; valid only while shallowest_change reports no change
    state_queues = 4,  ///< the block has queues
    state_owner = 8,   ///< the block was allocated
    state_fired = 16,  ///< a transition fired in the current tick
    state_paused = 32, ///< the clock is paused
    state_scaled = 64, ///< the clock is faster or slower than the elapsed time of calls
    state_ready = 128, ///< on_init has run
};

/// Values of machine::at while no hook runs but the next event cannot use its program directly: not ready (not started, finished, or work remains),
/// or in a call.
/// They are not addresses of objects, because modules with a copy of this library each have their own objects.
inline const op* not_ready() { return reinterpret_cast<const op*>(std::uintptr_t(1)); }
inline const op* in_call() { return reinterpret_cast<const op*>(std::uintptr_t(2)); }
/// Like not_ready, after a move that probably left the context behind. Any call except rebind is then an error of the user; see memory.cpp.
inline const op* displaced() { return reinterpret_cast<const op*>(std::uintptr_t(3)); }

struct machine {
    const op* const* row = nullptr; ///< of the leaf: a program per column of events
    const chart_head* chart = nullptr;
    void* context = nullptr;    ///< of the machine whose hook runs
    const op* at = not_ready(); ///< the op of the hook that runs; null: none, and the next event can be handled
    union {
        const void* payload = nullptr; ///< of the current event
        const op* section;             ///< of the current tick: the op after the latest section op; null: a single section is run
    };
    std::byte* block = nullptr;               ///< the rest of its memory; it begins with a pointer to the hook context, if there is one
    std::int64_t now = 0;                     ///< the instance's clock, in nanoseconds
    std::uint16_t leaf = 0xffff;              ///< the innermost active state
    std::uint16_t unchanged_depth = 0xffff;   ///< the number of outermost states that the last transition of a program did not change
    std::uint16_t shallowest_change = 0xffff; ///< the least depth of a state exited or entered since a tick stored entry times; 0xffff: none
    std::uint8_t work = 0;                    ///< bits: work to do after the current program
    std::uint8_t state = 0;                   ///< bits

    detail::hook_context& hook_context() const { return **reinterpret_cast<detail::hook_context**>(block); }
};

/// The first 64 conditions of a machine, in front of its block. Inline calls change them.
struct condition_head {
    std::uint64_t pulsed; ///< set until the end of the next tick
    std::uint64_t ending; ///< set until the end of the current tick
    std::uint64_t unwanted;
    std::uint64_t watch;
    std::uint64_t bits;
};

/// Requires a chart with conditions.
inline condition_head& conditions_of(const machine& m) { return *(reinterpret_cast<condition_head*>(m.block) - 1); }
/// Returns whether a watched condition has the value that a transition requires.
inline bool may_fire(const condition_head& c) { return ((c.bits ^ c.unwanted) & c.watch) != 0; }

} // namespace hsm::detail
