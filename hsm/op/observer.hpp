/// Who is told what a machine does. Derive from it, and attach it: `auto seen = agent.attach(my_observer);`
///
/// It is called in the thread of the machine, while the call is in progress that it is told about. It must not call the machine, which is busy
/// then; what it throws is kept, and thrown after the call, unless a hook throws as well. A machine that is observed does the same as one
/// that is not.
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

/// Of a constant instance.
struct constant_moment {
    const chart_base& (*chart)();
    std::uint16_t leaf; ///< its state; all ones: it is not started
    std::int64_t now;
    const event_ref* event;
};
} // namespace detail

/// What can be asked about a record, as long as the observer is told it.
class moment {
public:
    explicit moment(const detail::machine& m) : machine_(&m) {}
    explicit moment(const detail::constant_moment& c) : constant_(&c) {}

    chart_base chart() const; ///< whose numbers these are
    /// Of a crowd, or the place of a machine of a manager, with the low 16 bits of its generation: what `call` records say. Else 0.
    std::uint32_t agent() const;
    std::uint16_t generation() const;
    time_span now() const; ///< of the machine's clock
    bool is_in(state_ref state) const;
    /// The event that is being handled, with its payload: of what type it is says event_ref::type. Null in a call without an event.
    const event_ref* event() const;
    /// What `std::string describe(const Event&)` says of it, found by argument-dependent lookup; empty without an event, or without such a function.
    std::string describe_event() const;

private:
    const detail::machine* machine_ = nullptr;
    const detail::constant_moment* constant_ = nullptr;
};

/// Where records are put without a call as long as there is room.
struct record_buffer {
    record* next = nullptr;
    record* end = nullptr;
};

class observer {
public:
    virtual ~observer() = default;
    /// Before the first record of a machine, whatever kinds of records are asked for.
    virtual void on_attached(const moment&) {}
    virtual void on_record(const record& r, const moment& when) = 0;
    /// For one that does nothing but keep records: as long as there is room here, and nobody else observes the machine, on_record is not called.
    virtual record_buffer* buffer() { return nullptr; }

    /// Does it want to be told of each call from outside, with what is asked for (input.hpp)? Asked once, when it is attached.
    virtual bool wants_inputs() const { return false; }
    /// Before the call begins, and only if the machine is in none. What its own hooks ask of it is no input.
    virtual void on_input(const input&, const moment&) {}
};

} // namespace hsm
