/// The rows of a chart's tables.
///
/// States are numbered in preorder, so the descendants of s are s+1 .. last. Transitions stand by source, then by role,
/// and within that in the order in which they are tried. A hook is a function pointer and the object it is called with.
#pragma once

#include <hsm/chart/detail/flatten.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/op.hpp>

#include <compare>
#include <cstdint>

namespace hsm::detail {

/// Below the root. Much of what follows goes from level to level by calls, and each leaf's programs grow with its depth.
inline constexpr std::size_t most_levels = 1024;
/// Of one state.
inline constexpr std::uint32_t most_locals = 8191;
inline constexpr std::uint32_t most_conditions = 65536;
inline constexpr std::uint32_t no_condition = 0xffff'ffff;

/// The part of a group that is in one word.
struct condition_mask {
    std::uint32_t word;
    std::uint64_t mask;
    std::uint64_t filter;
};

struct group_row {
    std::uint32_t first; ///< its masks
    std::uint32_t count;
    bool any;
    bool asks_over; ///< bit 0 is among them
};

/// Entries first .. first + count - 1 of a table.
struct span_of {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// A hook or a guard.
struct hook_row {
    op_function call;
    const void* self;
    bool step;                                 ///< it asks why it runs, and of which state it is
    bool event = false;                        ///< it takes the object of the event
    run_function many = nullptr;               ///< of an update: the same for many agents
    const local_type* const* locals = nullptr; ///< that it takes
    std::uint32_t local_count = 0;
};
using guard_row = hook_row;

/// A program, or a part of one, by where it begins; 0: there is nothing to do.
using program = std::uint32_t;

/// What an event does: its column, and the program.
struct row_entry {
    std::uint32_t column;
    program at;
    friend auto operator<=>(const row_entry&, const row_entry&) = default;
};

/// One section of a leaf's tick: the updates of a state, or the decisions of a level. They stand one behind the other, so that a
/// tick in which nothing happens is one run through all of them.
struct tick_section {
    enum kind_of : std::uint8_t { update, decide, retry_entry } kind;
    bool joined;        ///< the section before it runs on into this one, without a section op in between
    std::int32_t depth; ///< of the state, or the level; -1 above the root
    program at;         ///< its first op; 0: an update without hooks, after which what waits may go on
};

/// What it means that a hook at an op runs, and what is left if it throws.
struct op_note {
    enum kind_of : std::uint16_t { still, entering, exiting, between, outside };

    constexpr op_note() = default;
    constexpr op_note(kind_of k, std::uint32_t built_so_far, index at)
        : kind(k), built(static_cast<std::uint16_t>(built_so_far & most_locals)), state(at) {}

    kind_of kind : 3 = still;
    std::uint16_t built : 13 = 0; ///< entering: locals that are there already; still, between: 1 for a guard
    /// Is something being left or entered, or between the two? Then `state` is that far in.
    bool moves() const { return kind != still && kind != outside; }
    index state = 0; ///< the one entered or exited; between: the level
};
static_assert(sizeof(op_note) == 4);

struct local_row {
    const local_prototype* prototype;
    const local_type* type; ///< of equal types of several modules the same one
    std::uint32_t offset;   ///< in the instance's block
};

/// When something is due, counted from the entry of its state: a delay, a period, a least duration.
struct timer_row {
    std::int64_t fixed;   ///< nanoseconds, unless `find` has a call
    hook_row find;        ///< leaves the time in the hook context
    bool periodic;        ///< behind the time at which it is due stands the period
    std::uint32_t offset; ///< in the instance's block, where its locals are: when it is due; `never` once it has fired
};
inline constexpr std::int64_t never = 0x7fff'ffff'ffff'ffff;

/// Values that are one event.
struct value_row {
    const event_type* type;
    std::int64_t first;
    std::int64_t last;
    std::uint16_t event;
};
/// One more column of an event.
struct column_row {
    std::uint16_t event;
    std::uint32_t column;
};

struct state_row {
    const state_base* node;
    index superstate; ///< no_index for the root
    index last;
    index depth;
    state_kind kind;
    index region;    ///< the innermost that it belongs to; 0: the root's
    span_of regions; ///< those inside it
    index time_slot; ///< which of the entry times is its own
    bool transient;
    bool holds; ///< it may have to be asked before it is left
    bool until_released;
    index first;                                                   ///< of a machine: the substate to enter for want of anything better
    index record;                                                  ///< of a history owner: its number among them; no_index: it is none
    history_depth history;                                         ///< a machine: what it goes back to by itself; a history state: what it stands for
    span_of enter, update, exit, change, init, destroy, unhandled; ///< hooks
    span_of settled;                                               ///< of the root
    span_of done_data;                                             ///< of a final state
    span_of hold;                                                  ///< guards: all of them must agree to its being left
    span_of timers;
    std::uint32_t least; ///< timer: how long it holds at least; no_timer: as long as it likes
    span_of predicates;  ///< guards
    span_of locals;
    span_of choices;   ///< transitions: dispatch
    span_of initial;   ///< at most one; of a history state: where to go without a record
    span_of polled;    ///< without event, with a target; those on completion, too
    span_of reactions; ///< without event and target
    span_of events;    ///< with an event

    program enter_program, exit_program;                      ///< parts: this state alone
    program entry_program;                                    ///< of a machine, or a history state: where it goes; sets the leaf
    program anew_program;                                     ///< the same, but not by the machine's own history
    program update_program;                                   ///< part, where regions are driven
    program timers_program;                                   ///< part: its timers begin to run
    program hold_program;                                     ///< part: ends with taken if it may be left, as far as its guards are concerned
    program unhandled_program, init_program, destroy_program; ///< parts
    program change_program, settled_program;
    span_of tick;         ///< steps, when this is the leaf
    program tick_program; ///< all of them; it begins with a section op, whatever there is
    bool updates;         ///< it has a section of its own in every tick
    index rank;           ///< among the leaves of its region; no_index: it is none
    span_of decides;      ///< of a machine whose regions are driven: in `decisions`, the polled transitions of its level
    span_of programs;     ///< entries: its programs by event, when it is the leaf; by_parts: lists of its own candidates
    span_of levels;       ///< by_parts: in `polled_levels`
    std::uint32_t row;    ///< the same as a row
    bool marked;          ///< being over matters: it has transitions on completion, or is the root
    span_of always;       ///< in `own_always`: its transitions that are tried after every other
    std::uint16_t done;   ///< the event that a final substate raises, or its regions do; no_index: none
};

/// In the order of hook_kind.
inline constexpr span_of state_row::*hook_spans[hook_kinds] = {&state_row::enter,     &state_row::update,  &state_row::exit,
                                                               &state_row::change,    &state_row::init,    &state_row::destroy,
                                                               &state_row::unhandled, &state_row::settled, &state_row::done_data};

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
    bool carries;         ///< it fires at the moment at which it is due
    bool wants_local;     ///< an action of it takes a local
    bool by_record;       ///< its level depends on what its history state stands for; then `level` is the outermost that it may be
    span_of more_targets; ///< of a fork
    span_of joined;       ///< states that must be active, too
    span_of excluded;     ///< states none of which may be active
    std::uint32_t timer;  ///< due, or not before; no_timer: any time
    bool any_state;       ///< from a superstate to its own substate: satisfied while that is active, or what it stands for
    index goal;           ///< the target; the machine of a target that is a history state
    span_of guards;
    span_of conditions;       ///< groups; asked before the guards
    span_of entry_conditions; ///< masks: the conditions that hold when it fires, as far as it says
    bool needs_over;          ///< it fires only if the leaf is over
    span_of actions;
    program guard_program;  ///< part: ends with taken or guarded; 0: always taken
    program action_program; ///< part
    program enter_program;  ///< part, where regions are driven: everything below the level; 0: it leads through regions

    bool is_guarded() const { return guards.count + conditions.count > 0; }
};

inline constexpr std::uint32_t no_timer = 0xffff'ffff;

/// Of a polled one.
inline reason reason_of(const transition_row& t) { return t.on_finished ? reason::completion : t.timer != no_timer ? reason::time : reason::poll; }

/// Of a leaf whose tick consists of transitions with conditions only: none of them can fire if ((bits ^ unwanted) & watch) == 0,
/// bits being the first word. Of each transition enough is watched to rule it out.
struct idle_test {
    std::uint64_t unwanted = 0;
    std::uint64_t watch = 0;
    bool known = false; ///< there is one
};

/// Of a parallel of two regions with few leaves: rows by what is active in both.
struct pair_table {
    index parallel;
    index first;         ///< the number of the first region; the other one is the next
    std::uint32_t count; ///< leaves of the second region
    std::size_t rows;    ///< where in the rows of pairs they begin
};

/// The level of a transition between states of a table or an outline, whose rows say their node. See flatten.hpp.
template <class States, class Targets> index level_of(const States& states, index source, const Targets& targets, bool external) {
    return flatten::level_of(states, source, targets, external, [&](index s) { return states[s].node->kind() == state_kind::parallel; });
}

template <class States> index level_between(const States& states, index source, index target, bool external) {
    const index only[] = {target};
    return level_of(states, source, only, external);
}

} // namespace hsm::detail
