/// A compiled definition: flat, immutable tables over plain indices. compiled_chart.hpp has the tree of nodes that they were made from.
#pragma once

#include <hsm/chart/detail/block_layout.hpp>
#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/detail/table.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/chart_head.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

struct compiled_chart;

/// A copy sees the same tables; what it has made them is its owner.
struct chart_core : chart_head {
    compiled_chart* owner = nullptr; ///< of the tree, and of the tables
    const state_base* root = nullptr;
    compile_options options;

    table<state_row> states;
    table<transition_row> transitions;
    table<event_key> events;             ///< sorted, see find_event
    table<event_ref> event_refs;         ///< the same, as hooks are told them
    table<name_node> names;              ///< where names_at_hand, of each event
    table<named_event> named;            ///< the same as objects of named events
    table<std::uint16_t> events_by_name; ///< a hash table, see make_name_table
    std::size_t longest_name = 0;
    table<value_row> values; ///< of the types of which an event may be several values: by type and value
    table<hook_row> hooks;
    table<guard_row> guards;
    table<local_row> locals;
    table<timer_row> timers;
    table<std::string_view> conditions; ///< names, by the bit
    table<std::uint32_t> conditions_by_name;
    table<group_row> groups;
    table<condition_mask> masks;
    table<idle_test> idle_tests; ///< by leaf; none where there are no conditions, or regions are driven
    table<index> targets;        ///< further targets, and states that are joined or excluded
    table<index> regions;        ///< their outermost states; region 0 is the root's
    table<index> history_owners; ///< the machines of which it is recorded where they are left

    // The programs. Op 0 is not used.
    table<op> ops;
    table<op_note> notes;            ///< of each op
    table<row_entry> entries;        ///< the programs of each leaf, by column
    table<const op*> rows;           ///< the same as rows of all columns, if that is not too much
    table<local_place> local_places; ///< of the hooks that take locals
    table<tick_section> sections;
    table<const op*> tick_table; ///< by the leaf
    table<program> restores;     ///< by machine, and what is recorded: the entries from the machine inwards
    // Where regions are driven, or by_parts, an event has lists of candidates instead of programs. List 0 is empty.
    table<std::uint32_t> candidates; ///< transitions
    table<span_of> lists;
    table<index> polled_levels;     ///< by_parts: of each state's polled transitions, each once
    table<program> level_programs;  ///< by_parts: the decisions of a state at that level, in whatever leaf; 0: by selection
    table<program> shared_programs; ///< by_parts: of each of `entries`, what the event does in that state, in whatever leaf; 0: by selection
    table<std::uint32_t> list_rows; ///< as `rows`
    table<op> drives;               ///< two for each column
    table<std::uint32_t> knowing;   ///< for each column: where the regions stand that may know its events, then 0
    table<op> drives_of_pairs;
    table<pair_table> pairs;
    table<const op*> pair_rows;
    table<const op*> drive_row; ///< of every configuration: the op that finds the regions' programs
    table<op> told_events;      ///< of observed machines, by column: what tells of an event, and runs the leaf's program
    table<const op*> told_row;
    table<std::uint32_t> decisions;        ///< polled transitions by level, in the order in which they are tried
    table<index> change_listeners;         ///< states with on_change
    table<index> by_name;                  ///< all states, by name, and those of one name in preorder
    table<std::uint32_t> carried;          ///< transitions that fire at the moment at which they are due, in the order of decision
    span_of decides_above;                 ///< those of the level above the root
    table<std::uint32_t> always;           ///< with the superstate first: those that are tried after every other, in their order
    table<std::uint32_t> own_always;       ///< the same, of one state after the other
    table<std::uint32_t> region_record_at; ///< of each history owner: where its regions' records begin
    std::uint32_t region_records = 0;

    table<event_column> column_table;   ///< by the id of the event type, as far as the mask goes
    table<event_column> types;          ///< of all events, by name; of equal types of several modules one
    table<std::uint32_t> event_columns; ///< by the number of the event
    table<std::uint16_t> column_events; ///< the event of a column; no_index: none
    table<column_row> more_columns;     ///< of events that are several values: by event
    std::uint32_t row_width = 1;

    block_layout layout;
    bool tells_cause = false; ///< some hook asks why it runs
    bool has_changes = false; ///< some machine has on_change
    bool has_transients = false;
    bool has_projections = false;
    bool has_marks = false;           ///< some state has transitions on completion
    bool notes_fired = false;         ///< that a transition has fired is noted: some other is tried after each
    bool has_unhandled = false;       ///< some machine wants to be told of events that nobody knows
    bool has_init = false;            ///< some state has on_init or on_destroy
    bool has_over = false;            ///< some transition asks whether the leaf is over
    bool has_defers = false;          ///< some state keeps events for a later one
    bool has_event_objects = false;   ///< some event's payload has to be destroyed
    bool events_are_programs = false; ///< each is one program of the leaf's row, and nothing else
    bool steps_are_plain = false;     ///< exits, actions and entries: nothing is held, recorded, told or noted besides
    bool ticks_by_region = false;     ///< where regions are driven: a tick is programs of their leaves
    bool driven = false;              ///< it has regions, or something else that only the driver of regions can do
    bool by_parts = false;            ///< there are no programs by leaf, nor lists: each state has lists of its own candidates only
    bool straight = false;            ///< a machine that waits for an event may run its program at once
    bool has_prefixes = false;        ///< some transition waits for all names that begin so
    bool names_at_hand = false;       ///< because of that, or as some hook takes a named event: the object of each says its name
    bool catches_guards = false;      ///< compile_options::guard_error
    bool carries = false;             ///< some transition fires at the moment at which it is due: a tick moves from one such moment to the next
    bool has_settled = false;         ///< the root wants to be told when nothing is left to be done
    bool observed = false;            ///< it is the chart of one machine: observed_core
    bool traced = false;              ///< its programs tell what they do
    index time_slots = 0;
    std::uint16_t guard_error = no_index; ///< the event; no_index: nobody waits for it
    index depth = 0;                      ///< of the deepest state

    std::uint64_t block_size = 0; ///< bytes of an instance's locals and timers
    std::uint32_t block_alignment = 1;
    std::uint32_t event_size = 0; ///< of the largest payload
    std::uint32_t event_alignment = 1;

    bool contains(index outer, index inner) const { return outer <= inner && inner <= states[outer].last; }
    /// no_index if it is not of this chart.
    index index_of(const state_base& s) const {
        return s.number() < states.size() && states[s.number()].node == &s ? static_cast<index>(s.number()) : no_index;
    }
    bool is_machine(index s) const { return states[s].kind == state_kind::machine; }
    /// -1 above the root. What leaves nothing has its source for a level.
    int depth_of_level(const transition_row& t) const {
        const auto level = t.target == no_index ? t.source : t.level;
        return level == no_index ? -1 : states[level].depth;
    }
    bool is_guarded(std::uint32_t t) const { return transitions[t].is_guarded(); }
    /// Is it known beforehand where it goes when it is entered? Then no guard and no history has a say.
    bool is_static(index machine) const {
        const auto& row = states[machine];
        return row.history == history_depth::none && (row.choices.count == 0 || !is_guarded(row.choices.first));
    }
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
    std::span<const index> excluded_of(const transition_row& t) const { return {targets.data() + t.excluded.first, t.excluded.count}; }
    const op* const* row_of_pair(const pair_table& table, index first, index second) const {
        const auto place = std::size_t(states[first].rank) * table.count + states[second].rank;
        return pair_rows.data() + table.rows + place * row_width;
    }
    const op* at(program p) const { return ops.data() + p; }
    /// Of a list in which an event's candidates stand.
    std::uint32_t list_for(index region_leaf, std::uint32_t column) const {
        return list_rows.empty() ? program_for(region_leaf, column) : list_rows[states[region_leaf].row + column];
    }
    const op* const* row_of(index leaf) const {
        if (rows.empty()) return nullptr;
        return rows.data() + (driven ? std::size_t(leaf) * row_width : states[leaf].row);
    }
    /// The row of a region that is not active.
    const op* const* no_programs() const { return rows.empty() ? nullptr : rows.data() + states.size() * row_width; }
    /// Does a tick do anything there?
    bool ticks_at(index leaf) const { return driven || by_parts || states[leaf].tick.count > 0; }
    program program_for(index leaf, std::uint32_t column) const; ///< 0: nobody handles it
    /// The innermost state that contains both; no_index stands for what is above the root.
    index common(index a, index b) const {
        while (a != no_index && (b == no_index || !contains(a, b))) a = states[a].superstate;
        return a;
    }
    /// The nearest local of that type, from a state outwards.
    const local_row* find_local(index from, const local_type& type) const;
    index toward(index outer, index inner) const; ///< the substate of `outer` that contains `inner`
    void* context_of(index s, void* root_context) const;

    std::uint32_t find_condition(const condition_key& key) const; ///< no_condition if there is none
    std::uint16_t find_event(const event_ref& event) const;       ///< no_index if no transition waits for it
    /// One that waited, or is to be handled, as hooks are told it. Without an object of its own a name gets the chart's.
    event_ref event_at(std::uint16_t number, const void* payload) const {
        if (event_refs[number].type->is_name) return name_at(number, payload);
        auto event = event_refs[number];
        event.object = payload;
        return event;
    }
    event_ref name_at(std::uint16_t number, const void* payload) const;
    /// Has that object to be kept with the event? Names that say all there is to say have not.
    bool keeps_payload(std::uint16_t number, const void* payload) const { return !event_refs[number].type->is_name || keeps_name(number, payload); }
    bool keeps_name(std::uint16_t number, const void* payload) const;
    /// As it has to be put into a queue, whatever it is that has come.
    event_ref to_be_kept(const event_ref& event, std::uint16_t number) const;
    std::uint16_t find_name(std::string_view name) const; ///< of a named event
    std::uint16_t look_up_name(std::string_view name, bool beginnings_only) const;
    std::uint32_t column_for(const event_ref& event) const;  ///< 0 if no transition waits for it
    std::uint32_t find_column(const event_ref& event) const; ///< as column_for, or a column in which no row has a program
    /// Those of the values from `i.first` to `i.last` that are waited for, in order; the first may begin before, the last end behind.
    std::span<const value_row> values_among(const event_type& type, const event_interval& i) const;
    std::size_t first_more_column(std::uint16_t event) const;
    /// All columns of an event.
    template <class Visit> void each_column(std::uint16_t event, const Visit& visit) const {
        visit(event_columns[event]);
        auto c = first_more_column(event);
        for (; c < more_columns.size() && more_columns[c].event == event; ++c) visit(more_columns[c].column);
    }
    const event_column* column_of(const event_type& type) const; ///< null if no transition waits for any of that type
    const event_column* type_like(const event_type& type) const; ///< the same, slowly
    struct found_state {
        index state = no_index;
        bool ambiguous = false; ///< several are meant: which ones named_by() tells
    };
    /// What `key` means outside of the chart: see state_key.hpp.
    found_state find(const state_key& key) const;
    /// All that `key` may mean there, in preorder.
    std::vector<index> named_by(const state_key& key) const;
};

/// The number of the type; given at the first call, from 1. Each module that has this library counts on its own.
std::uint32_t event_type_id(const event_type& type);

/// In the order that find_event relies on, each once. Equal types have to be one object.
void sort_events(std::vector<event_key>& events, const std::vector<const event_type*>& types);

/// Of the named ones among a chart's event_refs: with open addressing, at most half full.
void make_name_table(chart_core& core);

/// Shared ownership, counted across threads.
void add_user(const chart_core* core) noexcept;
void remove_user(const chart_core* core) noexcept;

} // namespace hsm::detail
