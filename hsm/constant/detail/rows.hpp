/// The tables of a constant chart: arrays of indices, hooks and guards with exact sizes.
#pragma once

#include <hsm/chart/detail/flatten.hpp>
#include <hsm/constant/detail/node.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/record.hpp>

#include <bit>

namespace hsm {

/// The compile_options that constant charts have. A decision_order converts to it.
struct constant_chart_options {
    decision_order order = decision_order::superstate_first;
    bool remember_finals = false;
    bool entry_times = false; ///< for time_in_state: stores entry times, 8 bytes per level
    bool pulses = false;      ///< for pulse: stores which conditions are pulses, 16 bytes

    constexpr constant_chart_options() = default;
    constexpr constant_chart_options(decision_order o, bool finals = false, bool times = false, bool with_pulses = false)
        : order(o), remember_finals(finals), entry_times(times), pulses(with_pulses) {}
};

} // namespace hsm

namespace hsm::detail {

/// Like std::array, but always inlined. Otherwise g++ confuses functions for arrays of different sizes, and warns about an index out of bounds.
template <class T, std::size_t N> struct constant_array {
    T items[N ? N : 1];

    static constexpr std::size_t size() { return N; }
    HSM_ALWAYS_INLINE constexpr T& operator[](std::size_t i) { return items[i]; }
    HSM_ALWAYS_INLINE constexpr const T& operator[](std::size_t i) const { return items[i]; }
    HSM_ALWAYS_INLINE constexpr const T* begin() const { return items; }
    HSM_ALWAYS_INLINE constexpr const T* end() const { return items + N; }
};

/// The entries from first to first + count - 1 of a table.
struct constant_span {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct constant_state_row {
    index superstate = no_index; ///< no_index for the root
    index last = 0;
    index depth = 0;
    index first = no_index; ///< of a machine: its first substate
    index region = 0;       ///< the index in the table of regions
    state_kind kind = state_kind::leaf;
    bool transient = false;
    bool updates = false;
    choosing choose = choosing::first;
    history_depth history = history_depth::none;
    history_depth records = history_depth::none;               ///< of a machine or parallel: the deepest of its own history and its history states
    std::int32_t memory = -1;                                  ///< the number of its record; a previous state has two
    std::int32_t inner = 0;                                    ///< of a state that records leaves: an inner region's record is this plus its number
    std::int32_t mark = -1;                                    ///< of a state whose completion matters: its bit; otherwise -1
    constant_span enter, update, exit;                         ///< hooks
    constant_span change;                                      ///< on_change hooks
    constant_span init, destroy, unhandled, settled;           ///< hooks
    constant_span choices, initial, polled, reactions, events; ///< transitions
    constant_span candidates;                                  ///< of a machine or choice that chooses by score or chance
    constant_span timers;
    constant_span locals;
    std::int32_t predicate = -1; ///< the first of its finished() guards; one that is true after an update finishes the state
    std::uint32_t bytes = 0;  ///< the size of its locals and those of its superstates
    std::uint32_t cells = 0;  ///< the number of cells of its timers and those of its superstates
    std::uint32_t entries = 0; ///< the number of cells of its entry time, which comes last, and of those of its superstates
    std::uint32_t slots = 0;  ///< the number of its slot for the conditions of its entry, from 1
    std::uint32_t level = 0;  ///< of a machine: its number among the levels at which transitions can wait
    constant_span tags;
    std::int32_t hold = -1;      ///< its number among the states that hold
    bool until_released = false; ///< it holds until it is released
    std::int32_t least = -1;     ///< the timer of its min_duration
    bool again = false;          ///< a machine that chooses again
    std::int32_t period = -1;    ///< its timer; -1: it chooses in each tick
    double stay_bonus = 0;
    constant_span hold_until;    ///< guards
    bool takes_target = false;   ///< one of these takes the target
    constant_span name, path; ///< characters
    constant_tag id;
    std::int64_t value = 0;
    constant_tag class_tag;
};

enum class constant_role : std::uint8_t { dispatch, initial, ordinary };

struct constant_transition_row : constant_options {
    constant_role role = constant_role::ordinary;
    index source = no_index;
    index target = no_index; ///< no_index: internal
    index level = no_index;  ///< no_index: above the root
    index event = no_index;  ///< no_index: polled
    std::int32_t guard = -1; ///< the first of the guards that must hold
    // In the table `named`:
    constant_span further;  ///< the targets of a fork, after the first
    constant_span joined;   ///< all these states must be active
    constant_span excluded; ///< none of these states may be active
    constant_span actions;
    std::int32_t score = -1;    ///< of a candidate; -1: its weight
    std::int32_t timer = -1;    ///< its `after` or `every`
    std::uint32_t cool = 0;     ///< of a candidate with a cooldown: the cell that stores when it ends
    constant_span label;        ///< characters
    std::uint32_t position = 0; ///< among all transitions of its source, in the order of definition
    std::uint64_t positives = 0; ///< the conditions that it requires to be set
    std::int32_t waits = -1;     ///< its number among the transitions that a state can hold
    std::int32_t candidate = -1; ///< of a rechoice, a polled transition from a machine that chooses again: the candidate
    bool needs_over = false;     ///< it requires is_over, and clears the conditions of the entries of exited states
};

/// The timer of a transition. A cell of the instance stores when it is due.
template <class Context> struct constant_timer {
    constant_delay<Context> delay;
    std::uint32_t cell = 0; ///< states that are never active together share cells
    bool periodic = false;  ///< if its time is computed, the next cell stores the period
    index source = no_index;
    constant_span label; ///< of the transition

    constexpr std::uint32_t cells() const { return periodic && delay.find ? 2 : 1; }
};
inline constexpr std::int64_t constant_never = INT64_MAX; ///< the due time of a timer that is used up

/// The events of one type. Adjacent values that no transition distinguishes have one column in the table of programs.
struct constant_event_type {
    constant_type_id<event_type> type;
    bool has_values = false;
    bool is_taken = false;   ///< a guard or action takes it
    bool has_ranges = false; ///< a transition waits for several of its values
    std::uint32_t first = 0; ///< the first column
    std::uint32_t count = 0; ///< the number of columns
    std::uint32_t size = 1;
    std::uint32_t alignment = 1;

    template <class E> constexpr bool is() const { return type == constant_type_id<event_type>{&event_type_of<E>, type_name<E>()}; }
    constexpr event_interval every_value() const { return is<unsigned char>() ? event_interval{0, 255} : event_interval{}; }
};

/// The events that a transition waits for.
struct constant_event_row {
    std::uint32_t type = 0; ///< the index in the table of types
    constant_span values;   ///< intervals
    constant_span name;
    bool others = false; ///< see event_key
};

/// A condition. Its bit is its index in the table.
struct constant_condition_row {
    constant_span name;
    index user = no_index;    ///< the first state that uses it
    int given = 0;            ///< the index that the definition gives it, or any_index
    std::uint32_t number = 0; ///< its bit in an ordinary chart
    bool trigger = false;
};

/// One step of a program. A program returns a constant_code at its end.
struct constant_op {
    enum kind_of : std::uint8_t {
        hook,        ///< calls it
        leaf,        ///< sets the leaf of a region, by rank; the region in the upper half
        exit_region, ///< exits a region, if it is active
        call,        ///< runs a shared program, and continues
        changed,     ///< stores that a state of a region was exited, or the region entered; the region, and the least depth in the upper half
        entered,     ///< a transient state was entered: the bit of its number
        left,        ///< such a state was exited
        mark,        ///< marks a machine as finished
        unmark,
        finish_root,
        remember,       ///< records a state for a machine: its record, and the state in the upper half
        remember_other, ///< the same for a previous state, whose other record is the state before
        remember_leaf,  ///< records the leaf of a region: the record, and the region in the upper half
        arm,            ///< starts a timer
        cool,           ///< begins the cooldown of a candidate, a transition
        enter_at,       ///< stores the time in a cell
        report_armed,   ///< reports a record with the due time
        use_up,         ///< a timer is not due again until its state is entered again
        repeat,         ///< a timer is due again after its period
        rearm,          ///< the timer's next period begins
        fall_due,       ///< the timer is due now
        report,         ///< reports a record to the observer
        evaluate,       ///< begins to evaluate the candidates of a state
        score,          ///< computes the score of a candidate, a transition
        report_score,   ///< reports a record with this score
        bonus,          ///< adds the stay_bonus to the value of a candidate
        pick_candidate, ///< of a state
        take_draw,      ///< a choice by chance has fired or, if the operand is 1, picked a candidate
        link,           ///< counts a transition of a chain; the operand is the leaf's state
        fired,          ///< a transition fired, so `.always()` transitions are tried
        construct,      ///< constructs a local
        destroy,        ///< destroys a local
        depart,         ///< stores the leaf and, in the upper half, the reason for on_change
        depart_level,   ///< stores the level for on_change, if the chart has regions
        change,         ///< calls an on_change hook
        recall,         ///< a transition with a target fired, so deferred events are recalled
        check_chain,    ///< if a deferred event is recalled: throws chain_error at the limit
        use_triggers,   ///< clears the triggers that a transition requires
        enter_by,       ///< stores the conditions of the next entries: those of a transition; the number of transitions: none
        enter_like,     ///< stores those of an active state: for its regions
        enter_with,     ///< stores them for a state
        exit_with,      ///< adds those of an exited state to the conditions to clear
        clear_entered,  ///< clears these
        search,         ///< begins a search for transitions, in which no level is blocked. The slot of waiting transitions that it removes, see below
        waits_for,      ///< a transition (in the upper half) begins to wait for a state, and blocks its level
        firing,         ///< the pending event of that slot fires
        enter_hold,     ///< a state is entered that holds
        exit_hold,      ///< a state was exited that holds, or is the source of transitions that can wait
        ask,            ///< calls a guard; continues at `otherwise` if it is false
        if_unheld,      ///< tests whether a state does not hold; the upper half contains the target if the state's guards take it
        if_unblocked,   ///< tests whether no transition of that level has begun to wait in this search
        if_remembered,  ///< tests whether a machine has recorded this state: operand as for `remember`
        if_leaf_remembered, ///< tests whether the recorded leaf of a region is active, or none is recorded: operand as for `remember_leaf`
        if_time,        ///< tests whether a timer is due
        if_cool,        ///< tests whether the cooldown of a candidate has ended
        if_marked,      ///< tests whether a machine is finished and its completion was tried
        if_due,         ///< tests whether its completion has not been tried yet, and marks it as tried
        if_active,      ///< tests whether a state is active
        if_inactive,
        if_entered,      ///< tests whether a transient state was entered and not yet tried: the bit of its number
        if_just_entered, ///< tests whether a state of that depth was entered and can be tried (a bit of the call); the chain stores its depth
        if_none_offered, ///< tests whether no candidate can be chosen yet
        if_previewed,    ///< tests whether a transition was picked
        if_picked,       ///< the same, for a transition that fires then
        go,              ///< continues at `otherwise`
        go_apart,        ///< the same, in a separate function: several branches that continue at one op then do not multiply the code
        jump,            ///< continues at a shared program
        end,             ///< ends with a constant_code
    } kind = end;
    std::uint32_t operand = 0;
    std::uint32_t otherwise = 0;
};

/// The operand of `search`: no slot, or all.
inline constexpr std::uint32_t constant_no_slot = 0xffff, constant_all_slots = 0xfffe;

/// A result in the lowest bits, or `constant_next` if there was no effect. The bits above describe the transition.
using constant_code = std::uint32_t;
inline constexpr constant_code constant_next = 32;
inline constexpr constant_code constant_selected = 33;     ///< a transition was selected: its number in the bits from 8 on
inline constexpr constant_code constant_transient = 0x100; ///< a transient state was entered
inline constexpr constant_code constant_held = static_cast<constant_code>(result::held); ///< with the transition's number, like constant_selected

constexpr constant_code constant_taken(std::uint32_t unchanged, bool transient) {
    return static_cast<constant_code>(result::taken) | (transient ? constant_transient : 0) | unchanged << 16;
}
constexpr result constant_result(constant_code code) { return static_cast<result>(code & 63); }
/// Returns the number of outermost states that did not change.
constexpr int constant_unchanged(constant_code code) { return static_cast<int>(code >> 16); }

/// One section of a leaf's tick, like tick_section.
struct constant_step {
    bool is_update = false;
    bool continues = false; ///< the next step is a part of the same update: only stop() comes between them
    int depth = 0;
    std::uint32_t program = 0;
    index state = no_index; ///< of an update
};

struct constant_leaf_row {
    index state = no_index;
    bool over = false; ///< the root is finished
    constant_span steps;
    std::uint32_t stop = 0;       ///< programs
    std::uint32_t transient = 0;  ///< tries the transitions of transient states; 0: none
    std::uint32_t completion = 0; ///< tries the transitions on completion
    std::uint32_t always = 0;     ///< tries the `.always()` transitions
    std::uint32_t polled = 0;     ///< of a region, with substate_first: selects a polled transition
    std::uint32_t retry = 0;      ///< of a region, with substate_first: the entry choice of a machine at rest
};

// Charts with parallel regions. The leaves of a region have consecutive ranks. Region 0 is that of the root.

/// A region: the rank of its first leaf, and the program that enters it.
struct constant_region_row {
    std::uint32_t first = 0;
    std::uint32_t enter = 0;
};

/// The programs of a transition that a region selects, or that is tried in all of them.
struct constant_move {
    index source = no_index;
    index level = no_index;
    std::uint16_t region = 0; ///< of the level
    bool has_target = false;
    bool defers = false; ///< it has no programs
    reason why = reason::none;
    std::uint32_t exits = 0;  ///< in the table of exits: the program for the first leaf of the region
    std::uint32_t action = 0; ///< programs; 0: none
    std::uint32_t entries = 0;
    std::uint32_t holds = 0; ///< of an event: tests whether a state holds it
};

/// The regions whose transitions wait for the events of a column. The programs of a single one fire them; those of several select them.
struct constant_column {
    std::uint64_t regions = 0; ///< a bit for each
    bool stays = true;         ///< the transitions exit only states of their regions, which are those of one parallel
    bool waits = false;        ///< a state can hold one of them
    constexpr std::size_t count() const { return static_cast<std::size_t>(std::popcount(regions)); }
};

/// The sizes of all tables: of the definition, and of the programs.
struct constant_model_sizes {
    std::size_t states, transitions, named, hooks, changes, guards, hold_guards, scores, timers, conditions, tags, locals, places, types,
        events, values, columns, characters, problem;
    std::uint32_t marks, candidates, memories; ///< the most candidates of one state
    std::uint32_t time_cells, entry_cells;     ///< of timers, cooldowns and entry times; the first cell of entry times
    std::uint32_t regions;
    std::uint32_t slots; ///< for the conditions of entries; 0: no transition clears them
    std::uint32_t holds, held, levels; ///< states that hold; transitions that these can hold; levels at which these can wait
    std::uint32_t carried;             ///< transitions with carry_over
    std::uint32_t any_event;           ///< the number of the type any_event; equal to the number of types if no transition waits for any_event
    std::uint32_t local_bytes, local_alignment;
    bool transients, chance, always, by_record, defers, finishes, ends, triggers, unhandles, settles, pulses,
        has_life_hooks; ///< by_record: an external transition leads to an enclosing history; finishes, ends: updates finish states or the root
};
struct constant_program_sizes {
    std::size_t ops, cells, steps, leaves, records, numbers, entered, moves, waiting, exits, completions, retries, overdue, declined;
    std::uint32_t start, always_of_all, any_event_of_all, settled;
};
struct constant_sizes : constant_model_sizes, constant_program_sizes {};

template <class Context, constant_model_sizes Size> struct constant_model_tables {
    constant_array<constant_state_row, Size.states> states{};
    constant_array<constant_transition_row, Size.transitions> transitions{};
    constant_array<index, Size.named> named{}; ///< states that transitions name, except their first targets
    constant_array<constant_hook<Context>, Size.hooks> hooks{};
    constant_array<constant_change<Context>, Size.changes> changes{};
    constant_array<constant_guard<Context>, Size.guards> guards{};
    constant_array<std::int32_t, Size.hold_guards> hold_guards{};
    constant_array<constant_score<Context>, Size.scores> scores{};
    constant_array<constant_timer<Context>, Size.timers> timers{};
    constant_array<std::uint32_t, Size.carried> carried{}; ///< transitions with carry_over, in the order in which they are tried
    constant_array<constant_condition_row, Size.conditions> conditions{};
    constant_array<constant_span, Size.tags> tags{}; ///< characters; equal tags have one text
    constant_array<constant_local, Size.locals> locals{};
    constant_array<std::uint32_t, Size.places> places{}; ///< of the locals that hooks and guards take
    constant_array<constant_event_type, Size.types> types{};
    constant_array<constant_event_row, Size.events> events{};
    constant_array<event_interval, Size.values> values{};
    constant_array<event_interval, Size.columns> columns{}; ///< in ascending order within a type
    constant_array<char, Size.characters> characters{};
    constant_array<index, Size.regions> regions{}; ///< the outermost states

    constexpr std::size_t condition_of(std::string_view name) const {
        std::size_t c = 0;
        while (c < conditions.size() && (name.empty() || text(conditions[c].name) != name)) ++c;
        return c;
    }
    constexpr std::uint64_t triggers() const {
        std::uint64_t bits = 0;
        for (std::size_t c = 0; c < conditions.size(); ++c) bits |= std::uint64_t(conditions[c].trigger) << c % 64;
        return bits;
    }
    /// Returns the conditions that a transition clears when it fires.
    constexpr std::uint64_t used_triggers(const constant_transition_row& t) const { return t.target == no_index ? 0 : t.positives & triggers(); }
    constexpr std::size_t label_of(std::string_view label) const {
        std::size_t t = 0;
        while (t < timers.size() && (label.empty() || text(timers[t].label) != label)) ++t;
        return t;
    }
    constexpr bool waits_for(const constant_event_row& event, std::uint32_t column) const {
        for (auto i = event.values.first; i < event.values.first + event.values.count; ++i)
            if (values[i].first <= columns[column].first && columns[column].first <= values[i].last) return true;
        return false;
    }

    /// Returns whether the state's transitions are tried as soon as it is entered.
    constexpr bool tries_at_once(index s) const { return states[s].transient && states[s].polled.count > 0; }
    constexpr std::uint32_t transient_number(index s) const {
        std::uint32_t n = 0;
        for (index other = 0; other < s; ++other) n += tries_at_once(other);
        return n;
    }

    // Used by write_transition.hpp.
    constexpr bool is_machine(index s) const { return states[s].kind == state_kind::machine; }
    constexpr bool is_parallel(index s) const { return states[s].kind == state_kind::parallel; }
    /// Returns the state around a region; no_index: above the root.
    constexpr index above(index region) const { return states[regions[region]].superstate; }
    /// Visits the regions inside a state, except its own.
    template <class Visit> constexpr void each_region_inside(index s, Visit visit) const {
        for (index r = 0; r < regions.size(); ++r)
            if (regions[r] > s && regions[r] <= states[s].last) visit(r);
    }
    constexpr index region_of_level(index level) const { return level == no_index ? index(0) : states[level].region; }
    constexpr bool is_candidate(std::uint32_t t) const {
        const auto& span = states[transitions[t].source].candidates;
        return t >= span.first && t < span.first + span.count;
    }
    /// Returns the level of a transition for comparisons with others of its source. That of a reaction is its source.
    constexpr index level_of(std::uint32_t t) const { return transitions[t].target == no_index ? transitions[t].source : transitions[t].level; }
    /// Returns the innermost state of a region that has on_unhandled hooks.
    constexpr index innermost_unhandled(index leaf) const {
        const auto end = above(states[leaf].region);
        while (leaf != end && states[leaf].unhandled.count == 0) leaf = states[leaf].superstate;
        return leaf == end ? no_index : leaf;
    }
    /// Returns the number of a level at which transitions can wait. That above the root is 0.
    constexpr std::uint32_t slot_of(index level) const { return level == no_index ? 0 : states[level].level; }
    constexpr bool is_guarded(std::uint32_t t) const { return transitions[t].guard >= 0 || is_candidate(t); }
    constexpr bool is_static(index machine) const {
        const auto& choices = states[machine].choices;
        if (states[machine].history != history_depth::none) return false;
        return choices.count == 0 || !is_guarded(choices.first);
    }
    /// Returns the leaf, or the machine of a final state that is not recorded.
    constexpr index recorded_leaf(index leaf, bool finals) const {
        return !finals && states[leaf].kind == state_kind::final ? states[leaf].superstate : leaf;
    }
    /// Returns what the owner of a record stores while `leaf` is active; 0: none. `within`: the owner, or the outermost state of a region inside it.
    /// A parallel is stored as itself.
    constexpr index recorded(index owner, index within, index leaf, bool finals) const {
        leaf = recorded_leaf(leaf, finals);
        if (leaf == within) return is_parallel(within) ? within : index(0);
        return states[owner].records == history_depth::shallow ? toward(within, leaf) : leaf;
    }
    /// Returns the substate of a machine that contains a state below the machine.
    constexpr index toward(index machine, index s) const {
        while (states[s].superstate != machine) s = states[s].superstate;
        return s;
    }
    constexpr bool is_history(index s) const { return states[s].kind == state_kind::history; }
    constexpr index machine_of(index target) const { return is_history(target) ? states[target].superstate : target; }
    /// Returns whether the transition does not fire while `leaf` is active.
    constexpr bool is_excluded(std::uint32_t t, index leaf) const {
        bool is = false;
        each_of(transitions[t].joined, [&](index s) { is |= !flatten::contains(states, s, leaf); });
        each_of(transitions[t].excluded, [&](index s) { is |= flatten::contains(states, s, leaf); });
        return is;
    }
    template <class Visit> constexpr void each_of(const constant_span& span, Visit visit) const {
        for (auto i = span.first; i < span.first + span.count; ++i) visit(named[i]);
    }
    template <class Visit> constexpr void each_target(const constant_transition_row& t, Visit visit) const {
        if (t.target != no_index) visit(t.target);
        each_of(t.further, visit);
    }

    constexpr std::string_view text(const constant_span& span) const { return {characters.items + span.first, span.count}; }
};

template <constant_program_sizes Size> struct constant_program_tables {
    constant_array<constant_op, Size.ops> ops{};
    constant_array<std::uint32_t, Size.cells> cells{}; ///< programs, by column and leaf
    constant_array<constant_step, Size.steps> steps{};
    constant_array<constant_leaf_row, Size.leaves> leaves{};
    constant_array<constant_region_row, Size.entered> entered{};
    constant_array<constant_column, Size.waiting> waiting{};       ///< by column
    constant_array<constant_move, Size.moves> moves{};             ///< by transition, if the chart has regions
    constant_array<std::uint32_t, Size.exits> exits{};             ///< programs, see constant_move
    constant_array<std::uint32_t, Size.completions> completions{}; ///< programs, by mark
    constant_array<std::uint32_t, Size.retries> retries{};         ///< programs, by leaf (not with regions) and waiting transition; 0: none
    constant_array<std::uint32_t, Size.overdue> overdue{};         ///< programs, by leaf and carried transition; 0: none
    constant_array<std::uint32_t, Size.declined> declined{};       ///< the programs of on_unhandled hooks, by leaf; 0: none
    constant_array<record, Size.records> records{};                ///< the records of the programs
    constant_array<std::uint32_t, Size.numbers> event_numbers{};   ///< by column: the event numbers in records
};

template <class Context, constant_model_sizes Defined, constant_program_sizes Programmed>
struct constant_tables : constant_model_tables<Context, Defined>, constant_program_tables<Programmed> {};

} // namespace hsm::detail
