#include <hsm/run/detail/event_queue.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/mailbox.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace hsm::detail {

namespace {

std::size_t payload_offset(const chart_core& core) { return aligned(sizeof(event_queue::entry), core.event_alignment); }
std::size_t stride_of(const chart_core& core) {
    return aligned(payload_offset(core) + core.event_size, std::max<std::size_t>(core.event_alignment, alignof(event_queue::entry)));
}
} // namespace

event_queue::event_queue(std::size_t capacity, const chart_core& core, std::byte* memory)
    : core_(*core.owner), memory_(memory + payload_offset(core)), front_(memory_), back_(memory_), stride_(stride_of(core)),
      end_(memory_ + memory_size(capacity, core)) {}

event_queue::~event_queue() { clear(); }

std::size_t event_queue::memory_size(std::size_t capacity, const chart_core& core) { return (capacity + 1) * stride_of(core); }

void event_queue::clear() {
    while (!empty()) {
        back_ = (back_ == memory_ ? end_ : back_) - stride_;
        destroy_payload(back_);
    }
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

namespace {

constexpr std::uint32_t most_slots = 1 << 24;

std::uint32_t possible(std::uint32_t slots, const chart_core& core) {
    if (slots <= most_slots) return slots;
    throw usage_error({code::bad_option, core.root->path(),
                       "the mailbox has " + std::to_string(slots) + " slots, more than " + std::to_string(most_slots),
                       "set instance_options::mailbox to the number of events that are posted between two ticks"});
}

atomic_view<std::uint32_t> atomic(std::uint32_t& word) { return atomic_view(word); }
} // namespace

mailbox_queue::mailbox_queue(std::uint32_t capacity, const chart_core& core)
    : core_(core.owner), capacity_(possible(capacity, core)), alignment_(std::max<std::size_t>(core.event_alignment, alignof(slot_head))),
      payload_offset_(aligned(sizeof(slot_head), core.event_alignment)), stride_(aligned(payload_offset_ + core.event_size, alignment_)),
      payloads_(static_cast<std::byte*>(::operator new(capacity_* stride_, std::align_val_t(alignment_))) + payload_offset_) {
    for (std::uint32_t slot = 0; slot < capacity_; ++slot) new (&head(slot)) slot_head{slot + 1 < capacity_ ? slot + 1 : none, {}, false, 0};
}

mailbox_queue::~mailbox_queue() {
    clear();
    ::operator delete(payloads_ - payload_offset_, std::align_val_t(alignment_));
}

// Only the owner of a slot writes `next`, but a poster that lost a race may read it.
inline void mailbox_queue::set_next(std::uint32_t slot, std::uint32_t next) { atomic(head(slot).next).store<order::relaxed>(next); }

/// The slot below the top can be outdated when it is read. The exchange then fails, because the number of the top has changed.
HSM_ALWAYS_INLINE inline mailbox_queue::slot_head* mailbox_queue::take_free(std::uint32_t& slot) {
    const atomic_view top(free_);
    for (auto now = top.load<order::acquire>();;) {
        slot = static_cast<std::uint32_t>(now);
        if (slot == none) return nullptr;
        auto& taken = head(slot);
        const auto below = atomic(taken.next).load<order::relaxed>();
        if (top.compare_exchange_weak<order::acquire, order::acquire>(now, changed_top(now, below))) return &taken;
    }
}

result mailbox::put(const event_ref& event) { return static_cast<mailbox_queue&>(*this).put(event); }

/// Stores an event. Its construct function copies or moves the payload.
HSM_ALWAYS_INLINE inline result mailbox_queue::put_in(std::uint32_t column, const event_ref& event, std::uint64_t tag) {
    std::uint32_t slot;
    auto* const taken = take_free(slot);
    if (slot == none) return result::full;
    auto& posted = *taken;
    posted.entry = queued_entry::of_event(column, event);
    posted.is_reported = false;
    posted.tag = tag;
    try {
        if (event.construct) event.construct(payload_in(posted), event);
    } catch (...) {
        give_back(slot, posted);
        throw;
    }
    const auto last = atomic(posted_);
    auto below = last.load<order::relaxed>();
    do atomic(posted.next).store<order::relaxed>(below);
    while (!last.compare_exchange_weak<order::release, order::relaxed>(below, slot));
    return result::queued;
}

/// Stores an event whose name must be copied.
HSM_NOINLINE result mailbox_queue::put_name(std::uint32_t column, const event_ref& event, std::uint64_t tag) {
    return put_in(column, core_->storable_event(event, core_->column_events[column]), tag);
}

result mailbox_queue::put(const event_ref& event, std::uint64_t tag) {
    const auto column = core_->find_column(event);
    if (core_->column_events[column] == no_index) return result::unhandled;
    if (core_->has_event_names) [[unlikely]]
        return put_name(column, event, tag);
    return put_in(column, event, tag);
}

std::size_t mailbox_queue::gather() {
    const auto posted = atomic(posted_);
    if (posted.load<order::relaxed>() == none) return waiting();
    const auto last = posted.exchange<order::acquire>(none);
    auto first = none; // the stack has the newest on top: reverse it
    auto* const first_head = &head(0);
    const auto stride = stride_;
    auto gathered = gathered_;
    for (auto slot = last; slot != none; ++gathered) {
        const auto next = atomic(reinterpret_cast<slot_head*>(reinterpret_cast<std::byte*>(first_head) + slot * stride)->next);
        const auto before = next.load<order::relaxed>();
        next.store<order::relaxed>(first);
        first = std::exchange(slot, before);
    }
    gathered_ = gathered;
    if (first_ == none)
        first_ = first;
    else
        set_next(last_, first);
    last_ = last;
    return waiting();
}

std::size_t mailbox_queue::reported() const {
    std::size_t n = 0;
    for (auto slot = first_; n < waiting() && head(slot).is_reported; slot = next_of(slot)) ++n;
    return n;
}

void mailbox_queue::put_recorded(const event_ref& event, std::uint64_t tag) {
    gather();
    drop_unreported();
    put(event, tag);
    gather();
    each_unreported([](const event_queue::entry&, const void*, std::uint64_t) {});
}

void mailbox_queue::drop_unreported() {
    const auto stay = reported();
    auto last = none, slot = first_;
    for (std::size_t i = 0; i < stay; ++i) slot = next_of(last = slot);
    for (; waiting() > stay; --gathered_) {
        const auto next = next_of(slot);
        destroy(slot);
        slot = next;
    }
    last_ = last;
    if (stay == 0)
        first_ = none;
    else
        set_next(last, none);
}

std::uint32_t mailbox_queue::take_first() {
    HSM_ASSERT(waiting() > 0);
    const auto slot = first_;
    first_ = next_of(slot);
    ++taken_;
    return slot;
}

void mailbox_queue::clear() {
    for (auto n = gather(); n > 0; --n) destroy(take_first());
}

void mailbox_queue::exchange(mailbox_queue& other) noexcept {
    std::swap(core_, other.core_);
    std::swap(alignment_, other.alignment_);
    std::swap(payload_offset_, other.payload_offset_);
    std::swap(stride_, other.stride_);
    std::swap(payloads_, other.payloads_);
    std::swap(free_, other.free_);
    std::swap(posted_, other.posted_);
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    std::swap(taken_, other.taken_);
    std::swap(gathered_, other.gathered_);
}

mailbox_queue::refill::refill(mailbox_queue& box, std::size_t count) : box_(box) {
    for (auto there = box.gather(); there < count && has_room_; ++there) {
        std::uint32_t slot;
        box.take_free(slot);
        has_room_ = slot != none;
        if (has_room_) keep_slot(slot);
    }
}

mailbox_queue::refill::~refill() {
    while (free_ != none) {
        const auto slot = free_;
        free_ = box_.next_of(slot);
        box_.give_back(slot);
    }
}

void mailbox_queue::refill::keep_slot(std::uint32_t slot) {
    box_.set_next(slot, free_);
    free_ = slot;
}

void mailbox_queue::refill::clear() {
    for (auto n = box_.waiting(); n > 0; --n) {
        const auto slot = box_.take_first();
        box_.head(slot).entry.destroy(*box_.core_, box_.payload_of(slot));
        keep_slot(slot);
    }
}

void mailbox_queue::refill::push(const event_queue::entry& e, std::uint64_t tag) {
    const auto slot = free_;
    free_ = box_.next_of(slot);
    box_.head(slot).entry = e;
    box_.head(slot).is_reported = true; // the image contains it
    box_.head(slot).tag = tag;
    box_.set_next(slot, none);
    if (box_.waiting() == 0)
        box_.first_ = slot;
    else
        box_.set_next(box_.last_, slot);
    ++box_.gathered_;
    box_.last_ = slot;
}

void mailbox_queue::destroy(std::uint32_t slot) {
    if (core_->has_event_objects) head(slot).entry.destroy(*core_, payload_of(slot));
    give_back(slot);
}

} // namespace hsm
