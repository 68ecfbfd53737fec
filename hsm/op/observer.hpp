/// The base class for observers of a machine. Derive from it and attach it: `auto seen = agent.attach(my_observer);`
///
/// An observer is called in the machine's thread, during the observed call. It must not call the machine, which is busy. If the observer throws an
/// exception, the exception is rethrown after the call, unless a hook throws as well. An observed machine behaves like an unobserved one.
#pragma once

#include <hsm/op/record.hpp>

#include <string>

namespace hsm {

class chart_base;
class state_ref;
class time_span;
struct event_ref;
struct input;

namespace detail {
struct machine;

/// The moment of a constant instance.
struct constant_moment {
    const chart_base& (*chart)();
    std::uint16_t leaf; ///< its state; all ones: not started
    std::int64_t now;
    const event_ref* event;
};
} // namespace detail

/// Information about a record. Valid while the observer handles the record.
class moment {
public:
    explicit moment(const detail::machine& m) : machine_(&m) {}
    explicit moment(const detail::constant_moment& c) : constant_(&c) {}

    chart_base chart() const; ///< the chart that numbers refer to
    /// Returns the number of an agent in a crowd, or the slot of a machine in a manager, as in `call` records. For other machines, returns 0.
    /// generation() returns only the low 16 bits of the generation.
    std::uint32_t agent() const;
    std::uint16_t generation() const;
    time_span now() const; ///< the time of the machine's clock
    bool is_in(state_ref state) const;
    /// Returns the current event with its payload. event_ref::type is the type of the payload. Returns null in a call without an event.
    const event_ref* event() const;
    /// Returns the result of `std::string describe(const Event&)` for the current event, found by argument-dependent lookup. Returns an empty string
    /// if there is no event or no such function.
    std::string describe_event() const;

private:
    const detail::machine* machine_ = nullptr;
    const detail::constant_moment* constant_ = nullptr;
};

/// A buffer for records. While the buffer has room, records are stored in it without a call to the observer.
struct record_buffer {
    record* next = nullptr;
    record* end = nullptr;
};

class observer {
public:
    virtual ~observer() = default;
    /// Called before the first record of a machine, whatever kinds of records are selected.
    virtual void on_attached(const moment&) {}
    virtual void on_record(const record& r, const moment& when) = 0;
    /// Returns a buffer if the observer only stores records, otherwise null. While the buffer has room and the machine has no other observer,
    /// on_record is not called.
    virtual record_buffer* buffer() { return nullptr; }

    /// Returns whether on_input is called for each call from outside (input.hpp). hsm calls this function once, when the observer is attached.
    virtual bool wants_inputs() const { return false; }
    /// Called before a call from outside begins, but only if the machine is not in another call. Calls by the machine's own hooks are not inputs.
    virtual void on_input(const input&, const moment&) {}
};

} // namespace hsm
