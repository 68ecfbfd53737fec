#include <hsm/observe/detail/queries.hpp>

#include <algorithm>

namespace hsm::detail {

void tick_query::run() {
    if (superstate_first())
        decide_at(no_index);
    else
        decide_all();
    walk(0);
}

/// Returns a transition that was already taken and exits this state or level, or no_number.
std::uint32_t tick_query::taken_around(index level) const {
    const auto exits_level = [&](const enabled_transition& e) { return e.level != level && is_around(i_.core, e.level, level); };
    const auto found = std::ranges::find_if(found_, exits_level);
    return found == found_.end() ? no_number : i_.number(*found->transition);
}

void tick_query::take(const transition_row& t) {
    found_.push_back(enable(i_.m, i_.core, t, reason_of(t)));
    fires = true;
}

/// Superstate first: the transitions of one level, in the order in which they are tried.
void tick_query::decide_at(index level) {
    collecting_probe probe(*this, taken_around(level));
    if (i_.core.by_regions) {
        if (const auto* const t = select_at_level(i_.m, i_.core, level, probe)) take(*t);
        return;
    }
    flatten::entries(i_.core.states, no_index, i_.m.leaf, [&](index source) {
        const auto* const t = select_at_level(i_.m, i_.core, level, source, probe);
        if (!t) return;
        take(*t);
        probe = probe.after(*t);
    });
}

/// Substate first: all regions decide, then machines without an active substate try their entry choices.
void tick_query::decide_all() {
    separate_selection w(i_.m, i_.core, selection::polled);
    fires = select(i_.m, i_.core, w, collecting_probe(*this));
    found_.assign(w.transitions().begin(), w.transitions().end());
    for (std::size_t r = 0; r < i_.core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(i_.m, i_.core, r); leaf != no_index && i_.core.is_machine(leaf)) retry(leaf);
}

void tick_query::walk(index s) {
    const auto& core = i_.core;
    react(s);
    each_region(core, s, [&](index region) { walk(region); });
    if (!core.is_machine(s)) return;
    if (superstate_first()) decide_at(s);
    const auto leaf = region_leaf_of(i_.m, core, core.states[s].region);
    if (leaf != s)
        walk(core.toward(s, leaf));
    else if (superstate_first())
        retry(s);
}

/// All enabled reactions run after the update of their state.
void tick_query::react(index s) {
    const auto& state = i_.core.states[s];
    if (!state.updates) return;
    const collecting_probe probe(*this, taken_around(s));
    for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t)
        test_options(i_.m, i_.core, i_.core.transitions[t], probe);
}

/// A machine without an active substate enters one, unless a transition was taken there.
void tick_query::retry(index s) {
    const auto& state = i_.core.states[s];
    const auto been_here = std::ranges::find_if(found_, [&](const enabled_transition& e) { return is_around(i_.core, e.level, s); });
    collecting_probe probe(*this, been_here == found_.end() ? no_number : i_.number(*been_here->transition));
    for (const auto& span : {state.choices, state.initial})
        for (auto n = span.first; n < span.first + span.count; ++n)
            if (const auto& t = i_.core.transitions[n]; test_options(i_.m, i_.core, t, probe)) {
                fires = true;
                probe = probe.after(t);
            }
    fires |= state.choices.count + state.initial.count == 0; // it enters its first substate
}

} // namespace hsm::detail
