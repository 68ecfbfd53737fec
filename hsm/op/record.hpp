/// What an observer is told: one record for each thing that happens in a machine, 16 bytes.
///
/// Records are numbers; what they mean stands in the chart (hsm/chart/view.hpp). A record without a comment of its own uses only what its
/// kind names. Numbers that are not there are all ones. docs/guide/tracing.md, "Records", has a table of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hsm {

enum class record_kind : std::uint8_t {
    more,          ///< what the record before it had no room for: what: how many of the seven 16-bit numbers that follow, or bytes of text
    call,          ///< a call begins. what: call_kind; state: generation of the agent, low 16 bits; number: agent; value: the clock, in nanoseconds
    call_end,      ///< what: result, or record::thrown; number: agent; value: the clock
    event,         ///< an event is handled. what: event_origin; number: event, no_number: nobody waits for it; value: of an enumerator or a byte
    guard,         ///< a guard was asked. what: guard_answer; state: whose; number: guard, or group of conditions; value: transition, or no_number
    transition,    ///< begins. what: reason; state: source; number: transition, no_number: none that was defined; value: the target, no_state: none
    exited,        ///< state: its exits are over
    action,        ///< an action runs. state: source; number: hook; value: transition
    entered,       ///< state: its entries begin
    arrived,       ///< state: the leaf in which a transition ends, or a region of it
    updated,       ///< state: its update hooks have run
    held,          ///< something waits until a state may be left. what: held_thing; state: that one; number: transition, no_number: a request
    released,      ///< state: whatever holds it, it may be left
    deferred,      ///< number: event. It is kept for a later state
    recalled,      ///< number: event. It is no longer kept: it was consumed
    refused,       ///< a pending transition has priority. state: source; number: transition, no_number: a request
    dropped,       ///< something is lost that waited, or was to wait. what: drop_reason; number: event, no_number: a request
    finished,      ///< state: it is over
    armed,         ///< a timer begins to run. state: whose; number: timer; value: when it is due, by the clock
    due,           ///< a transition's time has come. state: its source; number: timer
    condition,     ///< was changed. what: condition_step; number: condition
    error,         ///< a hook has thrown. what: hook_place; state: whose; what was half done follows as a configuration
    configuration, ///< what is active. what: configuration_reason; state: the first leaf; number: how many; value: the clock; further ones follow
    lost,          ///< of a ring, or a file: value: how many records are missing before the next one
};
inline constexpr std::size_t record_kind_count = 24;

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

/// Where an event comes from.
enum class event_origin : std::uint8_t {
    call,
    internal, ///< a hook has processed it
    posted,
    mailbox,
    pending, ///< it waited for a state that held
    deferred,
};

enum class guard_answer : std::uint8_t {
    no,
    yes,
    conditions_no, ///< of a group of conditions
    conditions_yes,
};

enum class held_thing : std::uint8_t {
    polled, ///< tried again in this tick, behind the update of the state
    event,
    request,
};

enum class drop_reason : std::uint8_t {
    full,     ///< no queue has room
    over,     ///< the machine was stopped, or reset
    left,     ///< the source of what was pending has been left
    replaced, ///< something of higher or equal priority pends in its place
    refused,  ///< its time came, and its guards refused
};

enum class condition_step : std::uint8_t { off, on, pulse, pulse_over };

/// Where the hook runs that has thrown.
enum class hook_place : std::uint8_t {
    inside,   ///< between transitions: an update, a guard, an internal reaction
    entering, ///< of the state that was being entered
    exiting,  ///< of the state that was being left
    between,  ///< an action, or an entry choice: the state is the innermost around it
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
    static constexpr std::uint8_t thrown = 0xff; ///< in place of a call's result

    friend constexpr bool operator==(const record&, const record&) = default;
};
static_assert(sizeof(record) == 16);

/// Kinds of records, chosen where an observer is attached: `record_kind::entered | record_kind::exited`.
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

/// What has changed of what is active: from these alone it can be told at every moment.
inline constexpr record_kinds state_records = record_kind::exited | record_kind::entered | record_kind::configuration | record_kind::more;

std::string_view to_string(record_kind value);
std::string_view to_string(call_kind value);
std::string_view to_string(event_origin value);
std::string_view to_string(drop_reason value);
std::string_view to_string(configuration_reason value);
std::string_view to_string(hook_place value);

} // namespace hsm
