/// What is behind a mailbox: slots for events, in two stacks. Posters take a free slot, construct the payload in it and put it on the
/// stack of what is posted; the owner takes all of that at once, puts it into a list in the order in which it came, handles and destroys the
/// payloads one by one, and gives the slots back.
///
///     slot:  [ next, entry, tag | payload, aligned ]
///
/// The stacks are Treiber's (Systems Programming: Coping with Parallelism, 1986). Nobody ever waits for a thread that was interrupted in the middle
/// of a call. Several threads take from the stack of free slots, where one may come back while another is looking at it: so its top
/// has a number that every change makes a new one. From the other stack the owner takes all, and it needs none. Both are one atomic word; that
/// nothing was posted is known from reading one.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/mailbox.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hsm::detail {

class mailbox_queue : public mailbox {
    static constexpr std::uint32_t none = 0xffff'ffff;

public:
    mailbox_queue(std::uint32_t capacity, const chart_core& core); ///< throws usage_error if that is too much
    ~mailbox_queue();                                              ///< destroys the payloads that are left

    /// From any thread. The tag is the caller's: for whom the event is, if the mailbox is not that of one machine.
    result put(const event_ref& event, std::uint64_t tag = 0);

    std::size_t capacity() const { return capacity_; }

    // In the owner's thread only.
    /// Has nothing been posted by now, and does nothing wait?
    bool is_empty() const { return waiting_ == 0 && atomic_load<order::relaxed>(posted_) == none; }
    /// Takes over what has been posted by now. How much waits then, without the entry in hand.
    std::size_t gather();
    /// The oldest entry that was taken over stays valid until the next `done`.
    const event_queue::entry& take();
    const void* payload() const; ///< of the entry taken
    std::uint64_t tag() const;
    void done();
    void clear(); ///< all that has been posted by now, but for the entry in hand
    /// The same; visit(entry) first.
    template <class Visit> void clear(Visit visit) {
        for (auto n = gather(); n > 0; --n) {
            visit(head(first_).entry);
            destroy(take_first());
        }
    }
    /// What has been taken over, the oldest first: visit(entry, where its payload is, if it has one, tag).
    template <class Visit> void each_with_tag(Visit visit) const {
        auto slot = first_;
        for (std::uint32_t i = 0; i < waiting_; ++i, slot = next_of(slot)) visit(head(slot).entry, payload_of(slot), head(slot).tag);
    }
    template <class Visit> void each_with_payload(Visit visit) const {
        each_with_tag([&](const event_queue::entry& e, const void* payload, std::uint64_t) { visit(e, payload); });
    }

    /// Of a machine's: those whose tag is 0, and is 1 from now on.
    template <class Visit> void each_untold(Visit visit) {
        auto slot = first_;
        for (std::uint32_t i = 0; i < waiting_; ++i, slot = next_of(slot))
            if (std::exchange(head(slot).tag, 1) == 0) visit(head(slot).entry, payload_of(slot));
    }

    /// Of a crowd's, whose entries have no force: the same by that mark. visit(entry, payload, tag).
    template <class Visit> void each_unnoted(Visit visit) {
        auto slot = first_;
        for (std::uint32_t i = 0; i < waiting_; ++i, slot = next_of(slot))
            if (!std::exchange(head(slot).entry.force, true)) visit(head(slot).entry, payload_of(slot), head(slot).tag);
    }

    /// Exchanges what has been posted by now for other events. Slots are taken first: then nothing can fail.
    class refill {
    public:
        refill(mailbox_queue& box, std::size_t count); ///< gathers
        refill(const refill&) = delete;
        ~refill(); ///< gives back what was not used
        bool has_room() const { return has_room_; }

        void clear(); ///< destroys what waits
        /// The payload, if it has one, is constructed where this says, by whoever calls it.
        void* push(const event_queue::entry& e, std::uint64_t tag = 0);

    private:
        void keep(std::uint32_t slot);

        mailbox_queue& box_;
        std::uint32_t free_ = none; ///< chained
        bool has_room_ = true;
    };

private:
    result put_in(std::uint32_t column, const event_ref& event, std::uint64_t tag);
    result put_name(std::uint32_t column, const event_ref& event, std::uint64_t tag);
    struct slot_head {
        std::uint32_t next; ///< slot: below it in a stack, or behind it in the owner's list. Read and written atomically
        event_queue::entry entry;
        std::uint64_t tag;
    };
    /// The top of the free ones and its number. Read and written atomically.
    struct alignas(8) free_top {
        std::uint32_t slot;
        std::uint32_t number;
    };

    slot_head& head(std::uint32_t slot) const { return *reinterpret_cast<slot_head*>(memory_ + slot * stride_); }
    void* payload_of(std::uint32_t slot) const { return memory_ + slot * stride_ + payload_offset_; }
    std::uint32_t next_of(std::uint32_t slot) const;
    void set_next(std::uint32_t slot, std::uint32_t next);
    std::uint32_t take_free(); ///< none: there is none
    void give_back(std::uint32_t slot);
    std::uint32_t take_first();
    void destroy(std::uint32_t slot);

    const chart_core& core_; ///< the chart's own tables, as in event_queue
    const std::uint32_t capacity_;
    std::size_t alignment_;
    std::size_t payload_offset_;
    std::size_t stride_;
    std::byte* memory_;

    // What several threads change, each apart from the other and from what only the owner does.
    alignas(64) free_top free_{0, 0};
    alignas(64) std::uint32_t posted_ = none; ///< the last one

    // The owner's list.
    alignas(64) std::uint32_t first_ = none; ///< taken over, oldest first
    std::uint32_t last_ = none;
    std::uint32_t waiting_ = 0;
    std::uint32_t in_hand_ = none;
};

} // namespace hsm::detail
