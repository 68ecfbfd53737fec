#include <hsm/compile/programs.hpp>

#include <hsm/compile/block.hpp>
#include <hsm/compile/program_maker.hpp>

#include <algorithm>

namespace hsm {

void program_maker::run() {
    for (index s = 0; s < core_.states.size(); ++s) make_parts(s);
    for (std::uint32_t t = 0; t < core_.transitions.size(); ++t) make_parts_of_transition(t);
    make_restores();
    if (core_.driven) return make_driven();
    for (index leaf = 0; leaf < core_.states.size(); ++leaf) make_row(leaf);
    for (index leaf = 0; leaf < core_.states.size(); ++leaf) make_steps(leaf);
    out_.finish();
}

/// A transition's exits, action and entries, from a leaf, to its end.
void program_maker::body(index leaf, std::uint32_t number, reason why) {
    const auto& t = core_.transitions[number];
    if (core_.has_moment) out_.emit(&ops::because, number | std::uint64_t(why) << 32);
    begin_firing(t);
    if (t.target == no_index) {
        actions(t, t.source);
        return end(result::internal);
    }
    record_exits(leaf, t.level);
    if (core_.has_over) out_.emit(&ops::lead, number + std::uint64_t(1));
    exit_all(leaf, t.level);
    if (core_.options.entry_times || !core_.conditions.empty()) out_.emit(&ops::exited, kept_by(t.level));
    if (t.needs_over) out_.emit(&ops::reset_led_in, std::uint64_t(0));
    actions(t, t.level);
    enter_below(t.level, core_.machine_of(t.target));
    if (t.target == t.level)
        arrive_anew(t.target, kept_by(t.level));
    else
        arrive(t.target, kept_by(t.level));
}

void program_maker::begin_firing(const transition_row& t) {
    if (core_.has_always) out_.emit(&ops::always, std::uint64_t(0));
    if (core_.has_defers && t.target != no_index) out_.emit(&ops::recall, std::uint64_t(0));
    if (t.timer == no_timer || t.event != no_index) return;
    out_.emit(t.spec->every ? &ops::again : &ops::used_up, t.timer);
}

/// May one of the states that it exits hold it?
bool program_maker::may_be_held(const transition_row& t, index leaf) const {
    if (!core_.has_holds || t.force || t.target == no_index) return false;
    for (auto s = leaf; s != t.level; s = core_.states[s].superstate)
        if (core_.states[s].holds) return true;
    return false;
}

std::vector<index> program_maker::deciders(index leaf) const {
    std::vector<index> path;
    flatten::deciders(core_.states, leaf, core_.options.order, [&](index s) { path.push_back(s); });
    return path;
}

void program_maker::make_row(index leaf) {
    std::map<std::uint16_t, transitions> candidates;
    flatten::candidates(core_.states, leaf, core_.options.order, [&](index s) { return core_.states[s].events; },
                        [&](std::uint32_t t) { candidates[core_.transitions[t].event].push_back(t); });
    std::vector<row_entry> entries;
    for (auto& [event, list] : candidates) {
        yield_to_substates(list);
        entries.push_back({core_.event_columns[event], event_program(leaf, list)});
    }
    std::ranges::sort(entries);
    core_.states[leaf].programs = out_.share(std::move(entries));
}

/// With the superstate first, what defers an event comes behind the transitions of all states inside it.
void program_maker::yield_to_substates(transitions& candidates) const {
    if (superstate_first()) std::stable_partition(candidates.begin(), candidates.end(), [&](auto t) { return !core_.transitions[t].defers; });
}

/// What nobody leaves a state for is the same for all leaves.
program program_maker::event_program(index leaf, const transitions& candidates) {
    const bool internal = std::ranges::all_of(candidates, [&](auto t) { return core_.transitions[t].target == no_index; });
    if (!internal) return make_event_program(leaf, candidates);
    const auto [found, is_new] = internal_programs_.try_emplace(candidates, 0);
    if (is_new) found->second = make_event_program(leaf, candidates);
    return found->second;
}

program program_maker::make_event_program(index leaf, const transitions& candidates) {
    const auto p = out_.begin();
    for (const auto number : candidates) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        if (t.defers) {
            out_.emit(&ops::defer, t.event, {op_note::still, 0, t.source});
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
    program_maker(core).run();
    make_idle_tests(core);
}

} // namespace hsm
