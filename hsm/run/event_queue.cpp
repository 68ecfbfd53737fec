#include <hsm/run/detail/event_queue.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>

#include <algorithm>
#include <new>

namespace hsm::detail {

namespace {

std::size_t stride_of(const chart_core& core) {
    const auto payload = aligned(sizeof(event_queue::entry), core.event_alignment);
    return aligned(payload + core.event_size, std::max<std::size_t>(core.event_alignment, alignof(event_queue::entry)));
}
} // namespace

event_queue::event_queue(std::size_t capacity, const chart_core& core, std::byte* memory)
    : core_(*core.owner), front_(memory), back_(memory), capacity_(static_cast<std::uint32_t>(capacity)),
      payload_offset_(static_cast<std::uint32_t>(aligned(sizeof(entry), core.event_alignment))), stride_(stride_of(core)), memory_(memory),
      end_(memory + memory_size(capacity, core)) {}

event_queue::~event_queue() { clear(); }

std::size_t event_queue::memory_size(std::size_t capacity, const chart_core& core) { return (capacity + 1) * stride_of(core); }

void event_queue::clear() {
    while (count_ > 0) {
        --count_;
        back_ = (back_ == memory_ ? end_ : back_) - stride_;
        destroy_payload(back_);
    }
}

} // namespace hsm::detail
