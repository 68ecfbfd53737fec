/// A bounded first-in-first-out queue of events and requests. All memory is taken when it is made; payloads are
/// constructed in its slots and destroyed there.
///
///     slot:  [ entry | payload, aligned ]     capacity + 1 of them: the one at the front stays in place while it is handled
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/event.hpp>

#include <cstddef>
#include <vector>

namespace hsm::detail {

class event_queue {
public:
    struct entry {
        const event_type* type; ///< null for a request
        std::uint16_t event;    ///< its number in the chart; no_index for a request
        index target;           ///< of a request; no_index otherwise
        bool constructed;       ///< there is a payload to destroy
        bool force;             ///< of a request: whatever holds
    };

    /// In memory of memory_size bytes, aligned for the chart's events, that outlives it.
    event_queue(std::size_t capacity, const chart_core& core, std::byte* memory);
    event_queue(const event_queue&) = delete;
    event_queue& operator=(const event_queue&) = delete;
    ~event_queue();

    static std::size_t memory_size(std::size_t capacity, const chart_core& core);

    std::size_t size() const { return count_ - in_hand_; } ///< waiting; without the one being handled
    bool full() const { return size() == capacity_; }

    /// Moves or copies the payload in. Only when not full. If that throws, nothing is stored.
    void push(const event_ref& event, std::uint16_t number);
    void push_request(index target, bool force);

    /// The oldest entry stays valid until the next `done`.
    const entry& take();
    const void* payload() const; ///< of the entry taken
    void done();

    void clear(); ///< all but the entry in hand

private:
    std::byte* slot(std::size_t i) const { return memory_ + (first_ + i) % (capacity_ + 1) * stride_; }
    entry& entry_at(std::size_t i) const { return *reinterpret_cast<entry*>(slot(i)); }
    void destroy_payload(std::size_t i);

    std::size_t capacity_;
    std::size_t payload_offset_;
    std::size_t stride_;
    std::byte* memory_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t in_hand_ = 0;
};

} // namespace hsm::detail
