/// The shape of a definition, once every target has been looked up: states in preorder, transitions with the indices of
/// their source, target and level. What the check examines and the chart is made of.
#pragma once

#include <hsm/define/lookup.hpp>

#include <cstdint>
#include <iterator>
#include <vector>

namespace hsm {

using index = std::uint16_t;
inline constexpr index no_index = 0xffff;

enum class transition_role : std::uint8_t { ordinary, dispatch, initial };

struct outline_state {
    state_base* node;
    index superstate; ///< no_index for the root
    index last;       ///< its last descendant in preorder; itself if it has none
    index depth;      ///< 0 for the root
};

/// The level of a transition in a table of states: its LCA, no_index above the root; never a parallel. A superstate stays when
/// the other end is its own substate, unless the transition is external or the superstate a parallel; a state that goes to
/// itself does not.
template <class States, class Targets> index level_of(const States& states, index source, const Targets& targets, bool external) {
    const auto contains = [&](index outer, index inner) { return outer <= inner && inner <= states[outer].last; };
    const auto contains_all = [&](index outer) {
        for (const auto t : targets)
            if (t == outer || !contains(outer, t)) return false;
        return true;
    };
    const auto is_parallel = [&](index s) { return states[s].node->kind() == state_kind::parallel; };
    if (!external && !is_parallel(source) && contains_all(source)) return source;
    const auto first = *std::begin(targets);
    if (!external && std::size(targets) == 1 && first != source && contains(first, source) && !is_parallel(first)) return first;
    auto level = states[source].superstate;
    while (level != no_index && (is_parallel(level) || !contains_all(level))) level = states[level].superstate;
    return level;
}

template <class States> index level_between(const States& states, index source, index target, bool external) {
    const index only[] = {target};
    return level_of(states, source, only, external);
}

struct outline_transition {
    const transition_spec* spec;
    transition_role role;
    index source;
    index target; ///< no_index: internal, or not found
    index level;  ///< the LCA, neither exited nor entered; no_index: above the root, or internal
    lookup_result lookup;
    std::vector<index> more_targets; ///< of a fork; no_index: not found
    std::vector<index> joined;       ///< states that must be active, too
};

/// Among the transitions of one source: by priority, then as they were defined; what defers an event comes last.
inline bool tried_before(const outline_transition* a, const outline_transition* b) {
    if (a->spec->defers != b->spec->defers) return b->spec->defers;
    return a->spec->priority > b->spec->priority;
}

struct outline {
    std::vector<outline_state> states;
    std::vector<outline_transition> transitions;
    bool too_large = false; ///< more states than an index can count; nothing else is filled in

    bool contains(index outer, index inner) const { ///< also a state itself
        return outer != no_index && inner != no_index && outer <= inner && inner <= states[outer].last;
    }
    index index_of(const state_base& s) const; ///< no_index if it is of another tree
    bool is_history(index s) const { return states[s].node->kind() == state_kind::history; }
    bool is_parallel(index s) const { return states[s].node->kind() == state_kind::parallel; }
    /// Can both be active? They are in different regions of a parallel, or one contains the other.
    bool go_together(index a, index b) const;
    /// The substate that a machine enters for want of anything better: the first that is not a history state.
    index first_substate(index s) const;
};

outline make_outline(state_base& root);

} // namespace hsm
