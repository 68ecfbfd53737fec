#include <hsm/observe/detail/queries.hpp>

#include <hsm/run/detail/conflict.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <algorithm>

namespace hsm::detail {

void tick_query::run() {
    if (superstate_first())
        decide_at(no_index);
    else
        decide_all();
    walk(0);
}

// One transition.

std::uint32_t tick_query::taken_around(index level) const {
    const auto exits_level = [&](const selected& s) { return s.does.level != level && is_around(i_.core, s.does.level, level); };
    const auto found = std::ranges::find_if(found_, exits_level);
    return found == found_.end() ? no_number : candidates[found->candidate].transition;
}

/// Adds the earlier transitions of the same list that prevent this one.
bool tick_query::is_barred(candidate& c) const {
    const auto& t = i_.row(c);
    const auto level = level_now(i_.m, i_.core, t);
    const auto before = c.obstacles.size();
    const auto bars = [&](const bar& b) { return b.source == t.source && b.level == t.level; };
    if (const auto b = std::ranges::find_if(bars_, bars); b != bars_.end())
        c.obstacles.push_back({.kind = obstacle_kind::barred, .transition = b->by});
    if (const auto b = std::ranges::find(blocks_, level, &block::level); !t.force && b != blocks_.end())
        c.obstacles.push_back({.kind = obstacle_kind::waits_first, .transition = b->by});
    if (t.on_finished && (!is_marked_over(i_.m, i_.core, t.source) || due_of(i_.m, i_.core)[t.source]))
        c.obstacles.push_back({.kind = obstacle_kind::not_finished, .state = t.source});
    return c.obstacles.size() != before;
}

/// Checks whether the target is already active, and whether a state holds. If `counts`, the result affects later transitions.
void tick_query::look_at_target(candidate& c, bool counts) {
    const auto& t = i_.row(c);
    if (t.any_state && is_satisfied(i_.m, i_.core, t)) {
        c.obstacles.push_back({.kind = obstacle_kind::satisfied, .state = t.target});
        if (counts) bars_.push_back({t.source, t.level, c.transition});
    } else if (i_.may_be_held(t) && !i_.check_holds(c.obstacles, t.level, t.target) && counts) {
        blocks_.push_back({level_now(i_.m, i_.core, t), c.transition});
    }
}

/// Evaluates a transition as select_polled does. `first` was taken before it. Returns whether it is taken.
bool tick_query::check_one(std::uint32_t number, std::uint32_t first) {
    candidate c{.transition = number};
    bool open = first == no_number;
    if (open || i_.all_guards) open = !is_barred(c) && open;
    if (open || i_.all_guards)
        open = i_.check_all(c) && open;
    else
        c.unasked = i_.core.transitions[number].guards.count;
    if (open || i_.all_guards) look_at_target(c, open);
    if (first != no_number) c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first});
    candidates.push_back(std::move(c));
    const auto& checked = candidates.back();
    if (!checked.taken()) return false;
    found_.push_back({candidates.size() - 1, enable(i_.m, i_.core, i_.row(checked), reason_of(i_.row(checked)))});
    return fires = true;
}

// The order of a tick: superstate first.

/// Returns the transitions of active sources in the order in which they are tried.
std::vector<std::uint32_t> tick_query::decisions_of(index level) const {
    const auto& core = i_.core;
    std::vector<std::uint32_t> found;
    if (core.by_regions) {
        const auto& span = level == no_index ? core.decides_above : core.states[level].decides;
        for (auto i = span.first; i < span.first + span.count; ++i)
            if (is_active(i_.m, core, core.transitions[core.decisions[i]].source)) found.push_back(core.decisions[i]);
        return found;
    }
    flatten::entries(core.states, no_index, i_.m.leaf, [&](index s) {
        const auto& polled = core.states[s].polled;
        for (auto t = polled.first; t < polled.first + polled.count; ++t)
            if (core.transitions[t].level == level) found.push_back(t);
    });
    return found;
}

void tick_query::decide_at(index level) {
    auto first = taken_around(level);
    for (const auto number : decisions_of(level))
        if (check_one(number, first)) first = number;
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
    const auto first = taken_around(s);
    for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t) {
        candidate c{.transition = t};
        if (first == no_number || i_.all_guards)
            i_.check_all(c);
        else
            c.unasked = i_.core.transitions[t].guards.count;
        if (first != no_number) c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first});
        candidates.push_back(std::move(c));
    }
}

/// A machine without an active substate tries its entry choices again, unless a transition was taken there.
void tick_query::retry(index s) {
    const auto& state = i_.core.states[s];
    const auto been_here = std::ranges::find_if(found_, [&](const selected& f) { return is_around(i_.core, f.does.level, s); });
    auto first = been_here == found_.end() ? no_number : candidates[been_here->candidate].transition;
    const auto choose = [&](std::uint32_t number) {
        candidate c{.transition = number};
        if (first == no_number || i_.all_guards) i_.check_all(c);
        if (first != no_number) c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first});
        if (c.taken()) first = number, fires = true;
        candidates.push_back(std::move(c));
    };
    for (auto t = state.choices.first; t < state.choices.first + state.choices.count; ++t) choose(t);
    for (auto t = state.initial.first; t < state.initial.first + state.initial.count; ++t) choose(t);
}

// Substate first: all regions decide, then machines without an active substate try their entry choices.

void tick_query::decide_all() {
    const auto& core = i_.core;
    decide_outwards();
    found_ = settle_conflicts(core, std::move(found_), candidates);
    for (std::size_t r = 0; r < core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(i_.m, core, r); leaf != no_index && core.is_machine(leaf)) retry(leaf);
}

/// Same order as select_outwards.
void tick_query::decide_outwards() {
    const auto& core = i_.core;
    std::vector<bool> checked(core.regions.size());
    std::vector<std::uint32_t> chosen(core.regions.size(), no_number);
    const auto ask = [&](std::size_t r, index leaf, std::uint32_t first) {
        checked[r] = true;
        const auto before = found_.size();
        decide_region(leaf, first);
        chosen[r] = found_.size() > before ? candidates[found_.back().candidate].transition : first;
    };
    for (std::size_t leaf_region = 0; leaf_region < core.regions.size(); ++leaf_region) {
        const auto leaf = region_leaf_of(i_.m, core, leaf_region);
        if (leaf == no_index || core.states[leaf].kind == state_kind::parallel) continue;
        for (auto r = leaf_region;;) {
            if (const auto inner = region_leaf_of(i_.m, core, r); !checked[r] && inner != no_index) ask(r, inner, no_number);
            if (chosen[r] != no_number || r == 0) break;
            r = core.states[core.states[core.regions[r]].superstate].region;
        }
    }
    for (auto r = core.regions.size(); r-- > 0;) { // regions that are not evaluated
        const auto leaf = region_leaf_of(i_.m, core, r);
        if (checked[r] || leaf == no_index) continue;
        const auto& inside = core.states[leaf].regions;
        auto first = no_number;
        for (auto inner = inside.first; inner < inside.first + inside.count && first == no_number; ++inner) first = chosen[inner];
        if (first != no_number) ask(r, leaf, first);
    }
}

bool tick_query::decide_region(index leaf, std::uint32_t first) {
    const auto& core = i_.core;
    const auto above = core.states[core.regions[core.states[leaf].region]].superstate;
    flatten::exits(core.states, leaf, above, [&](index s) {
        const auto& polled = core.states[s].polled;
        for (auto t = polled.first; t < polled.first + polled.count; ++t)
            if (check_one(t, first)) first = t;
    });
    return first != no_number;
}

} // namespace hsm::detail
