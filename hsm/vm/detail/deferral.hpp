/// Deferred events, in order. Their number is limited by the instance's options. Each keeps its slot until it is consumed, however often it is
/// recalled.
///
///     after the queues:  [ order: the number of a slot each, a ring | slots: the payloads ]
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

/// The data of deferred events in the block.
struct deferral_head {
    std::uint32_t memory;   ///< offset of the order in the block
    std::uint32_t payloads; ///< offset of the slots in the block
    std::uint16_t capacity; ///< 0: no room
    std::uint16_t first;    ///< the place of the oldest event in the order
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
/// Returns the i-th slot of the order, from the oldest event.
inline deferred_slot& deferred_at(const machine& m, const deferral_head& head, std::size_t i) {
    std::size_t place = head.first;
    if (i > 0 && (place += i) >= head.capacity) place -= head.capacity;
    return reinterpret_cast<deferred_slot*>(m.block + head.memory)[place];
}
inline void* payload_in(const machine& m, const chart_core& core, const deferral_head& head, const deferred_slot& at) {
    return m.block + head.payloads + at.slot * core.layout.payload_stride;
}

std::size_t deferral_memory(const chart_core& core, std::size_t capacity);
void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity);

/// Stores the event whose payload is in the machine. Returns deferred or full.
result defer_event(machine& m, const chart_core& core, std::uint16_t event);
/// These functions return the i-th event, oldest first, and its payload. The payload is valid until the event is removed.
inline std::uint16_t deferred_event(const machine& m, const chart_core& core, std::size_t i) { return deferred_at(m, deferral_of(m, core), i).event; }
inline const void* deferred_payload(const machine& m, const chart_core& core, std::size_t i) {
    const auto& head = deferral_of(m, core);
    return payload_in(m, core, head, deferred_at(m, head, i));
}
/// Adds an event, if there is room. Returns where the caller must construct its payload, if it has one.
void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event);
/// Destroys the payload of the i-th event, and moves its slot to the beginning of the order.
HSM_NOINLINE void free_slot(machine& m, const chart_core& core, deferral_head& head, std::size_t i);
/// Removes the i-th event. The oldest is removed without moving others.
inline void remove_deferred(machine& m, const chart_core& core, deferral_head& head, std::size_t i) {
    if (core.has_event_objects || i > 0) free_slot(m, core, head, i);
    if (++head.first == head.capacity) head.first = 0;
    --head.count;
}
void forget_deferred(machine& m, const chart_core& core);

} // namespace hsm::detail
