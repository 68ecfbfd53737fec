/// States that may not be left yet, and what waits for them. A level of the active path has one slot for the polled
/// transition that waits in this tick, and one for the event, or request, that is pending.
#pragma once

#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

struct waiting_slot {
    std::uint32_t transition; ///< its number + 1; 0: none waits
    index holder; ///< the innermost of the states that held it; no_index: that has been left after its update, and it is still to be tried
};

/// Its payload is in one of the payload buffers: there is one for each slot, and a spare one.
struct pending_slot {
    enum kind_of : std::uint8_t { none, event, request } kind;
    bool constructed; ///< there is a payload to destroy
    bool in_hand;     ///< it is being fired, so it does not go with its source
    index source;
    index target;
    std::uint32_t transition; ///< of an event
    int priority;
    std::uint32_t buffer;
};

/// What of the block is theirs.
struct holding_head {
    std::uint32_t spare; ///< buffer
    index updated;       ///< whose update is being followed up: what waits for it is still to be tried, even if it is left
    bool ticking;        ///< a tick, decide or update is in progress: what has to wait may be tried again in it, or the next update
};
holding_head& holding_of(const machine& m, const chart_core& core);
void prepare_holding(machine& m, const chart_core& core);
inline std::uint32_t payload_stride(const chart_core& core) {
    return static_cast<std::uint32_t>(aligned(core.event_size ? core.event_size : 1u, core.event_alignment));
}

/// Slots are numbered from the level above the root inwards; with regions there is one for each state.
inline std::size_t slot_of(const chart_core& core, index level) {
    if (level == no_index) return 0;
    return (core.driven ? level : core.states[level].depth) + 1u;
}
inline std::size_t slot_count(const chart_core& core) { return core.driven ? core.states.size() + 1 : core.depth + 2u; }
waiting_slot& waiting_at(const machine& m, const chart_core& core, std::size_t slot);
pending_slot& pending_at(const machine& m, const chart_core& core, std::size_t slot);
const void* payload_at(const machine& m, const chart_core& core, std::size_t slot);

/// States that hold, and were released.
inline mark_bits released_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.released); }

/// The innermost (with regions: the last) of the active states below `level` that may not be left yet; no_index if none holds.
/// Asks guards.
index holder_of(machine& m, const chart_core& core, index level, index target);

/// Puts a polled transition into its level's slot, if that is empty.
void wait(machine& m, const chart_core& core, std::uint32_t transition, index holder);
/// Puts an event's transition, with the payload in the machine, into its level's slot. held, or refused.
result pend(machine& m, const chart_core& core, std::uint32_t transition, index holder);
/// What pend would say.
result would_pend(const machine& m, const chart_core& core, index level, int priority);
result pend_request(machine& m, const chart_core& core, index source, index target, index level, index holder);
void drop_pending(machine& m, const chart_core& core, std::size_t slot);

/// Around each call; what a tick or decide has left waiting goes on waiting until the next one.
void begin_waiting(machine& m, const chart_core& core);
void end_waiting(machine& m, const chart_core& core);
void forget_waiting(machine& m, const chart_core& core);
void forget_pending(machine& m, const chart_core& core);
void release_state(machine& m, const chart_core& core, index s);
/// That state has been left: what it held, and what came from it, waits no longer.
void let_go(machine& m, const chart_core& core, index s);

} // namespace hsm::detail
