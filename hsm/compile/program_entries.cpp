// Entries of machines: by history, by entry choices, or at rest.

#include <hsm/compile/detail/planner.hpp>

#include <hsm/vm/detail/choosing.hpp>

#include <bit>

namespace hsm::detail {

void planner::make_entries(index machine) {
    auto& row = core_.states[machine];
    row.default_program = row.entry_program = out_.begin();
    entry(machine, ops::all);
    if (row.history == history_depth::none) return;
    row.entry_program = out_.begin();
    restore(machine, row.history);
    out_.emit_enter_by(&state_row::default_program, machine, ops::all);
}

/// Makes the program of a history state, which runs after its machine was entered.
program planner::make_history(index s) {
    const auto machine = core_.states[s].superstate;
    const auto p = out_.begin();
    if (core_.is_previous(s))
        out_.emit(&ops::restore,
                  (core_.states[s].record + std::uint64_t(1)) | std::uint64_t(restores_of(machine, history_depth::shallow) + s - machine) << 16);
    else
        restore(machine, core_.states[s].history);
    entering(reason::entry);
    if (core_.states[s].initial.count) {
        const auto& t = core_.transitions[core_.states[s].initial.first];
        entry_sink sink{*this, ops::all};
        sink.choice_action(machine, t);
        if (!sink.leads_elsewhere(machine, t)) flatten::write_entries(core_, machine, t.target, sink);
    } else if (!is_machine(machine))
        out_.emit(&ops::regions, std::uint64_t(machine), {hook_site::still, 0, machine});
    else
        out_.emit_enter_by(&state_row::default_program, machine, ops::all);
    return p;
}

/// Returns the first of the programs of a machine for all possible records, which are consecutive and made at the end.
std::uint32_t planner::restores_of(index machine, history_depth depth) {
    auto [found, is_new] = restores_.try_emplace({machine, depth}, 0);
    if (is_new) {
        found->second = static_cast<std::uint32_t>(core_.restores.size());
        core_.restores.resize(core_.restores.size() + core_.states[machine].last - machine);
    }
    return found->second;
}

/// Emits the entry by a record.
void planner::restore(index machine, history_depth depth) {
    if (core_.states[machine].regions.count || !is_machine(machine))
        return out_.emit(&ops::go_back, std::uint64_t(core_.states[machine].record) | std::uint64_t(depth == history_depth::deep) << 16);
    out_.emit(&ops::restore, std::uint64_t(core_.states[machine].record) | std::uint64_t(restores_of(machine, depth)) << 16);
}

void planner::make_restores() {
    for (const auto& [key, first] : restores_) {
        const auto [machine, depth] = key;
        for (index r = static_cast<index>(machine + 1); r <= core_.states[machine].last; ++r) {
            const auto target = depth == history_depth::deep ? r : core_.toward(machine, r);
            auto& p = core_.restores[first + r - machine - 1u];
            if (target != r && target > machine)
                p = core_.restores[first + target - machine - 1u];
            else if (!is_history(r))
                p = make_restore(machine, target);
        }
    }
}

program planner::make_restore(index machine, index target) {
    const auto p = out_.begin();
    entering(reason::history);
    entry_sink sink{*this, ops::all};
    flatten::write_entries(core_, machine, target, sink);
    return p;
}

void planner::entering(reason why) {
    if (core_.needs_reason) out_.emit(&ops::entering, static_cast<std::uint64_t>(why));
}

/// Emits the records of history owners, before the first exit.
void planner::record_exits(index leaf, index level) {
    if (core_.history_owners.empty()) return;
    if (core_.has_previous) return out_.emit(&ops::record_history, std::uint64_t(level));
    for (auto s = leaf; s != level; s = core_.states[s].superstate)
        if (const auto record = core_.states[s].record; record != no_index)
            out_.emit(&ops::record, record | std::uint64_t(core_.recorded(s, leaf)) << 16);
}

/// Emits the entries inside a machine up to the end of the transition. Alternatives share no ops.
void planner::entry(index machine, std::uint64_t unchanged) {
    entering(reason::entry);
    entry_sink sink{*this, unchanged};
    ++inlined_;
    flatten::write_entry(core_, machine, sink);
    --inlined_;
}

assembler::jump_at planner::ask_between(const guard_row& g, index machine, std::uint32_t transition) {
    const hook_site site{hook_site::between, 1, machine};
    const auto number = static_cast<std::uint32_t>(&g - core_.guards.data());
    return trace_guard_result(out_.guard(g, machine, machine, site, true), {record_kind::guard, 0, machine, number, transition}, site);
}

/// Evaluates the candidates and picks one. Lower ranks are evaluated only if no candidate of a higher rank can be chosen.
void planner::choose(index s, hook_site::kind_of kind) {
    const auto& span = core_.states[s].candidates;
    const hook_site site{kind, 1, s};
    assembler::jumps decided;
    const auto& row = core_.states[s];
    const bool enters = kind == hook_site::between, rewards = row.node->chooses().stay_bonus > 0;
    assembler::jumps known;
    if (core_.scores_many(span)) known.push_back(out_.emit_if(&ops::use_scores, s | (enters ? ops::is_entry : 0)));
    out_.emit(&ops::evaluate,
              s | (enters ? ops::is_entry : 0) | (is_by_chance(row.choose) ? ops::lists_always : 0) | (rewards && !enters ? ops::lists_again : 0));
    for (std::uint32_t i = 0; i < span.count; ++i) {
        const auto& t = core_.transitions[span.first + i];
        if (i > 0 && t.priority < core_.transitions[span.first + i - 1].priority)
            decided.push_back(out_.emit_if(&ops::if_none_offered, std::uint64_t(0)));
        const auto refused = kind == hook_site::between ? tests_of_entry(t, s) : tests(t, s, false);
        if (t.score == no_score)
            out_.emit(&ops::fixed_score, std::bit_cast<std::uint64_t>(t.weight));
        else
            out_.hook(core_.hooks[t.score], s, s, site);
        out_.emit(nullptr, i | std::uint64_t(span.first + i) << 32);
        if (core_.traced) out_.emit(&ops::trace_score, std::uint64_t(span.first + i), site);
        out_.land(refused);
    }
    out_.land(decided);
    out_.land(known);
    if (is_by_chance(row.choose))
        out_.emit(&ops::pick_by_chance, std::uint64_t(s));
    else if (kind == hook_site::between) // otherwise, chosen_at_last follows
        out_.emit(&ops::picked, std::uint64_t(s));
}

void planner::count_draw(const transition_row& t) {
    if (t.is_candidate && !t.rechoice && is_by_chance(core_.states[t.source].choose)) out_.emit(&ops::count_draw, std::uint64_t(0));
}

assembler::jumps planner::guards_of_entry(std::uint32_t number, index machine) {
    const auto& t = core_.transitions[number];
    if (!t.is_candidate) return tests_of_entry(t, machine);
    if (number == core_.states[machine].candidates.first) choose(machine, hook_site::between);
    return {out_.emit_if(&ops::if_picked, number)};
}

assembler::jumps planner::tests_of_entry(const transition_row& t, index machine) {
    assembler::jumps refused;
    if (t.is_candidate && t.cooldown != no_score) refused.push_back(out_.emit_if(&ops::if_cool, t.cooldown));
    conditions(t, machine | ops::entered_leaf >> 32, refused);
    for (std::uint32_t i = 0; i < t.guards.count; ++i)
        refused.push_back(ask_between(core_.guards[t.guards.first + i], machine, core_.number_of(&t) - 1u));
    return refused;
}

void planner::entry_sink::choice_action(index machine, const transition_row& t) {
    p.trace_transition(p.core_.number_of(&t) - 1u, reason::entry, {hook_site::between, 0, machine});
    p.count_draw(t);
    p.use_triggers(t);
    for (std::uint32_t i = 0; i < t.actions.count; ++i) {
        const auto& action = p.core_.hooks[t.actions.first + i];
        p.trace_action(action, t, {hook_site::between, 0, machine});
        p.out_.hook(action, machine, machine, {hook_site::between, 0, machine});
    }
    if (p.core_.has_over) p.out_.emit(&ops::entered_by, static_cast<std::uint64_t>(&t - p.core_.transitions.data()) + 1);
}

/// Emits entries into other regions: the driver executes them.
bool planner::entry_sink::leads_elsewhere(index from, const transition_row& t) {
    if (!p.crosses(from, t)) return false;
    const auto number = static_cast<std::uint64_t>(&t - p.core_.transitions.data());
    p.out_.emit(&ops::targets, number | std::uint64_t(from) << 32);
    return true;
}

/// If the machine is the level itself (`is_level`), it does not use its own history.
void planner::entry_sink::choose(index machine, bool is_level) {
    if (is_level && p.core_.states[machine].history != history_depth::none)
        p.out_.emit_enter_by(&state_row::default_program, machine, unchanged);
    else if (p.core_.is_static(machine) && p.inlined_ < most_inlined)
        p.entry(machine, unchanged);
    else
        p.out_.emit_enter_by(&state_row::entry_program, machine, unchanged);
}

void planner::entry_sink::arrive(index s) {
    if (p.is_history(s))
        p.out_.emit_enter_by(&state_row::entry_program, s, unchanged);
    else if (p.core_.states[s].kind == state_kind::parallel)
        p.out_.emit(&ops::regions, std::uint64_t(s), {hook_site::still, 0, s});
    else
        p.done(s, unchanged);
}

/// Emits the end of an entry choice without a result.
void planner::entry_sink::rest(index machine) {
    if (p.core_.by_regions) return p.arrived(machine);
    p.trace({record_kind::arrived, 0, machine, record::no_number, 0}, {hook_site::entering, 0, machine});
    p.out_.emit(p.core_.has_hooks.change ? &ops::rest_changed : &ops::done, machine | unchanged << 16, {hook_site::still, 0, machine});
    p.out_.emit_row(machine);
}

void planner::done(index leaf, std::uint64_t unchanged) {
    if (core_.by_regions) return arrived(leaf);
    trace({record_kind::arrived, 0, leaf, record::no_number, 0}, {hook_site::entering, 0, leaf});
    out_.emit(core_.has_hooks.change ? &ops::done_changed : &ops::done, leaf | unchanged << 16, {hook_site::still, 0, leaf});
    out_.emit_row(leaf);
}

void planner::arrived(index leaf) {
    const auto region = core_.states[leaf].region;
    trace({record_kind::arrived, 0, leaf, record::no_number, 0}, {hook_site::entering, 0, leaf});
    const bool continues = decided_ && region != 0;
    out_.emit(continues     ? &ops::arrived_in_tick
              : region == 0 ? &ops::arrived_outermost
                            : &ops::arrived,
              leaf | offset_of_region(region) << 32, {hook_site::still, 0, leaf});
    out_.emit_row(leaf);
    if (continues) continuations_.push_back({out_.emit_jump(nullptr), leaf, *decided_});
}

} // namespace hsm::detail
