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

} // namespace

std::size_t deferral_memory(const chart_core& core, std::size_t capacity) {
    return core.has_defers ? payloads_offset(core, capacity) + capacity * core.layout.payload_stride : 0;
}

void prepare_deferral(machine& m, const chart_core& core, std::size_t memory, std::uint16_t capacity) {
    auto& head = deferral_of(m, core);
    head = {static_cast<std::uint32_t>(memory), static_cast<std::uint32_t>(memory + payloads_offset(core, capacity)), capacity, 0, 0, false, false};
    for (std::uint16_t i = 0; i < capacity; ++i) deferred_at(m, head, i) = {i, 0};
}

result defer_event(machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    if (head.offering) return result::deferred;
    if (head.count == head.capacity) {
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::full), record::no_state, event, 0});
        return result::full;
    }
    auto& next = deferred_at(m, head, head.count);
    auto* const payload = payload_in(m, core, head, next);
    const auto& type = *core.events[event].type;
    if (core.stores_payload(event, m.payload)) [[likely]]
        store_payload(m, core, type, payload);
    else
        new (payload) named_event(); // an event that is only a name
    next.event = event;
    ++head.count;
    trace(m, core, {record_kind::deferred, 0, record::no_state, event, 0});
    return result::deferred;
}

void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    auto& next = deferred_at(m, head, head.count++);
    next.event = event;
    return payload_in(m, core, head, next);
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
