/// Deferred events, in order. Their number is limited by the instance's options. Each keeps its slot until it is consumed, however often it is
/// recalled.
///
///     after the queues:  [ order: the number of a slot each | slots: the payloads ]
#pragma once

#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

/// The data of deferred events in the block.
struct deferral_head {
    std::size_t memory;     ///< offset in the block
    std::uint16_t capacity; ///< 0: no room
    std::uint16_t count;
    bool recall;   ///< a transition with a target fired: they must be recalled
    bool offering; ///< one of them is being handled: if it is deferred again, it keeps its place
};
inline deferral_head& deferral_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<deferral_head*>(m.block + core.layout.deferral);
}

/// A slot's number, and the event in it. The order contains all slots; those after `count` are free.
struct deferred_slot {
    std::uint16_t slot;
    std::uint16_t event;
};
inline deferred_slot* deferred_slots(const machine& m, const chart_core& core) {
    return reinterpret_cast<deferred_slot*>(m.block + deferral_of(m, core).memory);
}

std::size_t deferral_memory(const chart_core& core, std::size_t capacity);
void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity);

/// Stores the event whose payload is in the machine. Returns deferred or full.
result defer_event(machine& m, const chart_core& core, std::uint16_t event);
/// These functions return the i-th event, oldest first, and its payload. The payload is valid until the event is removed.
inline std::uint16_t deferred_event(const machine& m, const chart_core& core, std::size_t i) { return deferred_slots(m, core)[i].event; }
const void* deferred_payload(const machine& m, const chart_core& core, std::size_t i);
/// Adds an event, if there is room. Returns where the caller must construct its payload, if it has one.
void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event);
void remove_deferred(machine& m, const chart_core& core, std::size_t i);
void forget_deferred(machine& m, const chart_core& core);

} // namespace hsm::detail
