/// A compiled definition: flat, immutable tables over plain indices, and the tree of nodes that they were made from.
///
/// States are numbered in preorder, so the descendants of s are s+1 .. last. Transitions stand by source, then by role,
/// and within that in the order in which they are tried. A hook is a function pointer and the object it is called with.
#pragma once

#include <hsm/compile/conditions.hpp>
#include <hsm/compile/finding.hpp>
#include <hsm/compile/options.hpp>
#include <hsm/compile/outline.hpp>
#include <hsm/define/limbo.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace hsm {

/// Entries first .. first + count - 1 of a table.
struct span_of {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// A hook or a guard.
struct hook_row {
    op_function call;
    const void* self;
    bool moment; ///< it asks for what a `moment` holds
    run_function many = nullptr; ///< of an update: the same for many agents
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
struct tick_step {
    enum kind_of : std::uint8_t { update, decide, retry_entry } kind;
    std::int32_t depth; ///< of the state, or the level; -1 above the root
    program at;         ///< its section op; 0: an update without hooks, after which what waits may go on
};

/// What it means that a hook at an op runs, and what is left if it throws.
struct op_note {
    enum kind_of : std::uint16_t { still, entering, exiting, between, outside };

    constexpr op_note() = default;
    constexpr op_note(kind_of k, std::uint32_t built_so_far, index at) : kind(k), built(static_cast<std::uint16_t>(built_so_far & most_locals)), state(at) {}

    kind_of kind : 3 = still;
    std::uint16_t built : 13 = 0; ///< entering: locals that are there already; still, between: 1 for a guard
    index state = 0;              ///< the one entered or exited; between: the level
};
static_assert(sizeof(op_note) == 4);

struct local_row {
    const local_prototype* prototype;
    const local_type* type; ///< of equal types of several modules the same one
    std::uint32_t offset; ///< in the instance's block
};

/// When something is due, counted from the entry of its state: a delay, a period, a least duration.
struct timer_row {
    std::int64_t fixed;   ///< nanoseconds, unless `find` has a call
    hook_row find;        ///< leaves the time in the moment
    bool periodic;        ///< behind the moment at which it is due stands the period
    std::uint32_t offset; ///< in the instance's block, where its locals are: when it is due; `never` once it has fired
};
inline constexpr std::int64_t never = 0x7fff'ffff'ffff'ffff;

struct state_row {
    const state_base* node;
    index superstate; ///< no_index for the root
    index last;
    index depth;
    state_kind kind;
    index region;      ///< the innermost that it belongs to; 0: the root's
    span_of regions;   ///< those inside it
    index time_slot;   ///< where it is kept when it was entered
    bool transient;
    bool holds;        ///< it may have to be asked before it is left
    bool until_released;
    index first;       ///< of a machine: the substate to enter for want of anything better
    history_depth history; ///< a machine: what it goes back to by itself; a history state: what it stands for
    span_of enter, update, exit, change, init, destroy, unhandled; ///< hooks
    span_of hold;                        ///< guards: all of them must agree to its being left
    span_of timers;
    std::uint32_t least;                 ///< timer: how long it holds at least; no_timer: as long as it likes
    span_of predicates;                  ///< guards
    span_of locals;
    span_of choices;   ///< transitions: dispatch
    span_of initial;   ///< at most one; of a history state: where to go without a record
    span_of polled;    ///< without event, with a target; those on completion, too
    span_of reactions; ///< without event and target
    span_of events;    ///< with an event

    program enter_program, exit_program;  ///< parts: this state alone
    program entry_program;                ///< of a machine, or a history state: where it goes; sets the leaf
    program anew_program;                 ///< the same, but not by the machine's own history
    program update_program;               ///< part, where regions are driven
    program timers_program;               ///< part: its timers begin to run
    program hold_program;                 ///< part: ends with taken if it may be left, as far as its guards are concerned
    program unhandled_program, init_program, destroy_program; ///< parts
    program change_program;
    span_of tick;           ///< steps, when this is the leaf
    program tick_program;   ///< all of them
    bool updates;           ///< it has a section of its own in every tick
    index rank;             ///< among the leaves of its region; no_index: it is none
    span_of decides;        ///< of a machine whose regions are driven: in `decisions`, the polled transitions of its level
    span_of programs;       ///< entries: its programs by event, when it is the leaf
    std::uint32_t row;      ///< the same as a row
    bool marked;            ///< being over matters: it has transitions on completion, or is the root
    bool always;            ///< it has transitions that are tried after every other
};

struct transition_row {
    const transition_spec* spec;
    index source;
    index target; ///< no_index: internal
    index level;  ///< no_index: above the root
    std::uint16_t event; ///< no_index: polled
    int priority;
    bool on_finished;
    bool always;
    bool force;
    bool defers;
    bool wants_local;    ///< an action of it takes a local
    bool by_record;      ///< its level depends on what its history state stands for; then `level` is the outermost that it may be
    span_of more_targets; ///< of a fork
    span_of joined;       ///< states that must be active, too
    std::uint32_t timer; ///< due, or not before; no_timer: any time
    bool any_state; ///< from a superstate to its own substate: satisfied while that is active, or what it stands for
    index goal;     ///< the target; the machine of a target that is a history state
    span_of guards;
    span_of conditions;  ///< groups; asked before the guards
    span_of leads_in;    ///< masks: the conditions that hold when it fires, as far as it says
    bool needs_over;     ///< it fires only if the leaf is over
    span_of actions;
    program guard_program;  ///< part: ends with taken or guarded; 0: always taken
    program action_program; ///< part
    program enter_program;  ///< part, where regions are driven: everything below the level; 0: it leads through regions

    bool is_guarded() const { return guards.count + conditions.count > 0; }
};

inline constexpr std::uint32_t no_timer = 0xffff'ffff;

/// Of a polled one.
inline reason reason_of(const transition_row& t) {
    return t.on_finished ? reason::completion : t.timer != no_timer ? reason::time : reason::poll;
}

/// Of a leaf whose tick consists of transitions with conditions only: none of them can fire if ((bits ^ unwanted) & watch) == 0,
/// bits being the first word. Of each transition enough is watched to rule it out.
struct idle_test {
    std::uint64_t unwanted = 0;
    std::uint64_t watch = 0;
    bool known = false; ///< there is one
};

/// Where in an instance's block what stands; see block.hpp.
/// Of a parallel of two regions with few leaves: rows by what is active in both.
struct pair_table {
    index parallel;
    index first;         ///< the number of the first region; the other one is the next
    std::uint32_t count; ///< leaves of the second region
    std::size_t rows;    ///< where in the rows of pairs they begin
};

/// Of an instance, without its queues. Offsets are 32 bits.
inline constexpr std::uint64_t most_memory = std::uint64_t(1) << 30;

struct block_layout {
    std::uint32_t moment = 0; ///< bytes before the front
    std::uint32_t front = 0;  ///< bytes before the block
    std::uint32_t conditions = 0;
    std::uint32_t times = 0;
    std::uint32_t marks = 0;
    std::uint32_t due = 0;
    std::uint32_t due_list = 0;
    std::uint32_t released = 0;
    std::uint32_t fresh = 0;
    std::uint32_t barred = 0;
    std::uint32_t driver = 0;
    std::uint32_t regions = 0;
    std::uint32_t plan = 0;
    std::uint32_t asked = 0;
    std::uint32_t region_lists = 0;
    std::uint32_t offer = 0;
    std::uint32_t deferral = 0;
    std::uint32_t region_records = 0;
    std::uint32_t records = 0;
    std::uint32_t holding = 0;
    std::uint32_t blocked = 0;
    std::uint32_t waiting = 0;
    std::uint32_t pending = 0;
    std::uint32_t payloads = 0;
    std::uint32_t locals = 0;
    std::uint32_t queues = 0;
    std::uint32_t alignment = 8;
    std::uint64_t size = 0; ///< bytes, without the queues; at most `most_memory`, or else the rest means nothing
};

struct chart_core : chart_head {
    mutable std::uint32_t users = 1; ///< handles that share it; changed atomically, by retain and release only

    limbo frozen; ///< what the states of the tree are
    owned<state_base> root;
    compile_options options;
    std::vector<finding> warnings;

    std::vector<state_row> states;
    std::vector<transition_row> transitions;
    std::vector<event_key> events; ///< sorted, see find_event
    std::vector<event_ref> event_refs; ///< the same, as hooks are told them
    std::vector<hook_row> hooks;
    std::vector<guard_row> guards;
    std::vector<local_row> locals;
    std::vector<timer_row> timers;
    std::vector<std::string_view> conditions; ///< names, by the bit
    std::vector<std::uint32_t> conditions_by_name;
    std::vector<group_row> groups;
    std::vector<condition_mask> masks;
    std::vector<idle_test> idle_tests; ///< by leaf; none where there are no conditions, or regions are driven
    std::vector<index> targets; ///< further targets, and states that are joined
    std::vector<index> regions; ///< their outermost states; region 0 is the root's
    std::vector<index> remembering; ///< the machines of which it is recorded where they are left

    // The programs. Op 0 is not used.
    std::vector<op> ops;
    std::vector<op_note> notes; ///< of each op
    std::vector<row_entry> entries;   ///< the programs of each leaf, by column
    std::vector<const op*> rows;      ///< the same as rows of all columns, if that is not too much
    std::vector<tick_step> steps;
    std::vector<const op*> tick_table; ///< by the leaf
    std::vector<program> restores; ///< by machine, and what is recorded: the entries from the machine inwards
    // Where regions are driven, an event has lists of candidates instead of programs. List 0 is empty.
    std::vector<std::uint32_t> candidates; ///< transitions
    std::vector<span_of> lists;
    std::vector<std::uint32_t> list_rows;  ///< as `rows`
    std::vector<op> drives;                ///< by column
    std::vector<op> drives_of_pairs;
    std::vector<pair_table> pairs;
    std::vector<const op*> pair_rows;
    std::vector<const op*> drive_row;      ///< of every configuration: the op that finds the regions' programs
    std::vector<std::uint16_t> column_events; ///< the event of a column; no_index: none
    std::vector<std::uint32_t> decisions;  ///< polled transitions by level, in the order in which they are tried
    std::vector<index> tellers;            ///< states with on_change
    span_of decides_above;                 ///< those of the level above the root
    std::vector<std::uint32_t> always;     ///< with the superstate first: those that are tried after every other, in their order
    std::vector<std::uint32_t> region_record_at; ///< of each that remembers: where its regions' records begin
    std::uint32_t region_records = 0;

    std::vector<event_column> column_table;   ///< by the id of the event type, as far as the mask goes
    std::vector<event_column> types;          ///< of all events, by name; of equal types of several modules one
    std::vector<std::uint32_t> event_columns; ///< by the number of the event
    std::uint32_t row_width = 1;

    block_layout layout;
    bool has_changes = false;    ///< some machine has on_change
    bool has_transients = false;
    bool has_projections = false;
    bool has_marks = false;      ///< some state has transitions on completion
    bool has_always = false;     ///< some transition is tried after every other
    bool has_unhandled = false;  ///< some machine wants to be told of events that nobody knows
    bool has_init = false;       ///< some state has on_init or on_destroy
    bool has_over = false;       ///< some transition asks whether the leaf is over
    bool has_defers = false;     ///< some state keeps events for a later one
    bool driven = false;         ///< it has regions, or something else that only the driver of regions can do
    index time_slots = 0;
    index depth = 0;             ///< of the deepest state

    std::uint64_t block_size = 0;      ///< bytes of an instance's locals and timers
    std::uint32_t block_alignment = 1;
    std::uint32_t event_size = 0;      ///< of the largest payload
    std::uint32_t event_alignment = 1;

    bool contains(index outer, index inner) const { return outer <= inner && inner <= states[outer].last; }
    index index_of(const state_base& s) const; ///< no_index if it is not of this chart
    index machine_of(index target) const { return states[target].kind == state_kind::history ? states[target].superstate : target; }
    /// What is recorded when that machine is left in that leaf; 0: nothing.
    index recorded(index machine, index leaf) const {
        const bool forgotten = states[leaf].kind == state_kind::final && !options.remember_finals;
        const auto r = forgotten ? states[leaf].superstate : leaf;
        return r == machine ? index(0) : r;
    }
    /// From 1; 0: none.
    std::uint32_t number_of(const transition_row* t) const { return t ? static_cast<std::uint32_t>(t - transitions.data()) + 1 : 0; }
    /// All of them, the first first.
    std::span<const index> targets_of(const transition_row& t) const {
        if (t.more_targets.count == 0) return {&t.target, 1};
        return {targets.data() + t.more_targets.first - 1, t.more_targets.count + 1};
    }
    const op* const* row_of_pair(const pair_table& table, index first, index second) const {
        const auto place = std::size_t(states[first].rank) * table.count + states[second].rank;
        return pair_rows.data() + table.rows + place * row_width;
    }
    const op* at(program p) const { return ops.data() + p; }
    /// Of one that remembers, in `remembering` (which is in order).
    std::size_t place_of(index machine) const;
    /// Of a list in which an event's candidates stand.
    std::uint32_t list_for(index tip, std::uint32_t column) const {
        return list_rows.empty() ? program_for(tip, column) : list_rows[states[tip].row + column];
    }
    const op* const* row_of(index leaf) const {
        if (rows.empty()) return nullptr;
        return rows.data() + (driven ? std::size_t(leaf) * row_width : states[leaf].row);
    }
    program program_for(index leaf, std::uint32_t column) const; ///< 0: nobody handles it
    /// The innermost state that contains both; no_index stands for what is above the root.
    index common(index a, index b) const {
        while (a != no_index && (b == no_index || !contains(a, b))) a = states[a].superstate;
        return a;
    }
    index toward(index outer, index inner) const; ///< the substate of `outer` that contains `inner`
    void* context_of(index s, void* root_context) const;

    std::uint32_t find_condition(const condition_key& key) const; ///< no_condition if there is none
    std::uint16_t find_event(const event_ref& event) const; ///< no_index if no transition waits for it
    const event_column* column_of(const event_type& type) const; ///< null if no transition waits for any of that type
    const event_column* type_like(const event_type& type) const; ///< the same, slowly
    /// What `key` means, seen from `from`; no_index if there is no such state.
    index find(const state_key& key, index from = 0) const;
};

/// The number of the type; given at the first call, from 1. Each module that has this library counts on its own.
std::uint32_t event_type_id(const event_type& type);

/// In the order that find_event relies on, each once. Equal types have to be one object.
void sort_events(std::vector<event_key>& events);

/// Shared ownership, counted across threads.
void retain(const chart_core* core) noexcept;
void release(const chart_core* core) noexcept;

} // namespace hsm
