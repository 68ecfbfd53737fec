#include <hsm/vm/detail/deferral.hpp>

#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// A slot's number, and the event in it. All slots are in the order; those behind the count are free.
struct place {
    std::uint16_t slot;
    std::uint16_t event;
};

place* order_of(const machine& m, const chart_core& core) { return reinterpret_cast<place*>(m.block + deferral_of(m, core).memory); }

std::size_t payloads_offset(const chart_core& core, std::size_t capacity) {
    const std::size_t alignment = std::max(core.event_alignment, 8u);
    return (capacity * sizeof(place) + alignment - 1) / alignment * alignment;
}

std::byte* payload_in(const machine& m, const chart_core& core, std::size_t slot) {
    const auto& head = deferral_of(m, core);
    return m.block + head.memory + payloads_offset(core, head.capacity) + slot * payload_stride(core);
}

bool has_payload(const event_type& type) { return !type.is_name; }

} // namespace

deferral_head& deferral_of(const machine& m, const chart_core& core) { return *reinterpret_cast<deferral_head*>(m.block + core.layout.deferral); }

std::size_t deferral_memory(const chart_core& core, std::size_t capacity) {
    return core.has_defers ? payloads_offset(core, capacity) + capacity * payload_stride(core) : 0;
}

void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity) {
    deferral_of(m, core) = {memory, capacity, 0, false, false};
    for (std::uint16_t i = 0; i < capacity; ++i) order_of(m, core)[i] = {i, 0};
}

result defer_event(machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    if (head.offering) return result::deferred;
    if (head.count == head.capacity) return result::full;
    auto& next = order_of(m, core)[head.count];
    const auto& type = *core.events[event].type;
    if (has_payload(type)) store_payload(m, core, type, payload_in(m, core, next.slot));
    next.event = event;
    ++head.count;
    return result::deferred;
}

std::uint16_t deferred_event(const machine& m, const chart_core& core, std::size_t i) { return order_of(m, core)[i].event; }

const void* deferred_payload(const machine& m, const chart_core& core, std::size_t i) {
    const auto& at = order_of(m, core)[i];
    return has_payload(*core.events[at.event].type) ? payload_in(m, core, at.slot) : static_cast<const void*>(&detail::any_named_event);
}

void remove_deferred(machine& m, const chart_core& core, std::size_t i) {
    auto& head = deferral_of(m, core);
    auto* const order = order_of(m, core);
    const auto& type = *core.events[order[i].event].type;
    if (has_payload(type)) type.destroy_at(payload_in(m, core, order[i].slot));
    std::rotate(order + i, order + i + 1, order + head.count);
    --head.count;
}

void forget_deferred(machine& m, const chart_core& core) {
    if (!core.has_defers) return;
    auto& head = deferral_of(m, core);
    head.recall = false;
    while (head.count > 0) remove_deferred(m, core, head.count - 1u);
}

} // namespace hsm::detail
