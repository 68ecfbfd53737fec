/// What is behind a mailbox: slots for events, and two queues of slot numbers, of those that are free and of those that have been
/// posted. Posters take a free one, construct the payload in it and post its number; the owner takes the numbers over into a
/// list of its own, handles and destroys the payloads one by one, and gives the slots back.
///
///     slot:  [ entry, next, tag | payload, aligned ]
///
/// The queues are xenium's bounded ones in their weak form: nobody waits for a thread that was interrupted in the middle of a call
/// (but for a poster whose event's copy threw, and that has to give its slot back). A slot that cannot be given back, because a
/// poster is just taking another one from its place, is kept by the owner until it can; a posted one behind one that is just
/// being posted waits with it. (Of moodycamel's ConcurrentQueue and Boost.Lockfree, the thread sanitizer reports races in the
/// queues themselves.)
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/mailbox.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

class mailbox_queue : public mailbox {
public:
    mailbox_queue(std::uint32_t capacity, const chart_core& core); ///< throws usage_error if that is too much
    ~mailbox_queue();                                              ///< destroys the payloads that are left

    /// From any thread. The tag is the caller's: for whom the event is, if the mailbox is not that of one machine.
    result put(const event_ref& event, std::uint64_t tag = 0);

    // In the owner's thread only.
    /// Takes over what has been posted by now. How much waits then, without the entry in hand.
    std::size_t gather();
    /// The oldest entry that was taken over stays valid until the next `done`.
    const event_queue::entry& take();
    const void* payload() const; ///< of the entry taken
    std::uint64_t tag() const;
    void done();
    void clear(); ///< all that has been posted by now, but for the entry in hand

private:
    struct slot_head {
        event_queue::entry entry;
        std::uint32_t next; ///< slot: behind it in the list it is in
        std::uint64_t tag;
    };
    struct numbers;

    slot_head& head(std::uint32_t slot) const { return *reinterpret_cast<slot_head*>(memory_ + slot * stride_); }
    void* payload_of(std::uint32_t slot) const { return memory_ + slot * stride_ + payload_offset_; }
    std::uint32_t take_first();
    void destroy(std::uint32_t slot);
    void give_back();

    const chart_core& core_;
    const std::uint32_t capacity_;
    std::size_t alignment_;
    std::size_t payload_offset_;
    std::size_t stride_;
    owned<numbers> numbers_;
    std::byte* memory_;

    // The owner's lists.
    static constexpr std::uint32_t none = 0xffff'ffff;
    std::uint32_t first_ = none; ///< taken over, oldest first
    std::uint32_t last_ = none;
    std::uint32_t waiting_ = 0;
    std::uint32_t in_hand_ = none;
    std::uint32_t used_ = none; ///< to be given back
};

} // namespace hsm::detail
