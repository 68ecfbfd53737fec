/// A compiled definition: flat, immutable tables with plain indices. compiled_chart.hpp has the tree of nodes from which they were built.
#pragma once

#include <hsm/chart/detail/block_layout.hpp>
#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/detail/table.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/chart_head.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

struct compiled_chart;

/// A copy refers to the same tables, which the owner holds.
struct chart_core : chart_head {
    compiled_chart* owner = nullptr; ///< owns the tree and the tables
    const state_base* root = nullptr;
    compile_options options;

    table<state_row> states;
    table<transition_row> transitions;
    table<event_key> events;             ///< sorted, see find_event
    table<std::uint32_t> on_any_event;   ///< transitions on any_event, in the order in which they are tried
    table<event_ref> event_refs;         ///< the same, as hooks receive them
    table<name_node> names;              ///< of each event, if has_event_names
    table<named_event> named;            ///< the same as objects of named events
    table<std::uint16_t> events_by_name; ///< a hash table, see make_name_table
    std::size_t longest_name = 0;
    table<value_row> values; ///< of the types whose values can be events: by type and value
    table<hook_row> hooks;
    table<guard_row> guards;
    table<local_row> locals;
    table<timer_row> timers;
    table<cooldown_row> cooldowns;
    table<std::string_view> conditions; ///< names, by bit
    table<std::uint32_t> conditions_by_name;
    table<std::uint64_t> triggers;  ///< words of bits; empty: no condition is a trigger
    table<std::string_view> tags;   ///< of all states, sorted
    table<std::uint64_t> tag_words; ///< for each state, a bit for each tag of it or its superstates: see has_tag
    table<group_row> groups;
    table<condition_mask> masks;
    table<idle_test> idle_tests; ///< by leaf; empty without conditions, and with regions
    table<index> targets;        ///< further targets, joined states, excluded states
    table<index> regions;        ///< their outermost states; region 0 is the root's
    table<index> history_owners; ///< by record: the state whose leaf is recorded when it exits; or a previous state, which has two

    // The programs. Op 0 is not used.
    table<op> ops;
    table<hook_site> hook_sites;   ///< of each op
    table<row_entry> entries;      ///< the programs of each leaf, by column
    table<const op*> rows;         ///< the same as rows with all columns, if that fits into compile_options::row_memory
    table<local_slot> local_slots; ///< of the hooks that take locals
    table<tick_section> sections;
    table<const op*> tick_table; ///< by the leaf
    program region_ticks = 0;    ///< with ticks_by_region: the ops `next_region` of all regions, one after the other
    table<program> restores;     ///< by machine and recorded state: the entries from the machine inwards
    // With regions, or by_parts, an event has lists of candidates instead of programs. List 0 is empty.
    table<std::uint32_t> candidates; ///< transitions
    table<span_of> lists;
    table<index> polled_levels;            ///< by_parts: the levels of each state's polled transitions, each once
    table<program> level_programs;         ///< by_parts: the decisions of a state at that level, in any leaf; 0: by selection
    table<program> shared_programs;        ///< by_parts: for each of `entries`, the effect of the event in that state, in any leaf; 0: by selection
    table<std::uint32_t> list_rows;        ///< as `rows`
    table<op> dispatch_ops;                ///< two for each column
    table<std::uint32_t> handling_regions; ///< for each column: the positions of the regions that can handle its events, then 0
    table<op> pair_dispatch_ops;
    table<pair_table> pairs;
    table<const op*> pair_rows;
    table<const op*> dispatch_row; ///< for every configuration: the op that finds the programs of the regions
    table<op> traced_events;       ///< of observed machines, by column: the op that reports the event and runs the leaf's program
    table<const op*> traced_row;
    table<std::uint32_t> decisions;          ///< polled transitions by level, in the order of decision
    table<index> change_listeners;           ///< states with on_change
    table<index> by_name;                    ///< all states by name; equal names in preorder
    table<std::uint32_t> carried;            ///< transitions that fire at the moment at which they are due, in the order of decision
    span_of decides_above;                   ///< those of the level above the root
    table<std::uint32_t> always;             ///< with the superstate first: the transitions that are tried after every other, in order
    table<std::uint32_t> own_always;         ///< the same, grouped by state
    table<leave_request_row> leave_requests; ///< by state
    table<std::uint32_t> region_record_at;   ///< of each history owner: the first record of its regions
    std::uint32_t region_records = 0;

    table<event_column> column_table;   ///< by the id of the event type, within the mask
    table<event_column> types;          ///< of all events, by name; equal types of several modules are one
    table<std::uint32_t> event_columns; ///< by the number of the event
    table<std::uint16_t> column_events; ///< the event of a column; no_index: none
    table<column_row> more_columns;     ///< of events with several values: by event
    std::uint32_t row_width = 1;

    block_layout layout;
    bool needs_reason = false;      ///< some hook reads its reason
    by_hook_kind<bool> has_hooks{}; ///< some state has hooks of that kind; `unhandled` also because of any_event
    bool acts_when_settled = false; ///< there are on_settled or on_leave_requested
    bool has_transients = false;
    bool has_projections = false;
    bool has_marks = false;           ///< some state has transitions on completion
    bool has_previous = false;        ///< a history state leads to the substate before the present one
    bool tracks_fired = false;        ///< records that a transition has fired, because another one is tried after each
    bool has_choosing = false;        ///< some state chooses by score or by chance
    bool has_chance = false;          ///< some state chooses by chance
    bool has_over = false;            ///< some transition tests is_over
    bool has_defers = false;          ///< some state defers events
    bool has_event_objects = false;   ///< some event has a payload with a destructor
    bool events_are_programs = false; ///< each event is one program of the leaf's row, and nothing else
    bool steps_are_plain = false;     ///< a step consists of exits, action and entries, without holds, records or reports
    bool ticks_by_region = false;     ///< with regions: a tick is programs of their leaves
    bool by_regions = false;          ///< regions, forks, or levels that depend on a history: one program per leaf is not enough
    bool by_parts = false;            ///< there are no programs or lists by leaf: each state has lists of its own candidates only
    bool straight = false;            ///< a machine between calls can run an event's program directly
    bool has_prefixes = false;        ///< some transition handles all names with a prefix
    bool has_event_names = false;     ///< because of has_prefixes, or because a hook takes a named event: each event's object has its name
    bool catches_guards = false;      ///< compile_options::guard_error
    bool follows_each_update = false; ///< also of states without hooks: decisions can wait for holds, or raise events of failed guards
    bool carries = false;             ///< some transition has carry_over: a tick moves from one due moment to the next
    bool observed = false;            ///< it belongs to one machine: observed_core
    bool traced = false;              ///< its programs report records
    index time_slots = 0;
    std::uint32_t most_candidates = 0;    ///< of one state
    std::uint16_t guard_error = no_index; ///< the event; no_index: no transition handles it
    index depth = 0;                      ///< of the deepest state

    std::uint64_t block_size = 0; ///< bytes of an instance's locals and timers
    std::uint32_t block_alignment = 1;
    std::uint32_t event_size = 0; ///< of the largest payload
    std::uint32_t event_alignment = 1;

    bool contains(index outer, index inner) const { return outer <= inner && inner <= states[outer].last; }
    /// Returns whether the state or one of its superstates has the tag.
    bool has_tag(index s, std::size_t number) const { return tag_words[s * words_of_tags() + number / 64] >> number % 64 & 1; }
    std::size_t words_of_tags() const { return (tags.size() + 63) / 64; }
    /// Returns no_index if the state is not part of this chart.
    index index_of(const state_base& s) const {
        return s.number() < states.size() && states[s.number()].node == &s ? static_cast<index>(s.number()) : no_index;
    }
    bool is_machine(index s) const { return states[s].kind == state_kind::machine; }
    /// Returns -1 for the level above the root. The level of a transition without a target is its source.
    int depth_of_level(const transition_row& t) const {
        const auto level = t.target == no_index ? t.source : t.level;
        return level == no_index ? -1 : states[level].depth;
    }
    bool is_guarded(std::uint32_t t) const { return transitions[t].is_guarded(); }
    /// Returns whether its entry choice is known at compile time: it depends on no guard and no history.
    bool is_static(index machine) const {
        const auto& row = states[machine];
        return row.history == history_depth::none && (row.choices.count == 0 || !is_guarded(row.choices.first));
    }
    index machine_of(index target) const { return states[target].kind == state_kind::history ? states[target].superstate : target; }
    /// Returns the state that is recorded when the machine exits while that leaf is active; 0: none.
    index recorded(index machine, index leaf) const {
        const bool forgotten = states[leaf].kind == state_kind::final && !options.remember_finals;
        const auto r = forgotten ? states[leaf].superstate : leaf;
        return r == machine ? index(0) : r;
    }
    bool is_previous(index s) const { return states[s].kind == state_kind::history && states[s].history == history_depth::previous; }
    /// Returns whether a previous state leads to this substate: finals, choices and other transient states are passed over.
    bool counts_as_previous(index s) const { return !states[s].transient && (states[s].kind != state_kind::final || options.remember_finals); }
    /// Returns its number from 1; 0: no transition.
    std::uint32_t number_of(const transition_row* t) const { return t ? static_cast<std::uint32_t>(t - transitions.data()) + 1 : 0; }
    /// Returns whether some state with on_leave_requested can hold the polled transition.
    bool may_request_leave(std::uint32_t t) const {
        return std::ranges::find(leave_requests, t, &leave_request_row::transition) != leave_requests.end();
    }
    /// Returns whether the score of one of the candidates takes hsm::scores.
    bool scores_many(const span_of& own) const {
        return std::ranges::any_of(std::span(transitions).subspan(own.first, own.count),
                                   [&](const transition_row& t) { return t.score != no_score && hooks[t.score].many; });
    }
    /// Returns all targets, in order.
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
    /// With ticks_by_region: where a tick continues with this region; for the number of regions: its end.
    program tick_of_region(std::size_t region) const { return region_ticks + static_cast<program>(2 * region); }
    /// The same: where it continues after a decision at that depth by which this state has become a leaf.
    program section_after(index leaf, int decided) const {
        const auto& tick = states[leaf].tick;
        for (auto i = tick.first; i < tick.first + tick.count; ++i)
            if (sections[i].depth > decided) return sections[i].at;
        return tick_of_region(states[leaf].region + 1u);
    }
    /// Returns the number of the list of an event's candidates.
    std::uint32_t list_for(index region_leaf, std::uint32_t column) const {
        return list_rows.empty() ? program_for(region_leaf, column) : list_rows[states[region_leaf].row + column];
    }
    const op* const* row_of(index leaf) const {
        if (rows.empty()) return nullptr;
        return rows.data() + (by_regions ? std::size_t(leaf) * row_width : states[leaf].row);
    }
    /// Returns the row of a region that is not active.
    const op* const* no_programs() const { return rows.empty() ? nullptr : rows.data() + states.size() * row_width; }
    /// Returns whether a tick has an effect in this leaf.
    bool ticks_at(index leaf) const { return by_regions || by_parts || states[leaf].tick.count > 0; }
    program program_for(index leaf, std::uint32_t column) const; ///< 0: no program handles it
    /// Returns the innermost state that contains both; no_index is the level above the root.
    index common(index a, index b) const {
        while (a != no_index && (b == no_index || !contains(a, b))) a = states[a].superstate;
        return a;
    }
    /// Returns the nearest local of that type, from a state outwards.
    const local_row* find_local(index from, const local_type& type) const;
    index toward(index outer, index inner) const; ///< the substate of `outer` that contains `inner`
    void* context_of(index s, void* root_context) const;

    std::uint32_t find_condition(const condition_key& key) const; ///< no_condition if there is none
    std::uint16_t find_event(const event_ref& event) const;       ///< no_index if no transition waits for it
    /// Returns an event as hooks receive it. A name without an object of its own gets the object of the chart.
    event_ref event_at(std::uint16_t number, const void* payload) const {
        if (event_refs[number].type->is_name) return name_at(number, payload);
        auto event = event_refs[number];
        event.object = payload;
        return event;
    }
    /// Returns whether the machine raises events of this name, with this named_event or null.
    bool raises(std::uint16_t number, const void* payload) const;
    event_ref name_at(std::uint16_t number, const void* payload) const;
    /// Returns whether a queue must store that object with the event: not for a name without further data.
    bool stores_payload(std::uint16_t number, const void* payload) const { return !event_refs[number].type->is_name || stores_name(number, payload); }
    bool stores_name(std::uint16_t number, const void* payload) const;
    /// Returns the event as a queue must store it.
    event_ref storable_event(const event_ref& event, std::uint16_t number) const;
    std::uint16_t find_name(std::string_view name) const; ///< of a named event
    std::uint16_t look_up_name(std::string_view name, bool beginnings_only) const;
    std::uint32_t column_for(const event_ref& event) const;  ///< 0 if no transition waits for it
    std::uint32_t find_column(const event_ref& event) const; ///< as column_for, or a column in which no row has a program
    /// Returns the rows of handled values that overlap `i.first` to `i.last`, in order; the first can begin before it, the last can end after it.
    std::span<const value_row> values_among(const event_type& type, const event_interval& i) const;
    std::size_t first_more_column(std::uint16_t event) const;
    /// Visits all columns of an event.
    template <class Visit> void each_column(std::uint16_t event, const Visit& visit) const {
        visit(event_columns[event]);
        auto c = first_more_column(event);
        for (; c < more_columns.size() && more_columns[c].event == event; ++c) visit(more_columns[c].column);
    }
    const event_column* column_of(const event_type& type) const; ///< null if no transition waits for any of that type
    const event_column* type_like(const event_type& type) const; ///< the same, slowly
    struct found_state {
        index state = no_index;
        bool ambiguous = false; ///< several states match: see named_by()
    };
    /// Returns the state that `key` names in a call from outside: see state_key.hpp.
    found_state find(const state_key& key) const;
    /// Returns all states that `key` can name in a call from outside, in preorder.
    std::vector<index> named_by(const state_key& key) const;
};

/// Returns the number of the type, from 1; assigned at the first call. Each module with a copy of the library counts separately.
std::uint32_t event_type_id(const event_type& type);

/// Sorts events in the order of find_event, and removes duplicates. Equal types must be one object.
void sort_events(std::vector<event_key>& events, const std::vector<const event_type*>& types);

/// Builds the hash table of a chart's named events: open addressing, at most half full.
void make_name_table(chart_core& core);

/// Shared ownership, counted across threads.
void add_user(const chart_core* core) noexcept;
void remove_user(const chart_core* core) noexcept;

} // namespace hsm::detail
