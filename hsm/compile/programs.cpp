#include <hsm/compile/detail/programs.hpp>

#include <hsm/compile/detail/planner.hpp>
#include <hsm/vm/detail/block.hpp>

#include <algorithm>

namespace hsm::detail {

void planner::run() {
    for (index s = 0; s < row_count(core_.states); ++s) make_parts(s);
    for (std::uint32_t t = 0; t < core_.transitions.size(); ++t) make_parts_of_transition(t);
    make_restores();
    parts_ = out_.written();
    out_.expect(parts_.ops + most_program_ops() + 1024);
    if (core_.by_regions) return make_by_regions();
    if (!make_programs_by_leaf()) make_by_parts();
    out_.finish();
}

planner::transition_sink::transition_sink(planner& of, index from, std::uint32_t t, reason because)
    : entry_sink{of, of.unchanged_depth_of(of.core_.transitions[t].level)}, leaf(from), number(t), why(because) {}

void planner::transition_sink::begin(const transition_row& t) {
    p.trace_transition(number, why, {hook_site::still, 0, t.source});
    if (p.core_.needs_reason) p.out_.emit(&ops::because, number | std::uint64_t(why) << 32);
    p.begin_firing(t);
    if (t.target == no_index) return;
    if (leaf != any_leaf)
        p.record_exits(leaf, t.level);
    else if (!p.core_.history_owners.empty())
        p.out_.emit(&ops::record_history, std::uint64_t(t.level));
    if (p.core_.has_over) p.out_.emit(&ops::entered_by, number + std::uint64_t(1));
}

void planner::transition_sink::action(const transition_row& t) {
    if (t.target == no_index) return p.actions(t, t.source);
    if (p.core_.options.entry_times || !p.core_.conditions.empty()) p.out_.emit(&ops::exited, unchanged);
    if (t.needs_finished) p.out_.emit(&ops::reset_entry_conditions, std::uint64_t(0));
    p.actions(t, t.level);
}

/// Emits all steps of a transition from a leaf, to its end.
void planner::body(index leaf, std::uint32_t number, reason why) {
    if (leaf == any_leaf) return shared_body(number, why);
    transition_sink sink(*this, leaf, number, why);
    flatten::write_transition(core_, leaf, core_.transitions[number], sink);
}

void planner::begin_firing(const transition_row& t) {
    if (core_.tracks_fired) out_.emit(&ops::fired, std::uint64_t(0));
    if (core_.has_defers && t.target != no_index) out_.emit(&ops::recall, std::uint64_t(core_.acts_when_settled));
    count_draw(t);
    use_triggers(t);
    if (t.timer == no_timer || t.event != no_index || t.rechoice) return;
    trace_timer(record_kind::due, t.timer, t.source);
    out_.emit(t.spec->every ? &ops::again : &ops::used_up, t.timer);
}

void planner::use_triggers(const transition_row& t) {
    if (t.uses_triggers) out_.emit(&ops::use_triggers, core_.number_of(&t) - 1u);
}

/// Returns whether a state that it exits can hold it.
bool planner::may_be_held(const transition_row& t, index leaf) const {
    if (!core_.has_holds || t.force || t.target == no_index) return false;
    if (leaf == any_leaf) return true;
    for (auto s = leaf; s != t.level; s = core_.states[s].superstate)
        if (core_.states[s].holds) return true;
    return false;
}

std::map<std::uint16_t, planner::transitions> planner::candidates_by_event(index above, index leaf) const {
    std::map<std::uint16_t, transitions> candidates;
    flatten::candidates(
        core_.states, above, leaf, core_.options.order, [&](index s) { return core_.states[s].events; },
        [&](std::uint32_t t) { return core_.transitions[t].defers; }, [&](std::uint32_t t) { candidates[core_.transitions[t].event].push_back(t); });
    if (!core_.on_any_event.empty()) candidates.erase(core_.transitions[core_.on_any_event[0]].event); // select_any_event tries them
    return candidates;
}

void planner::make_row(index leaf) {
    std::vector<row_entry> entries;
    for (const auto& [event, list] : candidates_by_event(no_index, leaf)) {
        if (!is_within_budget()) return;
        const auto at = event_program(leaf, list);
        core_.each_column(event, [&](auto column) { entries.push_back({column, at}); });
    }
    std::ranges::sort(entries);
    core_.states[leaf].programs = out_.share(std::move(entries));
}

/// With one region, the leaf determines which transitions are excluded.
void planner::drop_excluded(index leaf, transitions& list) const {
    std::erase_if(list, [&](auto t) {
        if (core_.may_request_leave(t)) return false; // it counts as refused
        const auto states = core_.excluded_of(core_.transitions[t]);
        return std::ranges::any_of(states, [&](index s) { return core_.contains(s, leaf); });
    });
}

/// A program in which no transition leaves a state is the same for all leaves, except where transitions are excluded.
program planner::event_program(index leaf, transitions candidates) {
    drop_excluded(leaf, candidates);
    const bool internal = std::ranges::all_of(candidates, [&](auto t) { return core_.transitions[t].target == no_index; });
    if (!internal) return make_event_program(leaf, candidates);
    const auto [found, is_new] = internal_programs_.try_emplace(candidates, 0);
    if (is_new) found->second = make_event_program(leaf, candidates);
    return found->second;
}

program planner::make_event_program(index leaf, const transitions& candidates) {
    const auto p = out_.begin();
    for (const auto number : candidates) {
        if (!is_within_budget()) return p;
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source, leaf != any_leaf);
        if (t.defers) {
            out_.emit(&ops::defer, t.event, {hook_site::still, 0, t.source});
            if (refused.empty()) return p;
            out_.land(refused);
            continue;
        }
        if (may_be_held(t, leaf)) out_.emit(&ops::or_pend, number);
        body(leaf, number, reason::event);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    end(result::guarded);
    return p;
}

void make_programs(chart_core& core) {
    planner(core).run();
    core.straight = !core.rows.empty() && !core.has_hooks.unhandled && !core.carries && !core.traced;
    core.ticks_continue = !core.by_regions && !core.has_holds;
    core.steps_are_plain = !core.traced && !core.by_regions && !core.has_hook_context && !core.has_holds && !core.has_over && !core.has_defers &&
                           !core.has_hooks.change && !core.tracks_fired && core.history_owners.empty();
    core.events_are_programs = core.straight && !core.by_regions && !core.by_parts && !core.stores_events && !core.has_event_names;
    core.recalls_by_rows = !core.by_regions && !core.by_parts && !core.rows.empty() && !core.has_holds && !core.traced && !core.has_event_names;
    make_idle_tests(core);
}

} // namespace hsm::detail
