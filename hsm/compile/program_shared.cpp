// Charts whose programs by leaf would exceed the budget: each state has lists of its own transitions, and transitions are selected from them at run
// time. Shared programs have the effect of an event in all leaves of a state that add nothing to it, and the decisions of a state in any leaf. Guards
// form a sequence as usual. Only the ops of a firing transition depend on the active leaf.

#include <hsm/compile/detail/planner.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

bool planner::is_within_budget() const {
    const auto ops = (core_.ops.size() - parts_.ops) * (sizeof(op) + sizeof(hook_site));
    const auto tables = core_.sections.size() * sizeof(tick_section) + core_.entries.size() * sizeof(row_entry) +
                        core_.candidates.size() * sizeof(core_.candidates[0]);
    return ops + tables <= core_.options.program_memory;
}

/// Makes the programs of all leaves. Returns false if they exceed the budget.
bool planner::make_programs_by_leaf() {
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_row(leaf);
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_steps(leaf);
    core_.sections.push_back({}); // code reads one section past the last
    return is_within_budget();
}

/// Discards everything after the parts.
void planner::make_by_parts() {
    out_.go_back_to(parts_);
    out_.forget_shared();
    internal_programs_.clear();
    lists_.clear();
    core_.sections = {};
    core_.candidates = {};
    core_.lists.assign(1, {});
    core_.by_parts = true;
    for (index s = 0; s < row_count(core_.states); ++s) list_own(s);
    if (core_.by_regions) return;
    list_levels();
    select_by_column();
    const auto tick = out_.begin();
    out_.emit(&ops::section, std::uint64_t(0)); // the beginning of every tick
    out_.emit_end(code_parts);
    for (index s = 0; s < row_count(core_.states); ++s) {
        auto& row = core_.states[s];
        row.tick = {};
        row.tick_program = tick;
        if (row.updates) row.update_program = part([&] { update(s); });
    }
    parts_ = out_.written();
    make_shared();
    if (superstate_first() && !core_.follows_each_update) list_tick_parts();
}

/// Lists its own transitions by event.
void planner::list_own(index s) {
    std::map<std::uint32_t, transitions> by_column;
    const auto& span = core_.states[s].events;
    for (auto t = span.first; t < span.first + span.count; ++t)
        core_.each_column(core_.transitions[t].event, [&](auto column) { by_column[column].push_back(t); });
    std::vector<row_entry> entries;
    for (const auto& [column, list] : by_column) entries.push_back({column, share_list(list)});
    core_.states[s].programs = out_.share(std::move(entries));
}

/// Lists the levels of each state's polled transitions. Only there can it decide.
void planner::list_levels() {
    for (auto& row : core_.states) {
        const auto first = core_.polled_levels.size();
        for (auto t = row.polled.first; t < row.polled.first + row.polled.count; ++t) {
            const auto known = core_.polled_levels.begin() + static_cast<std::ptrdiff_t>(first);
            const auto level = core_.transitions[t].level;
            if (std::find(known, core_.polled_levels.end(), level) == core_.polled_levels.end()) core_.polled_levels.push_back(level);
        }
        row.levels = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(core_.polled_levels.size() - first)};
    }
}

/// For leaves in which each state from the root inwards, one after the other, decides at the level around it, updates, and decides at its own level.
void planner::list_tick_parts() {
    core_.tick_parts.push_back({});
    for (index s = 0; s < row_count(core_.states); ++s) {
        const auto around = core_.states[s].superstate;
        core_.parts_around.push_back(tick_parts_of(s, around == no_index ? 0 : core_.parts_around[around]));
    }
}

std::uint32_t planner::tick_parts_of(index s, std::uint32_t outer) {
    const auto& row = core_.states[s];
    program outside = 0, inside = 0;
    for (auto i = row.levels.first; i < row.levels.first + row.levels.count; ++i) {
        const bool is_own = core_.polled_levels[i] == s;
        if (core_.level_programs[i] == 0 || (is_own ? !is_machine(s) : core_.polled_levels[i] != row.superstate)) return tick_part::selected;
        (is_own ? inside : outside) = core_.level_programs[i];
    }
    const auto first = static_cast<std::uint32_t>(core_.tick_parts.size());
    const auto depth = static_cast<std::int16_t>(row.depth);
    if (outer == tick_part::selected) return outer;
    if (outside) core_.tick_parts.push_back({outside, outer, s, static_cast<std::int16_t>(depth - 1)});
    if (row.updates) core_.tick_parts.push_back({row.update_program, outer, s, depth, true});
    if (inside) core_.tick_parts.push_back({inside, outer, s, depth});
    if (core_.tick_parts.size() == first) return outer;
    core_.tick_parts.back().is_last = true;
    return first;
}

void planner::select_by_column() {
    for (std::uint32_t column = 0; column < core_.row_width; ++column) core_.dispatch_ops.push_back({&ops::select, {.number = column}});
}

/// Outermost states come first, because they serve the most leaves.
void planner::make_shared() {
    core_.level_programs.resize(core_.polled_levels.size());
    core_.shared_programs.resize(core_.entries.size());
    std::vector<index> outer_first(core_.states.size());
    for (index s = 0; s < row_count(core_.states); ++s) outer_first[s] = s;
    std::ranges::sort(outer_first, {}, [&](index s) { return std::pair(core_.states[s].depth, s); });
    for (const auto s : outer_first)
        if (!share_programs_of(s)) return;
}

/// Returns false if there is no room left.
bool planner::share_programs_of(index s) {
    const auto& row = core_.states[s];
    for (auto i = row.programs.first; i < row.programs.first + row.programs.count; ++i) {
        const auto candidates = candidates_inwards(s, core_.entries[i].column);
        if (!fits(core_.shared_programs[i], [&] { return make_event_program(any_leaf, candidates); })) return false;
    }
    for (auto i = row.levels.first; i < row.levels.first + row.levels.count; ++i)
        if (!fits(core_.level_programs[i], [&] { return decisions_of(s, core_.polled_levels[i]); })) return false;
    return true;
}

template <class Emit> bool planner::fits(program& p, Emit emit) {
    const auto before = out_.written();
    p = emit();
    if (is_within_budget()) return true;
    out_.go_back_to(before);
    p = 0;
    return false;
}

/// Returns the candidates of the states from the root to `s`.
planner::transitions planner::candidates_inwards(index s, std::uint32_t column) const {
    transitions found;
    flatten::candidates(
        core_.states, no_index, s, core_.options.order, [&](index each) { return core_.lists[core_.program_for(each, column)]; },
        [&](std::uint32_t i) { return core_.transitions[core_.candidates[i]].defers; },
        [&](std::uint32_t i) { found.push_back(core_.candidates[i]); });
    return found;
}

/// Makes a program of its polled transitions of that level. It continues after them if none fires.
program planner::decisions_of(index s, index level) {
    const auto p = out_.begin();
    const auto& polled = core_.states[s].polled;
    assembler::jumps next_source;
    if (core_.states[s].candidates.count && polled.count) out_.emit(&ops::choose_again, std::uint64_t(0));
    for (auto number = polled.first; number < polled.first + polled.count && is_within_budget(); ++number) {
        if (core_.transitions[number].level == level) try_shared(number, next_source);
    }
    out_.land(next_source);
    out_.emit_end(code_next);
    return p;
}

void planner::try_shared(std::uint32_t number, assembler::jumps& next_source) {
    const auto& t = core_.transitions[number];
    assembler::jumps refused;
    if (core_.has_holds && !t.force) refused.push_back(out_.emit_if(&ops::if_none_waits, slot_of(core_, t.level)));
    if (t.on_finished) refused.push_back(out_.emit_if(&ops::if_marked, t.source));
    const auto tests = guards(t, t.source);
    if (t.any_state) {
        const assembler::jumps fires{out_.emit_if(&ops::if_satisfied, number, {hook_site::still, 1, t.source})};
        next_source.push_back(out_.emit_jump(&ops::jump)); // it blocks the later ones
        out_.land(fires);
    }
    if (may_be_held(t, any_leaf)) refused.push_back(out_.emit_if(&ops::or_wait, number, {hook_site::still, 0, t.source}));
    body(any_leaf, number, reason_of(t));
    out_.land(tests);
    if (core_.may_request_leave(number)) out_.emit(&ops::guard_refused, std::uint64_t(number));
    out_.land(refused);
}

/// Like path_step, from any active leaf.
struct planner::shared_step : flatten::path_step<chart_core, transition_sink> {
    void exits(const transition_row* t) {
        sink.p.out_.emit(&ops::exit_to_level, std::uint64_t(t->level));
        sink.p.out_.forget();
    }
};

void planner::shared_body(std::uint32_t number, reason why) {
    const auto& t = core_.transitions[number];
    transition_sink sink(*this, any_leaf, number, why);
    sink.begin(t);
    const transition_row* const only[] = {&t};
    shared_step step{{core_, any_leaf, sink}};
    flatten::write_step(only, step);
    if (t.target == no_index) sink.stay(t);
}

} // namespace hsm::detail
