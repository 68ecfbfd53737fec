#include <hsm/observe/detail/machine_probe.hpp>

#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <exception>

namespace hsm::detail {

namespace {

time_span time_until(const machine& m, std::int64_t due) { return time_span::from_nanoseconds(due) - time_span::from_nanoseconds(m.now); }

/// Calls visit(number of a condition, required value) for each condition of a group.
template <class Visit> void each_literal(const chart_core& core, const group_row& group, Visit visit) {
    for (auto i = group.first; i < group.first + group.count; ++i)
        for (std::uint32_t bit = 0; bit < 64; ++bit)
            if (const auto& part = core.masks[i]; part.filter >> bit & 1) visit(part.word * 64 + bit, (part.mask >> bit & 1) != 0);
}

} // namespace

bool machine_probe::check_all(candidate& c) {
    const auto before = c.obstacles.size();
    check_timer(c);
    check_options_of_entry(c, true, leaf_of(c));
    return c.obstacles.size() == before;
}

void machine_probe::check_inactive(candidate& c) { check_options_of_entry(c, false, leaf_of(c)); }

void machine_probe::check_options_of_entry(candidate& c, bool source_is_active, index leaf) {
    check_states(c);
    if (row(c).is_candidate) check_cooldown(c);
    check_conditions(c, leaf);
    check_guards(c, source_is_active);
    if (row(c).is_candidate && c.obstacles.empty()) check_score(c, source_is_active);
}

void machine_probe::check_timer(candidate& c) {
    const auto& t = row(c);
    if (t.timer == no_timer) return;
    const auto due = due_at(m, core, t.timer);
    if (due == never)
        c.obstacles.push_back({.kind = obstacle_kind::used_up, .state = t.source});
    else if (!is_due(m, due))
        c.obstacles.push_back({.kind = obstacle_kind::not_due, .left = time_until(m, due)});
}

void machine_probe::check_states(candidate& c) {
    const auto& t = row(c);
    for (std::uint32_t i = 0; i < t.joined.count; ++i)
        if (const auto s = core.targets[t.joined.first + i]; !is_active(m, core, s))
            c.obstacles.push_back({.kind = obstacle_kind::joined, .state = s});
    for (const auto s : core.excluded_of(t))
        if (is_active(m, core, s)) c.obstacles.push_back({.kind = obstacle_kind::excluded, .state = s});
}

void machine_probe::check_conditions(candidate& c, index leaf) {
    const auto& groups = row(c).conditions;
    for (std::uint32_t i = 0; i < groups.count; ++i) check_group(c, core.groups[groups.first + i], static_cast<std::uint16_t>(i), leaf);
}

void machine_probe::check_group(candidate& c, const group_row& group, std::uint16_t number, index leaf) {
    if (group_holds(m, core, group, leaf)) return;
    const condition_bits bits(m, core);
    each_literal(core, group, [&](std::uint32_t condition, bool wanted) {
        const bool is = condition == 0 ? leaf_is_over(m, core, leaf) : bits[condition];
        const auto kind = group.any ? obstacle_kind::any_condition : obstacle_kind::condition;
        if (is != wanted) c.obstacles.push_back({.kind = kind, .wanted = wanted, .group = number, .condition = condition});
    });
}

void machine_probe::check_guards(candidate& c, bool source_is_active) {
    const auto& guards = row(c).guards;
    for (std::uint32_t i = 0; i < guards.count; ++i)
        if ((!all_guards && !c.obstacles.empty()) || !check_guard(c, guards.first + i, source_is_active)) ++c.unasked;
}

/// Returns false if the guard cannot be evaluated.
bool machine_probe::check_guard(candidate& c, std::uint32_t guard, bool source_is_active) {
    const auto& g = core.guards[guard];
    const auto source = row(c).source;
    if (g.event && !knows_event) {
        c.obstacles.push_back({.kind = obstacle_kind::asks_event, .guard = guard});
        return false;
    }
    if (g.local_count > 0 && !source_is_active) {
        c.obstacles.push_back({.kind = obstacle_kind::not_asked, .state = source, .guard = guard});
        return false;
    }
    const auto* const before = m.at;
    try {
        if (!agrees(m, core, g, source)) c.obstacles.push_back({.kind = obstacle_kind::guard, .guard = guard});
    } catch (const std::exception& e) {
        if (!core.catches_guards) throw;
        c.obstacles.push_back({.kind = obstacle_kind::guard_error, .guard = guard, .error = e.what()});
    } catch (...) {
        if (!core.catches_guards) throw;
        c.obstacles.push_back({.kind = obstacle_kind::guard_error, .guard = guard, .error = "not a std::exception"});
    }
    m.at = before;
    return true;
}

void machine_probe::check_cooldown(candidate& c) {
    const auto cooldown = core.transitions[row(c).candidate].cooldown;
    const auto until = cooldown == no_score ? 0 : cool_until(m, core, cooldown);
    if (until > 0) c.obstacles.push_back({.kind = obstacle_kind::cools_down, .left = time_until(m, until)});
}

/// Lets the source choose. Its guards and scores are not called if one of them takes a local of an inactive state.
void machine_probe::check_score(candidate& c, bool source_is_active) {
    const auto& source = core.states[row(c).source];
    const auto first = source.candidates.first, last = first + source.candidates.count;
    bool takes_local = false;
    for (auto n = first; n < last; ++n) {
        const auto& t = core.transitions[n];
        for (std::uint32_t g = 0; g < t.guards.count; ++g) takes_local |= core.guards[t.guards.first + g].local_count > 0;
        takes_local |= t.score != no_score && core.hooks[t.score].local_count > 0;
    }
    if (takes_local && !source_is_active) return c.obstacles.push_back({.kind = obstacle_kind::not_scored, .state = row(c).source}), void();
    const auto* const before = m.at;
    choose(m, core, row(c));
    m.at = before;
    const auto own = row(c).candidate;
    c.score = std::max(values_of(m)[own - first], 0.0);
    const auto picked = m.hook_context().choice.picked;
    if (picked == own) return;
    const bool ranks_lower = picked != none_picked && core.transitions[picked].priority > row(c).priority;
    if (c.score > 0 || ranks_lower)
        c.obstacles.push_back({.kind = obstacle_kind::not_chosen, .transition = picked});
    else
        c.obstacles.push_back({.kind = obstacle_kind::no_score});
}

/// Same order as holder_of.
bool machine_probe::check_holds(std::vector<obstacle>& out, index level, index target) {
    const auto before = out.size();
    const auto first = level == no_index ? index(0) : static_cast<index>(level + 1);
    for (int s = core.states[level == no_index ? 0 : level].last; s >= first; --s) {
        const auto inner = static_cast<index>(s);
        if (!core.states[inner].holds || !is_active(m, core, inner)) continue;
        if (!check_hold(out, inner, target) && !all_guards) return false;
    }
    return out.size() == before;
}

bool machine_probe::check_hold(std::vector<obstacle>& out, index s, index target) {
    const auto& state = core.states[s];
    const auto before = out.size();
    if (released_of(m, core)[s]) return true;
    if (state.until_released) out.push_back({.kind = obstacle_kind::held_until_released, .state = s});
    if (state.least != no_timer && m.now < due_at(m, core, state.least))
        out.push_back({.kind = obstacle_kind::held_for, .state = s, .left = time_until(m, due_at(m, core, state.least))});
    if (all_guards || out.size() == before) check_hold_guards(out, s, target);
    return out.size() == before;
}

/// Sets the target that the predicates can read.
bool machine_probe::check_hold_guards(std::vector<obstacle>& out, index s, index target) {
    struct aimed {
        machine& m;
        state_ref before;
        ~aimed() {
            if (m.chart->has_hook_context) m.hook_context().hold_target = before;
        }
    } const as_before{m, core.has_hook_context ? m.hook_context().hold_target : state_ref()};
    if (core.has_hook_context) m.hook_context().hold_target = target == no_index ? state_ref() : state_ref(*core.states[target].node);
    const auto& guards = core.states[s].hold;
    for (auto g = guards.first; g < guards.first + guards.count; ++g) {
        if (agrees(m, core, core.guards[g], s)) continue;
        out.push_back({.kind = obstacle_kind::held_by_guard, .state = s, .guard = g});
        if (!all_guards) return false;
    }
    return true;
}

} // namespace hsm::detail
