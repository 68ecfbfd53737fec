/// The states of a chart, and what belongs to them.
#pragma once

#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/detail/table.hpp>
#include <hsm/define/state_base.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hsm::detail {

struct definition_tables {
    const state_base* root = nullptr;

    table<state_row> states;
    table<transition_row> transitions;
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
    table<index> targets;                    ///< further targets, joined states, excluded states
    table<index> regions;                    ///< their outermost states; region 0 is the root's
    table<index> history_owners;             ///< by record: the state whose leaf is recorded when it exits; or a previous state, which has two
    table<std::uint32_t> region_record_at;   ///< of each history owner: the first record of its regions
    table<std::uint32_t> decisions;          ///< polled transitions by level, in the order of decision
    table<std::uint32_t> carried;            ///< transitions that fire at the moment at which they are due, in the order of decision
    span_of decides_above;                   ///< those of the level above the root
    table<std::uint32_t> always;             ///< with the superstate first: the transitions that are tried after every other, in order
    table<std::uint32_t> own_always;         ///< the same, grouped by state
    table<index> change_listeners;           ///< states with on_change
    table<index> by_name;                    ///< all states by name; equal names in preorder
    table<leave_request_row> leave_requests; ///< by state
    std::uint32_t region_records = 0;
    std::uint32_t most_candidates = 0; ///< of one state
    index time_slots = 0;
    index depth = 0; ///< of the deepest state

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
    bool is_previous(index s) const { return states[s].kind == state_kind::history && states[s].history == history_depth::previous; }
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
};

} // namespace hsm::detail
