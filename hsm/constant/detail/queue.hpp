/// The queues in a constant instance: rings of slots.
#pragma once

#include <hsm/constant/detail/rows.hpp>

#include <cstddef>
#include <string_view>

namespace hsm {

/// The queue parameter of `constant_instance`: the number of events that hooks can queue with `process`, and the number of events that can wait after
/// `post`. 0: no queue. `Deferred`: the number of deferred events, if a state defers events.
template <std::size_t Slots, std::size_t Posted = 0, std::size_t Deferred = 16> struct queue {
    static_assert(Slots < 255 && Posted < 255 && 0 < Deferred && Deferred < 255);
    static constexpr std::size_t slots = Slots;
    static constexpr std::size_t posted = Posted;
    static constexpr std::size_t deferred = Deferred;
};

} // namespace hsm

namespace hsm::detail {

template <class Chart> consteval std::size_t constant_largest(std::uint32_t constant_event_type::*what) {
    std::uint32_t most = 1;
    for (const auto& type : Chart::tables.types) most = type.*what > most ? type.*what : most;
    return most;
}

/// A place for an event.
template <class Chart> struct constant_slot {
    alignas(constant_largest<Chart>(&constant_event_type::alignment)) std::byte object[constant_largest<Chart>(&constant_event_type::size)];
    std::int64_t value; ///< of an enumerator or a byte
    std::uint16_t type;

    /// construct(object) constructs the event.
    template <class Construct> void fill(std::size_t of_type, std::int64_t v, const Construct& construct) {
        type = static_cast<std::uint16_t>(of_type);
        value = v;
        construct(object);
    }
    void destroy() { Chart::tables.types[type].type.address->destroy_at(object); }
};

/// `Origin`: of its events in records.
template <class Chart, std::size_t Slots, event_origin Origin> class constant_queue {
public:
    static constexpr auto origin = Origin;

    constant_queue() = default;
    constant_queue(const constant_queue&) = delete;
    ~constant_queue() { clear(); }

    bool empty() const { return count_ == 0; }
    bool full() const { return count_ - handled_ == Slots; }
    std::size_t size() const { return count_; }

    template <class E> void push(const E& event, std::size_t type, std::int64_t value) {
        slots_[(first_ + count_) % (Slots + 1)].fill(type, value, [&](void* slot) { new (slot) E(event); });
        ++count_;
    }
    /// Begins to handle the first event. It stays until pop, but its slot no longer counts.
    void begin() { handled_ = 1; }
    std::size_t type() const { return slots_[first_].type; }
    std::int64_t value() const { return slots_[first_].value; } ///< of an enumerator or a byte
    const void* object() const { return slots_[first_].object; }
    void pop() {
        slots_[first_].destroy();
        first_ = static_cast<std::uint8_t>((first_ + 1) % (Slots + 1));
        --count_;
        handled_ = 0;
    }
    void clear() {
        while (!empty()) pop();
    }
    /// Calls visit(type, value) for each waiting event.
    template <class Visit> void each(Visit visit) const {
        for (std::size_t i = handled_; i < count_; ++i) {
            const auto& s = slots_[(first_ + i) % (Slots + 1)];
            visit(s.type, s.value);
        }
    }

private:
    constant_slot<Chart> slots_[Slots + 1]; // one for the event that is being handled
    std::uint8_t first_ = 0;
    std::uint8_t count_ = 0;
    std::uint8_t handled_ = 0;
};

/// Without a queue.
template <class Chart, event_origin Origin> class constant_queue<Chart, 0, Origin> {
public:
    bool empty() const { return true; }
    std::size_t size() const { return 0; }
    void clear() {}
    template <class Visit> void each(Visit) const {}
};

/// The deferred events, oldest first. Each keeps its slot until it is removed.
template <class Chart, std::size_t Slots> class constant_deferrals {
public:
    constant_deferrals() {
        for (std::size_t i = 0; i < Slots; ++i) order_[i] = static_cast<std::uint8_t>(i);
    }
    constant_deferrals(const constant_deferrals&) = delete;
    ~constant_deferrals() { clear(); }

    std::size_t size() const { return count_; }
    bool full() const { return count_ == Slots; }
    const constant_slot<Chart>& operator[](std::size_t i) const { return slots_[order_[i]]; }
    /// Adds an event. construct(slot) constructs its object. If it throws, no event is added.
    template <class Construct> void push(std::size_t type, std::int64_t value, const Construct& construct) {
        slots_[order_[count_]].fill(type, value, construct);
        ++count_;
    }
    void remove(std::size_t i) {
        const auto freed = order_[i];
        slots_[freed].destroy();
        for (--count_; i < count_; ++i) order_[i] = order_[i + 1];
        order_[i] = freed;
    }
    void clear() {
        while (count_ > 0) remove(count_ - 1u);
    }
    /// Calls visit(type, value) for each event, newest first.
    template <class Visit> void each(Visit visit) const {
        for (auto i = size(); i > 0; --i) visit((*this)[i - 1].type, (*this)[i - 1].value);
    }

private:
    constant_slot<Chart> slots_[Slots];
    std::uint8_t order_[Slots]; ///< all slots; those after `count_` are free
    std::uint8_t count_ = 0;
};

/// Of a chart that defers no events.
template <class Chart> class constant_deferrals<Chart, 0> {
public:
    std::size_t size() const { return 0; }
    void clear() {}
    template <class Visit> void each(Visit) const {}
};

/// Throws queue_error. `name`: of an event to which the definition gives a name.
[[noreturn]] void throw_lost_event(std::string_view root, const event_type& type, std::int64_t value, std::string_view name);

} // namespace hsm::detail
