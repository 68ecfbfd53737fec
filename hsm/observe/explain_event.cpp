#include <hsm/observe/detail/queries.hpp>

#include <hsm/chart/detail/flatten.hpp>
#include <hsm/run/detail/conflict.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>

namespace hsm::detail {

std::vector<selected> settle_conflicts(const chart_core& core, std::vector<selected> found, std::vector<candidate>& candidates) {
    const auto lose = [&](const selected& loser, const selected& winner) {
        candidates[loser.candidate].obstacles.push_back({.kind = obstacle_kind::conflict, .transition = candidates[winner.candidate].transition});
    };
    std::vector<selected> agreed;
    for (const auto& newer : found) {
        const auto wins = [&](const selected& older) { return conflicts(core, older.does, newer.does) && !yields(core, older.does, newer.does); };
        if (const auto winner = std::ranges::find_if(agreed, wins); winner != agreed.end()) {
            lose(newer, *winner);
            continue;
        }
        std::erase_if(agreed, [&](const selected& older) {
            const bool loses = conflicts(core, older.does, newer.does);
            if (loses) lose(older, newer);
            return loses;
        });
        agreed.push_back(newer);
    }
    return agreed;
}

void event_query::run() {
    if (superstate_first())
        inwards(0, no_number);
    else
        outwards();
    list_unchecked();
    const bool deferred = settle_deferrals();
    const auto agreed = settle_conflicts(i_.core, found_, candidates);
    outcome = deferred ? result::deferred : candidates.empty() ? result::unhandled : result::guarded;
    hold(agreed);
    if (i_.all_guards) hold_all();
}

/// Evaluates all candidates of a region. `first` is a transition that precedes all of them. Returns the transition that is taken.
std::uint32_t event_query::check_region(index leaf, std::uint32_t first) {
    const auto& core = i_.core;
    const auto region = core.states[leaf].region;
    const auto before = first;
    checked_[region] = true;
    flatten::candidates(
        core.states, core.states[core.regions[region]].superstate, leaf, core.options.order, [&](index s) { return core.states[s].events; },
        [&](std::uint32_t t) { return core.transitions[t].defers; }, [&](std::uint32_t t) { check_one(t, first); });
    if (first != before) chosen_[region] = first;
    return first == before ? no_number : first;
}

void event_query::check_one(std::uint32_t number, std::uint32_t& first) {
    if (i_.core.transitions[number].event != event_) return;
    candidate c{.transition = number};
    bool agrees = true;
    if (first == no_number || i_.all_guards)
        agrees = i_.check_all(c);
    else
        c.unasked = i_.core.transitions[number].guards.count;
    if (first != no_number) c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first});
    candidates.push_back(std::move(c));
    if (first != no_number || !agrees) return;
    first = number;
    choose(candidates.size() - 1);
}

void event_query::choose(std::size_t candidate) {
    const auto& t = i_.row(candidates[candidate]);
    (t.defers ? deferring_ : found_).push_back({candidate, enable(i_.m, i_.core, t, reason::event)});
}

/// Same order as select_inwards.
void event_query::inwards(std::size_t region, std::uint32_t first) {
    const auto leaf = region_leaf_of(i_.m, i_.core, region);
    if (leaf == no_index) return; // during a step
    const auto chosen = check_region(leaf, first);
    if (chosen != no_number && !i_.core.transitions[chosen].defers) first = chosen;
    each_region(i_.core, leaf, [&](index inner) { inwards(i_.core.states[inner].region, first); });
}

/// Same order as select_outwards.
void event_query::outwards() {
    const auto& core = i_.core;
    for (std::size_t leaf_region = 0; leaf_region < core.regions.size(); ++leaf_region) {
        const auto leaf = region_leaf_of(i_.m, core, leaf_region);
        if (leaf == no_index || core.states[leaf].kind == state_kind::parallel) continue;
        for (auto r = leaf_region;;) {
            const auto inner = region_leaf_of(i_.m, core, r);
            if (!checked_[r] && inner != no_index) check_region(inner, no_number);
            if (chosen_[r] != no_number || r == 0) break;
            r = core.states[core.states[core.regions[r]].superstate].region;
        }
    }
}

/// Lists the candidates of regions that are not evaluated: with the substate first, those whose inner regions all have a transition.
void event_query::list_unchecked() {
    for (auto r = i_.core.regions.size(); r-- > 0;) {
        const auto leaf = region_leaf_of(i_.m, i_.core, r);
        if (checked_[r] || leaf == no_index) continue;
        auto first = no_number;
        const auto& inside = i_.core.states[leaf].regions;
        for (auto inner = inside.first; inner < inside.first + inside.count && first == no_number; ++inner) first = chosen_[inner];
        if (first == no_number) continue;
        check_region(leaf, first);
        chosen_[r] = first;
    }
}

/// Returns true if no transition is taken and the event is deferred.
bool event_query::settle_deferrals() {
    if (deferring_.empty()) return false;
    if (!superstate_first()) {
        let_deferrals_yield();
        override_by_deferrals();
    }
    if (found_.empty()) return true;
    const auto first = candidates[found_.front().candidate].transition;
    for (const auto& d : deferring_)
        if (auto& c = candidates[d.candidate]; c.taken()) c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first});
    return false;
}

/// Deferrals yield to transitions of states inside theirs.
void event_query::let_deferrals_yield() {
    for (const auto& d : deferring_)
        for (const auto& e : found_)
            if (auto& c = candidates[d.candidate]; c.taken() && i_.core.contains(d.does.source, e.does.source))
                c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = candidates[e.candidate].transition});
}

/// Deferrals override transitions of states outside theirs.
void event_query::override_by_deferrals() {
    const auto deferral_inside = [&](index source) {
        const auto overrides = [&](const selected& d) { return candidates[d.candidate].taken() && i_.core.contains(source, d.does.source); };
        const auto found = std::ranges::find_if(deferring_, overrides);
        return found == deferring_.end() ? no_number : candidates[found->candidate].transition;
    };
    std::vector<std::uint32_t> by;
    for (const auto& c : candidates) by.push_back(i_.row(c).defers ? no_number : deferral_inside(i_.row(c).source));
    std::erase_if(found_, [&](const selected& e) { return by[e.candidate] != no_number; });
    for (std::size_t c = 0; c < candidates.size(); ++c)
        if (by[c] != no_number && (i_.all_guards || candidates[c].taken()))
            candidates[c].obstacles.push_back({.kind = obstacle_kind::deferral, .transition = by[c]});
}

/// Determines which of the selected transitions must wait for a holding state.
void event_query::hold(const std::vector<selected>& agreed) {
    constexpr auto rank = [](result r) { return r == result::taken ? 0 : r == result::internal ? 1 : r == result::held ? 2 : 3; };
    auto best = result::refused;
    for (const auto& s : agreed) {
        const auto becomes = hold_one(candidates[s.candidate], s.does.level);
        if (rank(becomes) < rank(best)) best = becomes;
    }
    if (!agreed.empty()) outcome = best;
    for (const auto& s : agreed) skip_if_exited(s, agreed);
}

/// Skips a reaction that takes a local if another transition of the step exits its state.
void event_query::skip_if_exited(const selected& reaction, const std::vector<selected>& agreed) {
    if (reaction.does.target != no_index || !reaction.does.transition->wants_local) return;
    const auto source = reaction.does.source;
    for (const auto& s : agreed) {
        const bool leaves = s.does.target != no_index && s.does.level != source && is_around(i_.core, s.does.level, source);
        const auto& c = candidates[s.candidate];
        if (leaves && c.taken())
            return candidates[reaction.candidate].obstacles.push_back({.kind = obstacle_kind::conflict, .transition = c.transition});
    }
}

/// Adds the holding states of transitions that were not selected.
void event_query::hold_all() {
    for (auto& c : candidates)
        if (!c.taken() && !c.has(obstacle_kind::held_until_released) && !c.has(obstacle_kind::held_for) && !c.has(obstacle_kind::held_by_guard))
            hold_one(c, i_.row(c).by_record ? level_now(i_.m, i_.core, i_.row(c)) : i_.row(c).level);
}

result event_query::hold_one(candidate& c, index level) {
    const auto& t = i_.row(c);
    if (t.target == no_index) return result::internal;
    if (!i_.may_be_held(t) || i_.check_holds(c.obstacles, level, t.target)) return result::taken;
    if (would_pend(i_.m, i_.core, t.level, t.priority) != result::refused) return result::held;
    const auto& p = pending_at(i_.m, i_.core, slot_of(i_.core, t.level));
    c.obstacles.push_back({.kind = obstacle_kind::lower_priority, .transition = p.kind == pending_slot::event ? p.transition : no_number});
    return result::refused;
}

} // namespace hsm::detail
