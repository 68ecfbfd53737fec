/// Events that states keep for later ones, in their order. Their number is bounded by the instance's options; each has its
/// place from when it comes to when it is consumed, however often it is recalled.
///
///     behind the queues:  [ order: a slot's number each | slots: the payloads ]
#pragma once

#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

/// What of the block is theirs.
struct deferral_head {
    std::size_t memory;     ///< where in the block they are
    std::uint16_t capacity; ///< 0: there is no room
    std::uint16_t count;
    bool recall;   ///< a transition with a target has fired: they are to be recalled
    bool offering; ///< one of them is being handled: deferred again, it stays where it is
};
inline deferral_head& deferral_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<deferral_head*>(m.block + core.layout.deferral);
}

/// A slot's number, and the event in it. All slots are in the order; those behind the count are free.
struct deferred_place {
    std::uint16_t slot;
    std::uint16_t event;
};
inline deferred_place* deferred_places(const machine& m, const chart_core& core) {
    return reinterpret_cast<deferred_place*>(m.block + deferral_of(m, core).memory);
}

std::size_t deferral_memory(const chart_core& core, std::size_t capacity);
void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity);

/// Keeps the event whose payload is in the machine. deferred, or full.
result defer_event(machine& m, const chart_core& core, std::uint16_t event);
/// The i-th, the oldest first; its payload stays valid until it is removed.
inline std::uint16_t deferred_event(const machine& m, const chart_core& core, std::size_t i) { return deferred_places(m, core)[i].event; }
const void* deferred_payload(const machine& m, const chart_core& core, std::size_t i);
/// One more, if there is room; its payload, if it has one, is constructed where this says, by whoever calls it.
void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event);
void remove_deferred(machine& m, const chart_core& core, std::size_t i);
void forget_deferred(machine& m, const chart_core& core);

} // namespace hsm::detail
