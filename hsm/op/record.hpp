/// The records that observers receive: a record of 16 bytes for each step of a machine.
///
/// Records contain numbers; the chart contains the meanings of the numbers (hsm/chart/view.hpp). The comments below name the members that a record of
/// each kind uses. `no_state` and `no_number` mean that there is no such state or number. docs/guide/tracing.md, "Records", has a table of all kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hsm {

enum class record_kind : std::uint8_t {
    more,       ///< continues the previous record. what: how many 16-bit numbers (at most seven) or bytes of text follow
    call,       ///< a call begins. what: call_kind; state: generation of the agent, low 16 bits; number: agent; value: the clock, in nanoseconds
    call_end,   ///< a call ends. what: result, or record::thrown; number: agent; value: the clock
    event,      ///< an event is handled. what: event_origin; number: event, no_number: no transition waits for it; value: enumerator or byte
    guard,      ///< a guard was called. what: guard_answer; state: its state; number: guard or condition group; value: transition, or no_number
    transition, ///< a transition begins. what: reason; state: source; number: transition, no_number: not in the chart; value: target, no_state: none
    exited,     ///< the exit hooks of a state have run. state: that state
    action,     ///< an action runs. state: source; number: hook; value: transition
    entered,    ///< the enter hooks of a state begin. state: that state
    arrived,    ///< a transition ends in a leaf. state: that leaf, or the leaf of a region
    updated,    ///< the update hooks of a state have run. state: that state
    held,       ///< a transition waits for a state. what: held_kind; state: that state; number: transition, no_number: a request
    released,   ///< a state that was holding can be exited. state: that state
    deferred,   ///< an event was stored for a later state. number: event
    recalled,   ///< a deferred event was consumed, and is no longer stored. number: event
    refused,    ///< a transition or request is rejected: a pending one has priority. state: source; number: transition, no_number: a request
    dropped,    ///< hsm drops an event or request that waits or would have to wait. what: drop_reason; number: event, no_number: a request
    finished,   ///< a state is finished. state: that state
    armed,      ///< a timer was started, changed or canceled. state: its state; number: timer; value: when it is due; 2^63 - 1: never
    due,        ///< a transition is due. state: its source; number: timer
    condition,  ///< a condition was changed. what: condition_step; number: condition
    error,      ///< a hook has thrown. what: hook_place; state: its state; a configuration follows
    configuration, ///< the active states. what: configuration_reason; state: first leaf; number: leaf count; value: clock; other leaves follow
    lost,          ///< records are missing in a ring or a file. value: how many are missing before the next record
    scored, ///< a candidate can be chosen. what: 0 if the score is invalid; state: its source; number: transition; value: the bits of its score
    leave_requested, ///< on_leave_requested of a state begins. state: that state; number: the transition that waits, no_number: a request
};
inline constexpr std::size_t record_kind_count = 26;

enum class call_kind : std::uint8_t {
    none,
    start,
    stop,
    restart,
    destroy,
    tick,
    decide,
    update,
    process,
    drain,
    change_to,
    force_to,
    reset,
    set_state,
    take_over,
    restore,
};

/// The origin of an event.
enum class event_origin : std::uint8_t {
    call,
    internal, ///< processed by a hook
    posted,
    mailbox,
    pending, ///< it waited for a holding state
    deferred,
};

enum class guard_answer : std::uint8_t {
    no,
    yes,
    conditions_no, ///< a group of conditions does not hold
    conditions_yes,
};

enum class held_kind : std::uint8_t {
    polled, ///< a polled transition, which is tried again in this tick after the update of the holding state
    event,
    request,
};

enum class drop_reason : std::uint8_t {
    full,     ///< no queue has room
    over,     ///< the machine was stopped or reset
    left,     ///< the source of the pending transition was exited
    replaced, ///< a transition or request of higher or equal priority is pending instead
    refused,  ///< it was tried, and its guards were false
};

enum class condition_step : std::uint8_t { off, on, pulse, pulse_over };

/// The place where a hook has thrown.
enum class hook_place : std::uint8_t {
    inside,   ///< between transitions: an update, a guard, an internal reaction
    entering, ///< a hook of the state that is being entered
    exiting,  ///< a hook of the state that is being exited
    between,  ///< an action, or an entry choice; the state is the innermost state around it
    outside,  ///< on_init, on_destroy
};

enum class configuration_reason : std::uint8_t {
    attached, ///< a trace begins
    start,
    stop,
    reset,
    set_state,
    take_over,
    aborted, ///< a hook has thrown
    restored,
};

struct record {
    record_kind kind = record_kind::more;
    std::uint8_t what = 0;
    std::uint16_t state = no_state;
    std::uint32_t number = no_number;
    std::uint64_t value = 0;

    static constexpr std::uint16_t no_state = 0xffff;
    static constexpr std::uint32_t no_number = 0xffff'ffff;
    static constexpr std::uint8_t thrown = 0xff; ///< instead of the result of a call

    friend constexpr bool operator==(const record&, const record&) = default;
};
static_assert(sizeof(record) == 16);

/// Kinds of records, selected when an observer is attached: `record_kind::entered | record_kind::exited`.
class record_kinds {
public:
    constexpr record_kinds() = default;
    constexpr record_kinds(record_kind one) : bits_(std::uint32_t(1) << static_cast<unsigned>(one)) {}
    static constexpr record_kinds all() { return record_kinds((std::uint32_t(1) << record_kind_count) - 1); }

    constexpr bool has(record_kind one) const { return bits_ >> static_cast<unsigned>(one) & 1; }
    constexpr std::uint32_t bits() const { return bits_; }
    constexpr record_kinds without(record_kinds others) const { return record_kinds(bits_ & ~others.bits_); }
    friend constexpr record_kinds operator|(record_kinds a, record_kinds b) { return record_kinds(a.bits_ | b.bits_); }
    friend constexpr bool operator==(record_kinds, record_kinds) = default;

private:
    constexpr explicit record_kinds(std::uint32_t bits) : bits_(bits) {}

    std::uint32_t bits_ = 0;
};
constexpr record_kinds operator|(record_kind a, record_kind b) { return record_kinds(a) | record_kinds(b); }

/// The records from which the active states can be determined at every moment.
inline constexpr record_kinds state_records = record_kind::exited | record_kind::entered | record_kind::configuration | record_kind::more;

std::string_view to_string(record_kind value);
std::string_view to_string(call_kind value);
std::string_view to_string(event_origin value);
std::string_view to_string(drop_reason value);
std::string_view to_string(configuration_reason value);
std::string_view to_string(hook_place value);

using held_thing [[deprecated("renamed to held_kind")]] = held_kind;

} // namespace hsm
