/// The rows of a chart's tables.
///
/// States are numbered in preorder, so the descendants of s are s+1 to last. Transitions are sorted by source, then by role, then in the order in
/// which they are tried. A hook is a function pointer and the object that it is called with.
#pragma once

#include <hsm/chart/detail/flatten.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/op.hpp>

#include <compare>
#include <cstdint>

namespace hsm::detail {

/// The limit of levels below the root. Many functions recurse from level to level, and the programs of each leaf grow with its depth.
inline constexpr std::size_t most_levels = 1024;
/// The limit for one state.
inline constexpr std::uint32_t most_locals = 8191;
inline constexpr std::uint32_t most_conditions = 65536;
inline constexpr std::uint32_t no_condition = 0xffff'ffff;

/// The part of a condition group that is in one word of the conditions.
struct condition_mask {
    std::uint32_t word;
    std::uint64_t mask;
    std::uint64_t filter;
};

struct group_row {
    std::uint32_t first; ///< its masks
    std::uint32_t count;
    bool any;
    bool tests_finished; ///< it includes bit 0
};

/// The entries from first to first + count - 1 of a table.
struct span_of {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// A hook or a guard.
struct hook_row {
    op_function call;
    const void* self;
    bool step;                                 ///< it needs the cause and its state
    bool event = false;                        ///< it takes the event's payload
    run_function many = nullptr;               ///< of an update: the same hook for many agents
    const local_type* const* locals = nullptr; ///< the locals that it takes
    std::uint32_t local_count = 0;
};
using guard_row = hook_row;

/// The number of the first op of a program, or of a part; 0: nothing to do.
using program = std::uint32_t;

/// A part of a tick: an update, or the decisions of a state at the level around it or at its own level. The parts of a state follow each other.
struct tick_part {
    program at = 0;
    std::uint32_t outer = 0; ///< of the first part of a state: the first part of the nearest state around it that has any; 0: none
    index state = no_index;
    std::int16_t level = -1; ///< the depth of the level that decides; for an update that of the state
    bool updates = false;
    bool is_last = false; ///< of its state
    /// Stored instead of the number of a part if the transitions of the tick must be selected at run time.
    static constexpr std::uint32_t selected = ~std::uint32_t(0);
};

/// The program of an event, with its column.
struct row_entry {
    std::uint32_t column;
    program at;
    friend auto operator<=>(const row_entry&, const row_entry&) = default;
};

/// A section of a leaf's tick: the updates of a state, or the decisions of a level. Sections are consecutive, so a tick in which no transition fires
/// runs through all of them without interruption.
struct tick_section {
    enum kind_of : std::uint8_t { update, decide, retry_entry } kind;
    bool joined;        ///< the previous section continues into this one, without a section op between them
    std::int32_t depth; ///< of the state, or the level; -1 above the root
    program at;         ///< its first op; 0: an update without hooks, after which waiting transitions are tried
};

/// The active states while the hook of an op runs, and after it throws.
struct hook_site {
    enum kind_of : std::uint16_t { still, entering, exiting, between, outside };

    constexpr hook_site() = default;
    constexpr hook_site(kind_of k, std::uint32_t built_so_far, index at)
        : kind(k), built(static_cast<std::uint16_t>(built_so_far & most_locals)), state(at) {}

    kind_of kind : 3 = still;
    std::uint16_t built : 13 = 0; ///< entering: the number of locals already constructed; still, between: 1 for a guard
    /// Returns whether states are being exited or entered. Exits or entries have then reached `state`.
    bool moves() const { return kind != still && kind != outside; }
    index state = 0; ///< the state that is entered or exited; between: the level
};
static_assert(sizeof(hook_site) == 4);

struct local_row {
    const local_prototype* prototype;
    const local_type* type; ///< one object for equal types of several modules
    std::uint32_t offset;   ///< in the instance's block
};

/// When a timer is due, counted from the entry of its state: a delay, a period, a least duration.
struct timer_row {
    std::int64_t fixed;   ///< nanoseconds, unless `find` has a call
    hook_row find;        ///< stores the time in the hook context
    bool periodic;        ///< the period is stored after the due time
    std::uint32_t offset; ///< of the due time, in the instance's block among the locals; it is `never` after the timer has fired
};
inline constexpr std::int64_t never = 0x7fff'ffff'ffff'ffff;

/// A range of values that belong to one event.
struct value_row {
    const event_type* type;
    std::int64_t first;
    std::int64_t last;
    std::uint16_t event;
};
/// A further column of an event.
struct column_row {
    std::uint16_t event;
    std::uint32_t column;
};

inline constexpr std::uint32_t no_transition = 0xffff'ffff;

/// A transition that a state with on_leave_requested can hold.
struct leave_request_row {
    index state;
    std::uint32_t transition; ///< a polled one; no_transition: the event or request that is pending in the slot
    std::uint32_t slot;
};

struct state_row {
    const state_base* node;
    index superstate; ///< no_index for the root
    index last;
    index depth;
    state_kind kind;
    index region;    ///< the innermost region that contains it; 0: the root's region
    span_of regions; ///< the regions inside it
    index time_slot; ///< the index of its entry time
    bool transient;
    bool holds; ///< whether it can leave must be determined before it is exited
    bool until_released;
    index first;           ///< of a machine: the default substate
    index record;          ///< of a history owner: its index among them; no_index: it is none
    history_depth history; ///< a machine: its own history; a history state: its depth
    choosing choose;       ///< how it chooses one of its candidates
    span_of candidates;    ///< transitions among which it chooses by score or by chance
    by_hook_kind<span_of> hooks;
    span_of hold; ///< guards that must all hold before it can be exited
    span_of timers;
    std::uint32_t least; ///< the timer of its least duration, or no_timer
    span_of predicates;  ///< guards
    span_of locals;
    span_of choices;   ///< transitions: dispatch
    span_of initial;   ///< at most one; of a history state: the target without a record
    span_of polled;    ///< without event, with a target; includes those on completion
    span_of reactions; ///< without event and target
    span_of events;    ///< with an event

    program enter_program, exit_program; ///< parts for this state only
    program entry_program;               ///< of a machine or a history state: the entries inside; sets the leaf
    program default_program;             ///< the same without the machine's own history
    program choose_program;              ///< a part that picks a candidate; 0: it chooses the first
    program update_program;              ///< a part, if regions are driven
    program timers_program;              ///< a part that starts its timers
    program hold_program;                ///< a part that ends with taken if its guards let it be exited
    by_hook_kind<program> hook_programs; ///< parts of kinds that do not run in passing, and of enter and exit hooks for reloads
    span_of tick;                        ///< sections, if this is the leaf
    program tick_program;                ///< all sections; it always begins with a section op
    bool updates;                        ///< it has its own section in every tick
    span_of decides;                     ///< of a machine with driven regions: the polled transitions of its level, in `decisions`
    span_of programs;                    ///< in `entries`: its programs by event as a leaf; by_parts: lists of its own candidates
    span_of levels;                      ///< by_parts: in `polled_levels`
    std::uint32_t row;                   ///< the same as a row
    bool marked;                         ///< its finishing is marked: it has transitions on completion, or is the root
    span_of always;                      ///< in `own_always`: its transitions that are tried after every other one
    std::uint16_t done;                  ///< the event raised when a final substate is entered, or all regions are finished; no_index: none
};

struct transition_row {
    const transition_spec* spec;
    index source;
    index target;        ///< no_index: internal
    index level;         ///< no_index: above the root
    std::uint16_t event; ///< no_index: polled
    int priority;
    bool on_finished;
    bool always;
    bool force;
    bool defers;
    bool carries;         ///< it fires at the moment when it is due
    bool wants_local;     ///< one of its actions takes a local
    bool is_candidate;    ///< it is chosen by score or by chance
    bool rechoice;        ///< of a machine that chooses again: from the machine to a candidate
    std::uint32_t candidate; ///< of a rechoice: the candidate; otherwise itself
    std::uint32_t cooldown;  ///< of a candidate: its row in chart_core::cooldowns; no_score: none
    double weight;        ///< of a candidate: its score, unless it has a function
    std::uint32_t score;  ///< of a candidate: the function in chart_core::hooks; no_score: none
    bool by_record;       ///< its level depends on the record of its history target; `level` is then the outermost possible one
    span_of more_targets; ///< of a fork
    span_of joined;       ///< states that must also be active
    span_of excluded;     ///< states none of which may be active
    std::uint32_t timer;  ///< the timer that must be due; no_timer: none
    bool any_state;       ///< from a superstate to its substate: satisfied while the goal is active
    index goal;           ///< the target, or the machine of a history target
    span_of guards;
    span_of conditions;       ///< groups, tested before the guards
    span_of entry_conditions; ///< masks: the conditions that it requires to be set
    bool needs_finished;      ///< it fires only if the leaf is finished
    bool uses_triggers;       ///< some of entry_conditions are triggers, which it clears when it fires
    span_of actions;
    program guard_program;  ///< a part that ends with taken or guarded; 0: always taken
    program action_program; ///< part
    program enter_program;  ///< a part, if regions are driven: all entries below the level; 0: they lead through regions

    bool is_guarded() const { return guards.count + conditions.count > 0 || is_candidate; }
};

inline constexpr std::uint32_t no_score = 0xffff'ffff;

/// A candidate that cannot be chosen for a time after the exit of its target.
struct cooldown_row {
    std::uint32_t transition;
    index target;
    std::int64_t time; ///< nanoseconds
};

inline constexpr std::uint32_t no_timer = 0xffff'ffff;

/// Requires a polled transition.
inline reason reason_of(const transition_row& t) { return t.on_finished ? reason::completion : t.timer != no_timer ? reason::time : reason::poll; }

/// For a leaf whose tick consists of transitions with conditions only: none of them can fire if ((bits ^ unwanted) & watch) == 0, where `bits` is the
/// first word. For each transition, `watch` contains enough conditions to exclude it.
struct idle_test {
    std::uint64_t unwanted = 0;
    std::uint64_t watch = 0;
    bool known = false; ///< a test exists
};

/// Returns the level of a transition between states of a table or an outline, whose rows have `node`. See flatten.hpp.
template <class States, class Targets> index level_of(const States& states, index source, const Targets& targets, bool external) {
    return flatten::level_of(states, source, targets, external, [&](index s) { return states[s].node->kind() == state_kind::parallel; });
}

template <class States> index level_between(const States& states, index source, index target, bool external) {
    const index only[] = {target};
    return level_of(states, source, only, external);
}

} // namespace hsm::detail
