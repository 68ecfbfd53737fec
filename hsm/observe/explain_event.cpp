#include <hsm/observe/detail/queries.hpp>

#include <algorithm>

namespace hsm::detail {

void event_query::run() {
    separate_selection w(i_.m, i_.core, selection::event, event_);
    outcome = preview(i_.m, i_.core, w, collecting_probe(*this));
    for (const auto& e : w.transitions()) skip_if_exited(e, w);
    if (i_.all_guards) defer_all();
    for (auto& c : candidates)
        if (w.count > 0 && i_.row(c).defers && c.taken())
            c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = i_.number(*w.found[0].transition)});
    if (i_.all_guards) hold_all();
}

/// Skips a reaction that takes a local if another transition of the step exits its state.
void event_query::skip_if_exited(const enabled_transition& reaction, selection& agreed) {
    if (reaction.target != no_index || !reaction.transition->wants_local) return;
    for (const auto& e : agreed.transitions()) {
        const bool leaves = e.target != no_index && e.level != reaction.source && is_around(i_.core, e.level, reaction.source);
        if (leaves && of(*e.transition).taken()) return add(reaction, obstacle_kind::conflict, i_.number(*e.transition));
    }
}

/// With the substate first, deferrals also override transitions that were not selected.
void event_query::defer_all() {
    if (superstate_first()) return;
    for (auto& c : candidates) {
        if (i_.row(c).defers || c.has(obstacle_kind::deferral)) continue;
        const auto overrides = [&](const candidate& d) {
            return i_.row(d).defers && d.taken() && i_.core.contains(i_.row(c).source, i_.row(d).source);
        };
        if (const auto by = std::ranges::find_if(candidates, overrides); by != candidates.end())
            c.obstacles.push_back({.kind = obstacle_kind::deferral, .transition = by->transition});
    }
}

/// Adds the holding states of transitions that were not selected.
void event_query::hold_all() {
    for (auto& c : candidates) {
        const auto& t = i_.row(c);
        const bool known =
            c.taken() || c.has(obstacle_kind::held_until_released) || c.has(obstacle_kind::held_for) || c.has(obstacle_kind::held_by_guard);
        if (known || !i_.may_be_held(t)) continue;
        const auto e = enable(i_.m, i_.core, t, reason::event);
        if (collecting_probe(*this).is_free(i_.m, i_.core, e)) continue;
        if (would_pend(i_.m, i_.core, t.level, t.priority) == result::refused) collecting_probe(*this).cannot_pend(e);
    }
}

} // namespace hsm::detail
