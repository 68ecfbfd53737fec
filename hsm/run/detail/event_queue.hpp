/// A bounded first-in-first-out queue of events and requests. The memory is the caller's; payloads are constructed in its slots and destroyed there.
///
///     slot:  [ entry | payload, aligned ]     capacity + 1 slots: the front entry stays in place while it is handled
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/event.hpp>

#include <cstddef>
#include <new>

namespace hsm::detail {

/// The head of a queue's slot.
struct queued_entry {
    std::uint32_t column; ///< of the event; 0: this is a request
    index target;         ///< of a request; no_index otherwise
    bool has_payload;
    bool force; ///< of a request: ignores holds

    /// Requires that the payload, if there is one, is already constructed.
    static queued_entry of_event(std::uint32_t column, const event_ref& event) { return {column, no_index, event.construct != nullptr, false}; }
    bool is_request() const { return column == 0; }
    /// Destroys the payload with the chart's type: the event's own type may belong to a module that was unloaded.
    void destroy(const chart_core& core, void* payload) const {
        if (has_payload) core.event_refs[core.column_events[column]].type->destroy_at(payload);
    }
};

class event_queue {
public:
    using entry = queued_entry;

    /// Requires memory of memory_size bytes, aligned for the chart's events, that outlives the queue.
    event_queue(std::size_t capacity, const chart_core& core, std::byte* memory);
    event_queue(const event_queue&) = delete;
    event_queue& operator=(const event_queue&) = delete;
    ~event_queue();

    static std::size_t memory_size(std::size_t capacity, const chart_core& core);

    std::size_t size() const { return count_; }
    std::size_t capacity() const { return capacity_; }
    bool full() const { return count_ == capacity_; }

    /// Moves or copies the payload into the next free slot and returns its address. push_entry() must follow. Requires !full().
    void* construct(const event_ref& event) {
        HSM_ASSERT(!full());
        event.construct(back_ + payload_offset_, event);
        return back_ + payload_offset_;
    }
    /// Moves or copies the payload into the queue. Requires !full(). If that throws, nothing is stored.
    void push(const event_ref& event, std::uint32_t column) {
        if (event.construct) construct(event);
        push_entry(entry::of_event(column, event));
    }
    /// Returns the address to which the caller copies the payload's bytes. Requires !full().
    void* push_bytes(std::uint32_t column) {
        HSM_ASSERT(!full());
        auto* const payload = back_ + payload_offset_;
        put({column, no_index, true, false});
        return payload;
    }
    /// Returns the address at which the caller constructs the payload, if the entry has one. Requires !full().
    void* push_entry(const entry& e) {
        HSM_ASSERT(!full());
        auto* const payload = back_ + payload_offset_;
        put(e);
        return payload;
    }
    void push_request(index target, bool force) {
        HSM_ASSERT(!full());
        put({0, target, false, force});
    }

    /// Removes the oldest entry. The reference is valid until `done`.
    const entry& take() {
        HSM_ASSERT(count_ > 0);
        --count_;
        return *reinterpret_cast<const entry*>(front_);
    }
    /// Returns the payload of the taken entry.
    const void* payload() const {
        return reinterpret_cast<const entry*>(front_)->has_payload ? front_ + payload_offset_ : static_cast<const void*>(&any_named_event);
    }
    void done() {
        destroy_payload(front_);
        front_ = behind(front_);
    }

    void clear(); ///< keeps the taken entry
    /// Visits the waiting entries, oldest first.
    template <class Visit> void each(Visit visit) const {
        each_with_payload([&](const entry& e, const void*) { visit(e); });
    }
    /// Calls visit(entry, address of its payload).
    template <class Visit> void each_with_payload(Visit visit) const {
        auto* slot = back_;
        for (std::uint32_t i = 0; i < count_; ++i) slot = (slot == memory_ ? end_ : slot) - stride_;
        for (std::uint32_t i = 0; i < count_; ++i, slot = behind(slot)) visit(*reinterpret_cast<const entry*>(slot), slot + payload_offset_);
    }

private:
    std::byte* behind(std::byte* slot) const {
        slot += stride_;
        return slot == end_ ? memory_ : slot;
    }
    void put(const entry& e) {
        new (back_) entry(e);
        back_ = behind(back_);
        ++count_;
    }
    void destroy_payload(std::byte* slot) const {
        if (core_.has_event_objects) reinterpret_cast<const entry*>(slot)->destroy(core_, slot + payload_offset_);
    }

    const chart_core& core_;  ///< the chart's own tables: those of an observed machine are destroyed with its last observer
    std::byte* front_;        ///< the oldest entry, or the taken one
    std::byte* back_;         ///< the next free slot
    std::uint32_t count_ = 0; ///< waiting entries, without the taken one
    std::uint32_t capacity_;
    std::uint32_t payload_offset_;
    std::size_t stride_;
    std::byte* memory_;
    std::byte* end_;
};

} // namespace hsm::detail
