/// The queues of a machine: internal and posted events, and its mailbox for other threads.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/instance_options.hpp>
#include <hsm/run/mailbox.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

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
    /// Returns the object of the event, which is a name if there is no payload.
    const void* object(const void* payload) const { return has_payload ? payload : &any_named_event; }
};

/// A bounded first-in-first-out queue of events and requests. The memory is the caller's; payloads are constructed in its slots and destroyed there.
///
///     slot:  [ entry | payload ]     addressed by its payload; capacity + 1 slots
///
/// The slot before the oldest one is never in use, so an entry stays in place while it is handled, and a full queue differs from an empty one.
class event_queue {
public:
    using entry = queued_entry;
    using position = const std::byte*;

    /// Requires memory of memory_size bytes, aligned for the chart's events, that outlives the queue.
    event_queue(std::size_t capacity, const chart_core& core, std::byte* memory);
    event_queue(const event_queue&) = delete;
    event_queue& operator=(const event_queue&) = delete;
    ~event_queue();

    static std::size_t memory_size(std::size_t capacity, const chart_core& core);

    std::size_t size() const { return static_cast<std::size_t>(back_ - front_ + (back_ < front_ ? end_ - memory_ : 0)) / stride_; }
    std::size_t capacity() const { return static_cast<std::size_t>(end_ - memory_) / stride_ - 1; }
    bool empty() const { return front_ == back_; }
    bool full() const { return behind(back_) == front_; }
    /// Returns the position behind the newest entry.
    position end() const { return back_; }
    /// Returns whether all entries before a position have been taken.
    bool has_reached(position until) const { return front_ == until; }

    /// Moves or copies the payload into the next free slot and returns its address. push_entry() must follow. Requires !full().
    void* construct(const event_ref& event) {
        HSM_ASSERT(!full());
        event.construct(back_, event);
        return back_;
    }
    /// Moves or copies the payload into the queue. Requires !full(). If that throws, nothing is stored.
    void push(const event_ref& event, std::uint32_t column) {
        if (event.construct) construct(event);
        push_entry(entry::of_event(column, event));
    }
    /// Returns the address to which the caller copies the payload's bytes; null if the queue is full.
    void* push_bytes(std::uint32_t column) {
        auto* const slot = back_;
        auto* const next = behind(slot);
        if (next == front_) return nullptr;
        const entry e{column, no_index, true, false};
        std::memcpy(&entry_of(slot), &e, sizeof(e)); // one store; otherwise g++ stores each field
        back_ = next;
        return slot;
    }
    /// Returns the address at which the caller constructs the payload of the next push_entry. Requires !full().
    void* next_payload() const { return back_; }
    void push_entry(const entry& e) {
        HSM_ASSERT(!full());
        new (&entry_of(back_)) entry(e);
        back_ = behind(back_);
    }
    void push_request(index target, bool force) { push_entry({0, target, false, force}); }

    /// Removes the oldest entry and returns handle(entry, its object). Destroys the payload afterwards, also if `handle` throws. HasObjects
    /// can be false if no payload of the chart has a destructor. In such a chart no event is a name, so each entry has a payload.
    template <bool HasObjects = true, class Handle> auto take(Handle handle) {
        HSM_ASSERT(!empty());
        struct taken {
            const event_queue& queue;
            std::byte* slot;
            HSM_ALWAYS_INLINE ~taken() {
                if constexpr (HasObjects) queue.destroy_payload(slot);
            }
        } const at{*this, front_};
        front_ = behind(front_);
        const auto& e = entry_of(at.slot);
        return handle(e, HasObjects ? e.object(at.slot) : at.slot);
    }

    void clear(); ///< keeps the taken entry
    /// Visits the waiting entries, oldest first.
    template <class Visit> void each(Visit visit) const {
        each_with_payload([&](const entry& e, const void*) { visit(e); });
    }
    /// Calls visit(entry, address of its payload).
    template <class Visit> void each_with_payload(Visit visit) const {
        for (auto* slot = front_; slot != back_; slot = behind(slot)) visit(entry_of(slot), slot);
    }

private:
    static entry& entry_of(std::byte* slot) { return *(reinterpret_cast<entry*>(slot) - 1); }
    std::byte* behind(std::byte* slot) const {
        slot += stride_;
        return slot == end_ ? memory_ : slot;
    }
    void destroy_payload(std::byte* slot) const {
        if (core_.has_event_objects) entry_of(slot).destroy(core_, slot);
    }

    const chart_core& core_; ///< the chart's own tables: those of an observed machine are destroyed with its last observer
    std::byte* memory_;      ///< the first slot
    std::byte* front_;       ///< the oldest entry
    std::byte* back_;        ///< the next free slot
    std::size_t stride_;
    std::byte* end_; ///< behind the last slot
};

/// The implementation of a mailbox: slots for events, in two stacks. A poster takes a free slot, constructs the payload in it and pushes it on the
/// stack of posted events. The owner takes that whole stack, appends it to its list in the order of posting, handles and destroys the payloads,
/// and returns the slots.
///
///     slot:  [ next, entry, tag | payload ]     addressed by its payload
///
/// The stacks are Treiber's (Systems Programming: Coping with Parallelism, 1986). No thread waits for one that was interrupted in a call. Several
/// threads pop free slots, and a slot may return while another thread reads it. So the top of that stack has a number that every change
/// increments. The stack of posted events needs no number, because the owner takes all of it. Each top is one atomic word. Reading one word shows
/// whether events were posted.
class mailbox_queue : public mailbox {
    static constexpr std::uint32_t none = 0xffff'ffff;

public:
    mailbox_queue(std::uint32_t capacity, const chart_core& core); ///< throws usage_error if capacity is too large
    ~mailbox_queue();                                              ///< destroys the remaining payloads

    /// Posts an event. Any thread may call this. The tag is the caller's: a crowd stores the agent in it.
    result put(const event_ref& event, std::uint64_t tag = 0);

    std::size_t capacity() const { return capacity_; }

    // Only the owner's thread may call the following.
    using position = std::uint32_t;
    /// Returns the position behind that many of the gathered entries.
    position behind(std::size_t entries) const { return taken_ + static_cast<position>(entries); }
    bool has_reached(position until) const { return taken_ == until; }
    /// Returns whether no event waits and none has been posted so far.
    bool is_empty() const { return waiting() == 0 && atomic_load<order::relaxed>(posted_) == none; }
    /// Takes the events posted so far. Returns the number of waiting entries, without the taken one.
    std::size_t gather();
    /// Removes the oldest gathered entry and returns handle(entry, its object, its tag). Frees the slot afterwards, also if `handle` throws.
    template <bool HasObjects = true, class Handle> auto take(Handle handle) {
        HSM_ASSERT(waiting() > 0);
        struct taken {
            mailbox_queue& box;
            slot_head& head;
            std::uint32_t slot;
            HSM_ALWAYS_INLINE ~taken() {
                if (HasObjects && box.core_->has_event_objects) head.entry.destroy(*box.core_, payload_in(head));
                box.give_back(slot, head);
            }
        } const at{*this, head(first_), first_};
        first_ = atomic_load<order::relaxed>(at.head.next);
        ++taken_;
        const auto& e = at.head.entry;
        return handle(e, HasObjects ? e.object(payload_in(at.head)) : payload_in(at.head), at.head.tag);
    }
    void clear(); ///< drops the events posted so far, but not the taken entry
    /// Drops the same events and calls visit(entry) before each.
    template <class Visit> void clear(Visit visit) {
        for (auto n = gather(); n > 0; --n) {
            visit(head(first_).entry);
            destroy(take_first());
        }
    }
    /// Calls visit(entry, address of its payload, tag) for the gathered events, oldest first.
    template <class Visit> void each_with_tag(Visit visit) const {
        auto slot = first_;
        for (std::uint32_t i = 0; i < waiting(); ++i, slot = next_of(slot)) visit(head(slot).entry, payload_of(slot), head(slot).tag);
    }
    template <class Visit> void each_with_payload(Visit visit) const {
        each_with_tag([&](const event_queue::entry& e, const void* payload, std::uint64_t) { visit(e, payload); });
    }

    /// Calls visit(entry, payload, tag) for the gathered entries that it has not visited before.
    template <class Visit> void each_unreported(Visit visit) {
        auto slot = first_;
        for (std::uint32_t i = 0; i < waiting(); ++i, slot = next_of(slot))
            if (!std::exchange(head(slot).is_reported, true)) visit(head(slot).entry, payload_of(slot), head(slot).tag);
    }
    /// Returns the number of waiting entries that each_unreported has visited. They precede all others.
    std::size_t reported() const;
    /// For a replay: posts a recorded event. First drops the events that each_unreported has not visited, because hooks posted them, and the log
    /// contains them too.
    void put_recorded(const event_ref& event, std::uint64_t tag = 0);
    /// Exchanges everything with a mailbox of the same capacity, but not the addresses. Requires that no entry is taken and no thread posts.
    void exchange(mailbox_queue& other) noexcept;

    /// Replaces the events posted so far by others. The constructor takes the slots, so that nothing can fail later.
    class refill {
    public:
        refill(mailbox_queue& box, std::size_t count); ///< gathers first
        refill(const refill&) = delete;
        ~refill(); ///< returns the unused slots
        bool has_room() const { return has_room_; }

        void clear(); ///< destroys the waiting events
        /// Returns the address at which the caller constructs the payload of the next push.
        void* next_payload() const { return box_.payload_of(free_); }
        void push(const event_queue::entry& e, std::uint64_t tag = 0);

    private:
        void keep_slot(std::uint32_t slot);

        mailbox_queue& box_;
        std::uint32_t free_ = none; ///< linked
        bool has_room_ = true;
    };

private:
    result put_in(std::uint32_t column, const event_ref& event, std::uint64_t tag);
    result put_name(std::uint32_t column, const event_ref& event, std::uint64_t tag);
    struct slot_head {
        std::uint32_t next; ///< the slot below it in a stack, or after it in the owner's list; accessed atomically
        event_queue::entry entry;
        bool is_reported; ///< by each_unreported
        std::uint64_t tag;
    };
    /// Returns the new top of the stack of free slots: slot | number << 32, one word.
    static std::uint64_t changed_top(std::uint64_t before, std::uint32_t slot) { return (((before >> 32) + 1) << 32) | slot; }

    void* payload_of(std::uint32_t slot) const { return payloads_ + slot * stride_; }
    slot_head& head(std::uint32_t slot) const { return *(static_cast<slot_head*>(payload_of(slot)) - 1); }
    static void* payload_in(slot_head& slot) { return &slot + 1; }
    std::uint32_t next_of(std::uint32_t slot) const { return atomic_load<order::relaxed>(head(slot).next); }
    void set_next(std::uint32_t slot, std::uint32_t next);
    slot_head* take_free(std::uint32_t& slot); ///< sets slot to `none` if no slot is free
    void give_back(std::uint32_t slot, slot_head& at) {
        const atomic_view top(free_);
        auto now = top.load<order::relaxed>();
        do atomic_view(at.next).store<order::relaxed>(static_cast<std::uint32_t>(now));
        while (!top.compare_exchange_weak<order::release, order::relaxed>(now, changed_top(now, slot)));
    }
    void give_back(std::uint32_t slot) { give_back(slot, head(slot)); }
    std::uint32_t waiting() const { return gathered_ - taken_; } ///< gathered entries, without the taken one
    std::uint32_t take_first();
    void destroy(std::uint32_t slot);
    void drop_unreported();

    const chart_core* core_; ///< the chart's own tables, as in event_queue
    const std::uint32_t capacity_;
    std::size_t alignment_;
    std::size_t payload_offset_;
    std::size_t stride_;
    std::byte* payloads_; ///< of the first slot

    // Changed by several threads. Each has its own cache line, apart from the owner's members.
    alignas(64) std::uint64_t free_ = 0;
    alignas(64) std::uint32_t posted_ = none; ///< the event posted last

    // The owner's list of gathered events, oldest first.
    alignas(64) std::uint32_t first_ = none;
    std::uint32_t last_ = none;
    position taken_ = 0;
    position gathered_ = 0;
};

/// The queues of a machine and their options. They are in the instance's memory behind its block, or allocated separately. The slots of both queues
/// follow it in memory.
struct queue_head {
    event_queue internal;
    event_queue posted;
    std::uint16_t chain_limit;
    bool is_separate = false; ///< allocated separately, on first use
    double time_scale = 1.0;
    std::uint64_t lost = 0;    ///< posted events that did not fit
    std::uint64_t* lost_at;    ///< the counter, changed atomically: `lost`, or the crowd's
    owned<mailbox_queue> mail; ///< null: no mailbox
    // The options of an instance that its chart does not use: another chart can use them.
    std::uint64_t seed, stream;
    std::uint16_t deferred_queue;

    queue_head(const chart_core& core, const instance_options& options, std::byte* slots, owned<mailbox_queue> mailed,
               std::uint64_t* lost_of_all = nullptr)
        : internal(options.internal_queue, core, slots),
          posted(options.posted_queue, core, slots + event_queue::memory_size(options.internal_queue, core)), chain_limit(options.chain_limit),
          lost_at(lost_of_all ? lost_of_all : &lost), mail(std::move(mailed)), seed(options.seed), stream(options.stream),
          deferred_queue(options.deferred_queue) {}
    queue_head(const queue_head&) = delete;
};

} // namespace hsm::detail
