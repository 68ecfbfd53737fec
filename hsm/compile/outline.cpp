#include <hsm/compile/detail/outline.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

/// Numbers the states in preorder, unless there are too many states or levels.
void number(outline& o, state_base& root) {
    struct open_state {
        index self;
        std::size_t next; ///< of its substates
    };
    std::vector<open_state> path;
    const auto open = [&](state_base& node) {
        const auto self = static_cast<index>(o.states.size());
        node.set_number(self);
        o.states.push_back({&node, path.empty() ? no_index : path.back().self, self, static_cast<index>(path.size())});
        path.push_back({self, 0});
    };
    open(root);
    while (!path.empty()) {
        auto& at = path.back();
        const auto& substates = o.states[at.self].node->substates();
        if (at.next == substates.size()) {
            o.states[at.self].last = static_cast<index>(o.states.size() - 1);
            path.pop_back();
            continue;
        }
        o.too_large = o.states.size() + 1 >= no_index;
        o.too_deep = path.size() > most_levels;
        if (o.too_large || o.too_deep) return;
        open(*substates[at.next++]);
    }
}

/// Returns no_index if the state is not found or ambiguous.
index find(const outline& o, const state_index& names, const state_base& from, const target_spec& what) {
    const auto found = names.look_up(from, what);
    return found.found && !found.ambiguous ? o.index_of(*found.found) : no_index;
}

index level_of_transition(const outline& o, const outline_transition& t) {
    std::vector<index> targets{t.target};
    targets.insert(targets.end(), t.more_targets.begin(), t.more_targets.end());
    if (std::ranges::find(targets, no_index) != targets.end()) return no_index;
    return level_of(o.states, t.source, targets, t.spec->external);
}

void add_transitions(outline& o, const state_index& names, index source, const std::vector<owned<transition_spec>>& specs, transition_role role,
                     bool rechoice = false) {
    const auto& node = *o.states[source].node;
    for (const auto& spec : specs) {
        outline_transition t{spec.get(), role, source, no_index, no_index, {}, {}, {}, {}, rechoice};
        if (spec->has_target) {
            t.lookup = names.look_up(node, spec->target);
            if (t.lookup.found) t.target = o.index_of(*t.lookup.found);
        }
        for (const auto& target : spec->more_targets) t.more_targets.push_back(find(o, names, node, target));
        for (const auto& other : spec->joined) t.joined.push_back(find(o, names, node, other));
        for (const auto& other : spec->excluded) t.excluded.push_back(find(o, names, node, other));
        t.level = role == transition_role::ordinary ? level_of_transition(o, t) : source;
        if (t.target == no_index) t.level = no_index;
        o.transitions.push_back(std::move(t));
    }
}

} // namespace

index outline::index_of(const state_base& s) const {
    return s.number() < states.size() && states[s.number()].node == &s ? static_cast<index>(s.number()) : no_index;
}

bool outline::may_coexist(index a, index b) const {
    return flatten::may_coexist(states, a, b, [&](index s) { return is_parallel(s); });
}

index outline::first_substate(index s) const {
    for (const auto& sub : states[s].node->substates())
        if (sub->kind() != state_kind::history) return index_of(*sub);
    return no_index;
}

outline make_outline(state_base& root) {
    outline o;
    number(o, root);
    if (o.too_large || o.too_deep) return {{}, {}, o.too_large, o.too_deep};
    const state_index names(root);
    for (std::size_t s = 0; s < o.states.size(); ++s) {
        const auto& node = *o.states[s].node;
        add_transitions(o, names, static_cast<index>(s), node.choices(), transition_role::dispatch);
        add_transitions(o, names, static_cast<index>(s), node.initials(), transition_role::initial);
        add_transitions(o, names, static_cast<index>(s), node.transitions(), transition_role::ordinary);
        if (node.kind() == state_kind::machine && node.chooses().again)
            add_transitions(o, names, static_cast<index>(s), node.choices(), transition_role::ordinary, true);
    }
    return o;
}

} // namespace hsm::detail
