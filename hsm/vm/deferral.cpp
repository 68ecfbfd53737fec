#include <hsm/vm/detail/deferral.hpp>

#include <hsm/op/detail/compiler.hpp>
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

namespace {
HSM_NOINLINE HSM_COLD void trace_deferred(const machine& m, const chart_core& core) {
    const auto newest = deferred_event(m, core, deferral_of(m, core).count - 1u);
    trace(m, core, {record_kind::deferred, 0, record::no_state, newest, 0});
}

HSM_NOINLINE void store_name(const machine& m, const chart_core& core, std::uint16_t event, void* payload) {
    if (core.stores_payload(event, m.payload))
        store_payload(m, core, *core.event_refs[event].type, payload);
    else
        new (payload) named_event(); // an event that is only a name
}
} // namespace

result defer_event(machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    if (head.offering) return result::deferred;
    if (head.count == head.capacity) [[unlikely]] {
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::full), record::no_state, event, 0});
        return result::full;
    }
    auto& next = deferred_at(m, head, head.count);
    next.event = event;
    auto* const payload = payload_in(m, core, head, next);
    if (const auto& type = *core.event_refs[event].type; type.is_name)
        store_name(m, core, event, payload);
    else
        store_payload(m, core, type, payload);
    ++head.count;
    if (core.traced) [[unlikely]]
        trace_deferred(m, core);
    return result::deferred;
}

void* push_deferred(const machine& m, const chart_core& core, std::uint16_t event) {
    auto& head = deferral_of(m, core);
    auto& next = deferred_at(m, head, head.count++);
    next.event = event;
    return payload_in(m, core, head, next);
}

void free_slot(machine& m, const chart_core& core, deferral_head& head, std::size_t i) {
    const auto freed = deferred_at(m, head, i);
    core.event_refs[freed.event].type->destroy_at(payload_in(m, core, head, freed));
    for (; i > 0; --i) deferred_at(m, head, i) = deferred_at(m, head, i - 1);
    deferred_at(m, head, 0) = freed;
}

void forget_deferred(machine& m, const chart_core& core) {
    if (!core.has_defers) return;
    auto& head = deferral_of(m, core);
    head.recall = false;
    while (head.count > 0) {
        const auto lost = deferred_event(m, core, head.count - 1u);
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::over), record::no_state, lost, 0});
        remove_deferred(m, core, head, head.count - 1u);
    }
}

} // namespace hsm::detail
