#include <hsm/run/mailbox.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/run/detail/mailbox_queue.hpp>
#include <hsm/run/error.hpp>

#include <xenium/policy.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <string>

namespace hsm {

using namespace detail;

namespace {
using number_queue = xenium::vyukov_bounded_queue<std::uint32_t, xenium::policy::default_to_weak<true>>;

std::size_t aligned(std::size_t offset, std::size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

constexpr std::uint32_t most_slots = 1 << 24;

std::uint32_t possible(std::uint32_t slots, const chart_core& core) {
    if (slots <= most_slots) return slots;
    throw usage_error({code::bad_option, core.root->path(),
                       "a mailbox is to have " + std::to_string(slots) + " slots; there can be " + std::to_string(most_slots),
                       "it is for what is posted between two ticks"});
}

/// A power of two, and room for all slots at once.
std::size_t length_for(std::uint32_t slots) { return std::bit_ceil(std::max<std::size_t>(slots, 2)); }
} // namespace

struct mailbox_queue::numbers {
    number_queue free;
    number_queue posted;

    explicit numbers(std::uint32_t slots) : free(length_for(slots)), posted(length_for(slots)) {
        for (std::uint32_t slot = 0; slot < slots; ++slot) free.try_push(slot);
    }
};

mailbox_queue::mailbox_queue(std::uint32_t capacity, const chart_core& core)
    : core_(core), capacity_(possible(capacity, core)), alignment_(std::max<std::size_t>(core.event_alignment, alignof(slot_head))),
      payload_offset_(aligned(sizeof(slot_head), core.event_alignment)), stride_(aligned(payload_offset_ + core.event_size, alignment_)),
      numbers_(make_owned<numbers>(capacity_)), memory_(static_cast<std::byte*>(::operator new(capacity_* stride_, std::align_val_t(alignment_)))) {}

mailbox_queue::~mailbox_queue() {
    if (in_hand_ != none) done();
    clear();
    ::operator delete(memory_, std::align_val_t(alignment_));
}

result mailbox::put(const event_ref& event) { return static_cast<mailbox_queue&>(*this).put(event); }

result mailbox_queue::put(const event_ref& event, std::uint64_t tag) {
    const auto number = core_.find_event(event);
    if (number == no_index) return result::unhandled;
    std::uint32_t slot;
    if (!numbers_->free.try_pop(slot)) return result::full;
    // Each queue has room for all slots: it refuses one only for the moment that another thread needs to finish its call.
    if (event.construct) {
        try {
            event.construct(payload_of(slot), event);
        } catch (...) {
            while (!numbers_->free.try_push(slot)) {
            }
            throw;
        }
    }
    new (&head(slot)) slot_head{{core_.events[number].type, number, no_index, event.construct != nullptr, false}, none, tag};
    while (!numbers_->posted.try_push(slot)) {
    }
    return result::queued;
}

std::size_t mailbox_queue::gather() {
    give_back();
    std::uint32_t slot;
    while (numbers_->posted.try_pop(slot)) {
        (first_ == none ? first_ : head(last_).next) = slot;
        last_ = slot;
        ++waiting_;
    }
    return waiting_;
}

std::uint32_t mailbox_queue::take_first() {
    HSM_ASSERT(waiting_ > 0);
    const auto slot = first_;
    first_ = head(slot).next;
    --waiting_;
    return slot;
}

const event_queue::entry& mailbox_queue::take() {
    HSM_ASSERT(in_hand_ == none);
    in_hand_ = take_first();
    return head(in_hand_).entry;
}

const void* mailbox_queue::payload() const {
    static constexpr named_event only_a_name;
    return head(in_hand_).entry.constructed ? payload_of(in_hand_) : static_cast<const void*>(&only_a_name);
}

std::uint64_t mailbox_queue::tag() const { return head(in_hand_).tag; }

void mailbox_queue::done() {
    HSM_ASSERT(in_hand_ != none);
    destroy(in_hand_);
    in_hand_ = none;
}

void mailbox_queue::clear() {
    for (auto n = gather(); n > 0; --n) destroy(take_first());
}

void mailbox_queue::destroy(std::uint32_t slot) {
    auto& of = head(slot);
    if (of.entry.constructed) of.entry.type->destroy(payload_of(slot));
    of.next = used_;
    used_ = slot;
    give_back();
}

/// As many as are taken; the rest is tried again.
void mailbox_queue::give_back() {
    while (used_ != none) {
        const auto next = head(used_).next; // once it is given back, it is a poster's
        if (!numbers_->free.try_push(used_)) return;
        used_ = next;
    }
}

} // namespace hsm
