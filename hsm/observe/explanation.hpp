/// Why transitions do not fire, or that they would: what explain, why_not and possible answer. Plain data over the numbers of the chart's
/// tables, which are those of the chart's view: e.chart.transition(n), .state(n), .guard(n), .condition(n), .event(n). to_string makes lines
/// for people of it.
///
/// An explanation is a value of its own. It refers to the chart, which must be there when its view is asked, and its text is made.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

inline constexpr std::uint32_t no_number = 0xffff'ffff;

/// What stands in the way of a transition. In brackets: the fields of `obstacle` that say more.
enum class obstacle_kind : std::uint8_t {
    // Its own words.
    guard,         ///< its guard refuses (guard)
    guard_error,   ///< its guard throws, which refuses in a chart with compile_options::guard_error (guard, error)
    condition,     ///< a condition is not as it wants it (condition, wanted)
    any_condition, ///< it wants one of several, and none is so: each of them is an obstacle of this kind (condition, wanted; group)
    joined,        ///< a state that must be active as well is not (state)
    excluded,      ///< a state is active that must not be (state)
    not_due,       ///< its time has not come (left)
    used_up,       ///< its time has come already: once in each activation of its source (state)
    not_finished,  ///< its source is not over (state)
    asks_event,    ///< its guard takes the event's object, and the question was asked without one (guard)
    not_asked,     ///< its guard takes a local of a state that is not active (guard, state)

    // What is active.
    inactive_source, ///< its source is not active (state)
    needs_event,     ///< it fires by an event only (event)
    satisfied,       ///< its target is active already
    other_entry,     ///< on the way in, an entry choice leads elsewhere (transition), or goes back to where its machine was left (state)

    // What holds it, or waits.
    held_until_released, ///< a state that would be left holds until it is released (state)
    held_by_guard,       ///< a state holds until its predicate agrees (state, guard)
    held_for,            ///< a state holds for some time still (state, left)
    lower_priority,      ///< it would have to wait, and one of higher priority waits there already (transition; a request has none)
    waits_first,         ///< an earlier one of its level waits for a state that holds (transition)

    // What goes before it.
    barred,     ///< an earlier one of its source and level is satisfied (transition)
    goes_first, ///< one is taken that is asked before it (transition)
    conflict,   ///< one of another region is taken that leaves the same states (transition)
    deferral,   ///< a state inside its source keeps the event for later (transition)
};

struct obstacle {
    obstacle_kind kind;
    bool wanted = true;
    std::uint16_t group = 0; ///< of any_condition: those of one group have the same number
    std::uint32_t state = no_number;
    std::uint32_t guard = no_number;
    std::uint32_t condition = no_number;
    std::uint32_t transition = no_number;
    std::uint32_t event = no_number;
    std::uint32_t choice = no_number; ///< it is not the candidate itself that it is about, but an entry choice on its way in: which transition
    time_span left = {};
    std::string error = {};

    friend bool operator==(const obstacle&, const obstacle&) = default;
};

/// A transition that was asked, or would have been. What a state does to keep an event is one, too.
struct candidate {
    std::uint32_t transition = no_number;
    std::uint32_t unasked = 0;            ///< so many of its guards were not asked
    std::vector<obstacle> obstacles = {}; ///< none: it would be taken

    bool taken() const { return obstacles.empty(); }
    bool has(obstacle_kind kind) const {
        for (const auto& o : obstacles)
            if (o.kind == kind) return true;
        return false;
    }
};

/// What is kept for later, and may come before what was asked about.
struct waiting_thing {
    enum kind_of : std::uint8_t {
        event,      ///< an event pending: a state holds its transition (transition, event)
        request,    ///< a request pending (state: where to)
        transition, ///< before an event: a polled transition that waits since the last tick for an update of what holds it (transition)
        deferred,   ///< an event that a state keeps: until a transition with a target fires (event)
        completion, ///< a state that is over, and whose completion has not been tried (state)
        rest,       ///< a machine that chooses anew where to go, in the next tick (state)
        queued,     ///< events that were posted, also to the mailbox (count)
    } kind;
    bool comes_first = false; ///< before what was asked about
    std::uint32_t transition_number = no_number;
    std::uint32_t event_number = no_number;
    std::uint32_t state = no_number;
    std::uint32_t count = 1;
    std::vector<obstacle> obstacles = {}; ///< what holds it; of what comes first: why it would be dropped
};

struct explanation {
    enum subject_of : std::uint8_t { an_event, a_tick, a_target } subject = an_event;
    hsm::result outcome = result::unhandled; ///< as can(), or of a tick: taken, unhandled, inactive
    std::uint32_t number = no_number;        ///< of the event, or the target; none: no transition waits for it
    std::string hint = {};                   ///< for a name that no transition waits for: which one may have been meant
    std::vector<candidate> candidates = {};  ///< in the order in which they would be asked
    std::vector<waiting_thing> waiting = {}; ///< what is pending, or waits, and why
    chart_view chart = {};                   ///< says what the numbers mean

    explicit operator bool() const { return outcome == result::taken || outcome == result::internal; }
    /// Does something come before, so that things may be different by then?
    bool something_comes_first() const {
        for (const auto& w : waiting)
            if (w.comes_first) return true;
        return false;
    }
};

/// What could happen now.
struct possibility {
    std::uint32_t transition = no_number;
    std::uint32_t event = no_number; ///< none: it is polled
    bool perhaps = false;            ///< it, or one before it, has a guard that takes the event's object: that guard decides
};

struct possibilities {
    std::vector<possibility> all = {}; ///< by the event's number, then the polled ones
    chart_view chart = {};             ///< says what the numbers mean

    bool empty() const { return all.empty(); }
};

/// A line for what was asked, and one for each candidate and each thing that waits:
///
///     on hit: guarded
///       mob -> mob/dead on hit: its guard "no life" refuses
std::string to_string(const explanation& e);
/// A line each: "hit: mob/idle -> mob/run on hit", "tick: mob/run -> mob/idle", "perhaps hit: ...".
std::string to_string(const possibilities& p);
/// One obstacle of that explanation.
std::string to_string(const explanation& e, const obstacle& o);

} // namespace hsm
