/// The shape of a definition after all targets have been looked up: states in preorder, transitions with the indices of their source, target and
/// level. The check examines it, and the chart is built from it.
#pragma once

#include <hsm/chart/detail/chart_facts.hpp>
#include <hsm/chart/detail/rows.hpp>
#include <hsm/define/detail/lookup.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

struct outline_state {
    state_base* node;
    index superstate; ///< no_index for the root
    index last;       ///< its last descendant in preorder, or itself
    index depth;      ///< 0 for the root
};

struct outline_transition {
    const transition_spec* spec;
    transition_role role;
    index source;
    index target; ///< no_index: internal, or not found
    index level;  ///< the LCA, neither exited nor entered; no_index: above the root, or internal
    lookup_result lookup;
    std::vector<index> more_targets; ///< of a fork; no_index: not found
    std::vector<index> joined;       ///< states that must also be active
    std::vector<index> excluded;     ///< states none of which may be active
    bool rechoice = false;           ///< from a machine that chooses again to a candidate
};

/// Returns whether it is due at a certain moment and enters a state then.
inline bool may_carry_over(const outline_transition& t) {
    return t.role == transition_role::ordinary && t.target != no_index && t.spec->after && !t.spec->event && !t.spec->on_finished;
}

/// Returns whether its source chooses it by score or by chance.
inline bool is_candidate(const outline_transition& t) {
    if (t.rechoice) return true;
    if (t.role == transition_role::dispatch) return t.spec->source->chooses().how != choosing::first;
    const bool branch = t.role == transition_role::ordinary && t.spec->source->kind() == state_kind::choice && !t.spec->event;
    return branch && t.spec->source->chooses().how != choosing::first && !t.spec->is_last();
}

/// Returns whether transition a of a source is tried before b: see flatten.hpp.
inline bool tried_before(const outline_transition* a, const outline_transition* b) {
    const auto turn = [](const transition_spec& t) { return flatten::turn_of(t.event.others, t.defers); };
    return flatten::tried_before(a->spec->priority, turn(*a->spec), b->spec->priority, turn(*b->spec));
}

struct outline {
    std::vector<outline_state> states;
    std::vector<outline_transition> transitions;
    bool too_large = false; ///< more states than an index can count; the other members are empty
    bool too_deep = false;  ///< more levels than `most_levels`; the other members are empty

    bool contains(index outer, index inner) const { ///< true also for a state and itself
        return outer != no_index && inner != no_index && outer <= inner && inner <= states[outer].last;
    }
    index index_of(const state_base& s) const; ///< no_index for a state of another tree
    bool is_history(index s) const { return states[s].node->kind() == state_kind::history; }
    bool is_parallel(index s) const { return states[s].node->kind() == state_kind::parallel; }
    /// Returns whether both can be active: they are in different regions of a parallel, or one contains the other.
    bool may_coexist(index a, index b) const;
    /// Returns the default substate: the first that is not a history state.
    index first_substate(index s) const;
};

outline make_outline(state_base& root);

} // namespace hsm::detail
