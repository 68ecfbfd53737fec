/// The results of explain, why_not and possible: the reasons why transitions fire or do not fire. Results are plain data that name parts of the chart
/// by numbers. The view in a result `e` finds the part with the number `n`: e.chart.transition(n), .state(n), .guard(n), .condition(n), .event(n).
/// to_string converts results to text.
///
/// An explanation refers to the chart. The chart must exist when you use the explanation's view or call to_string.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

inline constexpr std::uint32_t no_number = 0xffff'ffff;

/// The obstacles that can prevent a transition. Parentheses list the fields of `obstacle` that are set.
enum class obstacle_kind : std::uint8_t {
    // Its own requirements.
    guard,         ///< its guard returns false (guard)
    guard_error,   ///< its guard throws, which means false in a chart with compile_options::guard_error (guard, error)
    condition,     ///< a condition does not have the required value (condition, wanted)
    any_condition, ///< none of several conditions has the required value; each is an obstacle of this kind (condition, wanted; group)
    joined,        ///< a state that must also be active is not active (state)
    excluded,      ///< a state that must not be active is active (state)
    not_due,       ///< its delay has not passed (left)
    cools_down,    ///< its cooldown has not passed (left)
    used_up,       ///< it has already fired in this activation of its source (state), or its timer was canceled
    not_finished,  ///< its source is not finished (state)
    asks_event,    ///< its guard takes the event object, but the query contains no event (guard)
    not_asked,     ///< its guard takes a local of a state that is not active (guard, state)

    // Active states.
    inactive_source, ///< its source is not active (state)
    needs_event,     ///< it needs an event (event)
    satisfied,       ///< its target is already active
    not_scored,      ///< a guard or a score of its source's candidates takes a local of a state that is not active (state)
    no_score,        ///< its score is 0 or invalid
    not_chosen,      ///< its source chooses another candidate (transition)
    other_entry,     ///< on the way in, an entry choice leads elsewhere (transition), or the machine returns to its last state (state)

    // Holding and waiting.
    held_until_released, ///< it would exit a state that holds until released (state)
    held_by_guard,       ///< a state holds until its predicate is true (state, guard)
    held_for,            ///< a state holds for a remaining time (state, left)
    lower_priority,      ///< it would have to wait, but a transition of higher priority already waits (transition; none for a request)
    waits_first,         ///< an earlier transition of its level waits for a holding state (transition)

    // Other transitions.
    barred,     ///< an earlier transition of its source and level has an active target (transition)
    goes_first, ///< a transition that is evaluated earlier is taken (transition)
    conflict,   ///< another region takes a transition that exits the same states (transition)
    deferral,   ///< a state inside its source defers the event (transition)
};

struct obstacle {
    obstacle_kind kind;
    bool wanted = true;
    std::uint16_t group = 0; ///< of any_condition: equal for conditions of one group
    std::uint32_t state = no_number;
    std::uint32_t guard = no_number;
    std::uint32_t condition = no_number;
    std::uint32_t transition = no_number;
    std::uint32_t event = no_number;
    std::uint32_t choice = no_number; ///< the obstacle concerns this entry choice on the way to the target, not the candidate itself
    time_span left = {};
    std::string error = {};

    friend bool operator==(const obstacle&, const obstacle&) = default;
};

/// A transition that was evaluated, or would be evaluated if no earlier transition fired. A deferral is also a candidate.
struct candidate {
    std::uint32_t transition = no_number;
    std::uint32_t unasked = 0;            ///< the number of its guards that were not evaluated
    std::vector<obstacle> obstacles = {}; ///< empty: the transition would be taken
    double score = -1;                    ///< if its source chooses by score or by chance; negative: it was not computed

    bool taken() const { return obstacles.empty(); }
    bool has(obstacle_kind kind) const {
        for (const auto& o : obstacles)
            if (o.kind == kind) return true;
        return false;
    }
};

/// Waiting work that can run before the event, tick or transition of the query.
struct waiting_item {
    enum kind_of : std::uint8_t {
        event,         ///< a pending event; a state holds its transition (transition, event)
        request,       ///< a pending request (state: target)
        transition,    ///< in an event query: a polled transition that has waited since the last tick for an update of the holding state (transition)
        deferred,      ///< a deferred event, which waits until a transition with a target fires (event)
        completion,    ///< a finished state whose completion was not tried yet (state)
        rest,          ///< a machine without an active substate, which tries its entry choices in the next tick (state)
        queued,        ///< posted events, including those in the mailbox (count)
        leave_request, ///< on_leave_requested has run or will run (state: the holding state; transition: a polled one, if one waits)
    } kind;
    bool comes_first = false; ///< whether the item runs before the subject of the query
    std::uint32_t transition_number = no_number;
    std::uint32_t event_number = no_number;
    std::uint32_t state = no_number;
    std::uint32_t count = 1;
    std::vector<obstacle> obstacles = {}; ///< the holding states; if the item comes first: the reasons why it would be dropped
};

struct explanation {
    enum subject_of : std::uint8_t { an_event, a_tick, a_target, a_transition } subject = an_event;
    hsm::result outcome = result::unhandled; ///< as returned by can(); for a tick: taken, unhandled, inactive
    std::uint32_t number = no_number;        ///< of the event, the target or the first transition; no_number if no transition waits for the event
    std::string hint = {};                   ///< for a name that no transition waits for: a similar name
    std::vector<candidate> candidates = {};  ///< in the order of evaluation
    std::vector<waiting_item> waiting = {};  ///< pending and waiting work, and the reasons why it waits
    chart_view chart = {};                   ///< the meaning of the numbers

    explicit operator bool() const { return outcome == result::taken || outcome == result::internal; }
    /// Returns whether other work comes first, which can change the result.
    bool something_comes_first() const {
        for (const auto& w : waiting)
            if (w.comes_first) return true;
        return false;
    }
};

/// A transition that could fire now.
struct possibility {
    std::uint32_t transition = no_number;
    std::uint32_t event = no_number; ///< no_number if polled
    bool perhaps = false;            ///< it depends on a guard that takes the event object: its own guard, or a guard of an earlier transition
};

struct possibilities {
    std::vector<possibility> all = {}; ///< sorted by event number; polled transitions are last
    chart_view chart = {};             ///< the meaning of the numbers

    bool empty() const { return all.empty(); }
};

/// Returns a line for the query, a line for each candidate and a line for each item of waiting work:
///
///     on hit: guarded
///       mob -> mob/dead on hit: its guard "no life" returns false
std::string to_string(const explanation& e);
/// Returns one line for each possibility: "hit: mob/idle -> mob/run on hit", "tick: mob/run -> mob/idle", "perhaps hit: ...".
std::string to_string(const possibilities& p);
/// Returns the text of one obstacle.
std::string to_string(const explanation& e, const obstacle& o);

using waiting_thing [[deprecated("renamed to waiting_item")]] = waiting_item;

} // namespace hsm
