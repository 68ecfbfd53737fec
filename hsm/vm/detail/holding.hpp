/// States that cannot be exited yet, and the transitions that wait for them. A level of the active path has one slot for the polled transition that
/// waits in this tick, and one for the pending event or request.
#pragma once

#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

struct waiting_slot {
    std::uint32_t transition; ///< its number + 1; 0: none waits
    index holder; ///< the innermost state that held it; no_index: the holder was exited after its update, and the transition must still be tried
};

/// The slot's payload is in one of the payload buffers. There is one buffer for each slot, and a spare one.
struct pending_slot {
    enum kind_of : std::uint8_t { none, event, request } kind;
    bool constructed; ///< there is a payload to destroy
    bool firing;      ///< it is firing, so it stays when its source is exited
    index source;
    index target;
    std::uint32_t transition; ///< of an event
    int priority;
    std::uint32_t buffer;
};

/// The data of holding states in the block.
struct holding_head {
    std::uint32_t spare; ///< a buffer
    index updated;       ///< the state after whose update waiting transitions are tried: they stay even if it is exited
    bool ticking;        ///< a tick, decide or update is in progress: waiting transitions can be tried again in it
};
holding_head& holding_of(const machine& m, const chart_core& core);
void prepare_holding(machine& m, const chart_core& core);

/// Returns whether a request from a region's leaf is to that region itself, which stays active: its level is the region.
inline bool is_request_to_region(const chart_core& core, index source, index target) {
    const auto region = core.states[target].region;
    return source == target && region != 0 && core.regions[region] == target;
}

/// Slots are numbered from the level above the root inwards; with regions there is one for each state.
inline std::size_t slot_of(const chart_core& core, index level) {
    if (level == no_index) return 0;
    return (core.by_regions ? level : core.states[level].depth) + 1u;
}
inline std::size_t slot_count(const chart_core& core) { return core.by_regions ? core.states.size() + 1 : core.depth + 2u; }
waiting_slot& waiting_at(const machine& m, const chart_core& core, std::size_t slot);
pending_slot& pending_at(const machine& m, const chart_core& core, std::size_t slot);
const void* payload_at(const machine& m, const chart_core& core, std::size_t slot);

/// Returns the marks of states that hold and were released.
inline mark_bits released_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.released); }

/// Returns the innermost (with regions: the last) of the active states below `level` that cannot be exited yet; no_index if none holds. Calls guards.
index holder_of(machine& m, const chart_core& core, index level, index target);

/// Puts a polled transition into its level's slot, if that is empty.
void wait(machine& m, const chart_core& core, std::uint32_t transition, index holder);
/// Puts an event's transition, with the payload in the machine, into its level's slot. Returns held or refused.
result pend(machine& m, const chart_core& core, std::uint32_t transition, index holder);
/// Returns what pend would return.
result would_pend(const machine& m, const chart_core& core, index level, int priority);
result pend_request(machine& m, const chart_core& core, index source, index target, index level, index holder);
void drop_pending(machine& m, const chart_core& core, std::size_t slot);

/// Call them around each call. Transitions that wait at the end of a tick or decide wait until the next one.
void begin_waiting(machine& m, const chart_core& core);
void end_waiting(machine& m, const chart_core& core); ///< requires a state that can hold
void forget_waiting(machine& m, const chart_core& core);
void forget_pending(machine& m, const chart_core& core);
void release_state(machine& m, const chart_core& core, index s);
/// Call it when that state was exited: removes the transitions that it held and those that began in it.
void end_holding(machine& m, const chart_core& core, index s);

} // namespace hsm::detail
