/// The shape of a definition, once every target has been looked up: states in preorder, transitions with the indices of
/// their source, target and level. What the check examines and the chart is made of.
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
    index last;       ///< its last descendant in preorder; itself if it has none
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
    std::vector<index> joined;       ///< states that must be active, too
    std::vector<index> excluded;     ///< states none of which may be active
};

/// Does it have a moment at which it is due, and a state to enter then?
inline bool may_carry_over(const outline_transition& t) {
    return t.role == transition_role::ordinary && t.target != no_index && t.spec->after && !t.spec->event && !t.spec->on_finished;
}

/// Among the transitions of one source, see flatten.hpp.
inline bool tried_before(const outline_transition* a, const outline_transition* b) {
    const auto turn = [](const transition_spec& t) { return flatten::turn_of(t.event.others, t.defers); };
    return flatten::tried_before(a->spec->priority, turn(*a->spec), b->spec->priority, turn(*b->spec));
}

struct outline {
    std::vector<outline_state> states;
    std::vector<outline_transition> transitions;
    bool too_large = false; ///< more states than an index can count; nothing else is filled in
    bool too_deep = false;  ///< more levels than `most_levels`; nothing else is filled in

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

} // namespace hsm::detail
