#include <hsm/run/detail/event_queue.hpp>

#include <hsm/define/detail/assert.hpp>

#include <algorithm>
#include <new>

namespace hsm::detail {

namespace {
std::size_t aligned(std::size_t offset, std::size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

std::size_t stride_of(const chart_core& core) {
    const auto payload = aligned(sizeof(event_queue::entry), core.event_alignment);
    return aligned(payload + core.event_size, std::max<std::size_t>(core.event_alignment, alignof(event_queue::entry)));
}
} // namespace

event_queue::event_queue(std::size_t capacity, const chart_core& core, std::byte* memory)
    : capacity_(capacity), payload_offset_(aligned(sizeof(entry), core.event_alignment)), stride_(stride_of(core)), memory_(memory) {}

event_queue::~event_queue() {
    if (in_hand_) done();
    clear();
}

std::size_t event_queue::memory_size(std::size_t capacity, const chart_core& core) { return (capacity + 1) * stride_of(core); }

void event_queue::push(const event_ref& event, std::uint16_t number) {
    HSM_ASSERT(!full());
    auto* const at = slot(count_);
    if (event.construct) event.construct(at + payload_offset_, event);
    new (at) entry{event.type, number, no_index, event.construct != nullptr, false};
    ++count_;
}

void event_queue::push_request(index target, bool force) {
    HSM_ASSERT(!full());
    new (slot(count_)) entry{nullptr, no_index, target, false, force};
    ++count_;
}

const event_queue::entry& event_queue::take() {
    HSM_ASSERT(size() > 0 && !in_hand_);
    in_hand_ = 1;
    return entry_at(0);
}

const void* event_queue::payload() const {
    static constexpr named_event only_a_name;
    return entry_at(0).constructed ? slot(0) + payload_offset_ : static_cast<const void*>(&only_a_name);
}

void event_queue::done() {
    HSM_ASSERT(in_hand_);
    destroy_payload(0);
    first_ = (first_ + 1) % (capacity_ + 1);
    --count_;
    in_hand_ = 0;
}

void event_queue::clear() {
    while (size() > 0) destroy_payload(--count_);
}

void event_queue::destroy_payload(std::size_t i) {
    const auto& e = entry_at(i);
    if (e.constructed) e.type->destroy(slot(i) + payload_offset_);
}

} // namespace hsm::detail
