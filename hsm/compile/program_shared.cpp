// Charts without programs by leaf: the effect of an event in all leaves of a state that add nothing to it, and the decisions of a state in any leaf.
// Guards form a sequence as usual. Only the ops of a firing transition depend on the active leaf.

#include <hsm/compile/detail/planner.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>

namespace hsm::detail {

/// Outermost states come first, because they serve the most leaves.
void planner::make_shared() {
    core_.level_programs.resize(core_.polled_levels.size());
    core_.shared_programs.resize(core_.entries.size());
    std::vector<index> outer_first(core_.states.size());
    for (index s = 0; s < row_count(core_.states); ++s) outer_first[s] = s;
    std::ranges::stable_sort(outer_first, {}, [&](index s) { return core_.states[s].depth; });
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
    for (const auto& jump : guards(t, t.source)) refused.push_back(jump);
    if (t.any_state) {
        const assembler::jumps fires{out_.emit_if(&ops::if_satisfied, number, {op_note::still, 1, t.source})};
        next_source.push_back(out_.emit_jump(&ops::jump)); // it blocks the later ones
        out_.land(fires);
    }
    if (may_be_held(t, any_leaf)) refused.push_back(out_.emit_if(&ops::or_wait, number, {op_note::still, 0, t.source}));
    body(any_leaf, number, reason_of(t));
    out_.land(refused);
}

/// Like path_step, from any active leaf.
struct planner::shared_step : flatten::path_step<chart_core, transition_sink> {
    void exits(const transition_row* t) {
        sink.p.out_.emit(&ops::leave, std::uint64_t(t->level));
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
