#include <hsm/vm/detail/deferral.hpp>

#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>
#include <new>

namespace hsm::detail {

namespace {

std::size_t payloads_offset(const chart_core& core, std::size_t capacity) {
    return aligned(capacity * sizeof(deferred_slot), std::max(core.event_alignment, 8u));
}

std::byte* payload_in(const machine& m, const chart_core& core, std::size_t slot) {
    const auto& head = deferral_of(m, core);
    return m.block + head.memory + payloads_offset(core, head.capacity) + slot * payload_stride(core);
}

} // namespace

std::size_t deferral_memory(const chart_core& core, std::size_t capacity) {
    return core.has_defers ? payloads_offset(core, capacity) + capacity * payload_stride(core) : 0;
}

void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity) {
    deferral_of(m, core) = {memory, capacity, 0, false, false};
    for (std::uint16_t i = 0; i < capacity; ++i) deferred_slots(m, core)[i] = {i, 0};
}

result defer_event(machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    if (head.offering) return result::deferred;
    if (head.count == head.capacity) {
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::full), record::no_state, event, 0});
        return result::full;
    }
    auto& next = deferred_slots(m, core)[head.count];
    const auto& type = *core.events[event].type;
    if (core.stores_payload(event, m.payload)) [[likely]]
        store_payload(m, core, type, payload_in(m, core, next.slot));
    else
        new (payload_in(m, core, next.slot)) named_event(); // an event that is only a name
    next.event = event;
    ++head.count;
    trace(m, core, {record_kind::deferred, 0, record::no_state, event, 0});
    return result::deferred;
}

const void* deferred_payload(const machine& m, const chart_core& core, std::size_t i) { return payload_in(m, core, deferred_slots(m, core)[i].slot); }

void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    auto& next = deferred_slots(m, core)[head.count++];
    next.event = event;
    return payload_in(m, core, next.slot);
}

void remove_deferred(machine& m, const chart_core& core, std::size_t i) {
    auto& head = deferral_of(m, core);
    auto* const order = deferred_slots(m, core);
    if (core.has_event_objects) core.events[order[i].event].type->destroy_at(payload_in(m, core, order[i].slot));
    const auto freed = order[i];
    for (--head.count; i < head.count; ++i) order[i] = order[i + 1];
    order[i] = freed;
}

void forget_deferred(machine& m, const chart_core& core) {
    if (!core.has_defers) return;
    auto& head = deferral_of(m, core);
    head.recall = false;
    while (head.count > 0) {
        const auto lost = deferred_event(m, core, head.count - 1u);
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::over), record::no_state, lost, 0});
        remove_deferred(m, core, head.count - 1u);
    }
}

} // namespace hsm::detail
