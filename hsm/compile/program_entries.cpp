// Where a machine goes that is entered: by history, by its choices, or nowhere.

#include <hsm/compile/program_maker.hpp>

namespace hsm {

void program_maker::make_entries(index machine) {
    auto& row = core_.states[machine];
    row.anew_program = row.entry_program = out_.begin();
    entry(machine, ops::all);
    if (row.history == history_depth::none) return;
    row.entry_program = out_.begin();
    restore(machine, row.history);
    out_.emit_enter_by(&state_row::anew_program, machine, ops::all);
}

/// Where a history state leads, once its machine is entered.
program program_maker::make_history(index s) {
    const auto machine = core_.states[s].superstate;
    const auto p = out_.begin();
    restore(machine, core_.states[s].history);
    entering(reason::entry);
    if (core_.states[s].initial.count)
        take_entry(machine, core_.transitions[core_.states[s].initial.first], ops::all);
    else if (!is_machine(machine))
        out_.emit(&ops::regions, std::uint64_t(machine), {op_note::still, 0, machine});
    else
        out_.emit_enter_by(&state_row::anew_program, machine, ops::all);
    return p;
}

/// The programs of a machine for all that may be recorded stand together; they are made at the end.
void program_maker::restore(index machine, history_depth depth) {
    if (core_.states[machine].regions.count || !is_machine(machine))
        return out_.emit(&ops::go_back, core_.place_of(machine) | std::uint64_t(depth == history_depth::deep) << 16);
    auto [found, is_new] = restores_.try_emplace({machine, depth}, 0);
    if (is_new) {
        found->second = static_cast<std::uint32_t>(core_.restores.size());
        core_.restores.resize(core_.restores.size() + core_.states[machine].last - machine);
    }
    out_.emit(&ops::restore, core_.place_of(machine) | std::uint64_t(found->second) << 16);
}

void program_maker::make_restores() {
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

program program_maker::make_restore(index machine, index target) {
    const auto p = out_.begin();
    entering(reason::history);
    enter_below(machine, target);
    arrive(target, ops::all);
    return p;
}

void program_maker::entering(reason why) {
    if (core_.has_moment) out_.emit(&ops::entering, static_cast<std::uint64_t>(why));
}

/// Before the first exit, what is left is remembered.
void program_maker::record_exits(index leaf, index level) {
    if (core_.remembering.empty()) return;
    for (auto s = leaf; s != level; s = core_.states[s].superstate)
        if (const auto place = core_.place_of(s); place < core_.remembering.size() && core_.remembering[place] == s)
            out_.emit(&ops::record, place | std::uint64_t(core_.recorded(s, leaf)) << 16);
}

/// Where a machine goes that was just entered, to the end of the transition. Alternatives share nothing.
void program_maker::entry(index machine, std::uint64_t kept) {
    const auto& row = core_.states[machine];
    entering(reason::entry);
    const auto try_choice = [&](std::uint32_t number) {
        const auto& t = core_.transitions[number];
        const auto refused = guards_of_entry(t, machine);
        take_entry(machine, t, kept);
        out_.land(refused);
    };
    flatten::entry_choice(
        row.choices, row.initial, [&](auto t) { return core_.transitions[t].is_guarded(); }, try_choice,
        [&](auto t) { take_entry(machine, core_.transitions[t], kept); }, [&] { rest(machine, kept); },
        [&] {
            enter(row.first);
            arrive(row.first, kept);
        });
}

assembler::jumps program_maker::guards_of_entry(const transition_row& t, index machine) {
    assembler::jumps refused;
    conditions(t, machine | ops::entered_leaf >> 32, refused);
    for (std::uint32_t i = 0; i < t.guards.count; ++i)
        refused.push_back(out_.guard(core_.guards[t.guards.first + i], machine, machine, {op_note::between, 1, machine}));
    return refused;
}

void program_maker::take_entry(index machine, const transition_row& t, std::uint64_t kept) {
    for (std::uint32_t i = 0; i < t.actions.count; ++i)
        out_.hook(core_.hooks[t.actions.first + i], machine, machine, {op_note::between, 0, machine});
    if (core_.has_over) out_.emit(&ops::lead, static_cast<std::uint64_t>(&t - core_.transitions.data()) + 1);
    go_on(machine, t, kept);
}

void program_maker::go_on(index from, const transition_row& t, std::uint64_t kept) {
    if (crosses(from, t)) {
        const auto number = static_cast<std::uint64_t>(&t - core_.transitions.data());
        return out_.emit(&ops::targets, number | std::uint64_t(from) << 32);
    }
    enter_below(from, core_.machine_of(t.target));
    arrive(t.target, kept);
}

/// At the target of a transition or of an entry choice.
void program_maker::arrive(index target, std::uint64_t kept) {
    if (is_history(target))
        out_.emit_enter_by(&state_row::entry_program, target, kept);
    else if (core_.states[target].kind == state_kind::parallel)
        out_.emit(&ops::regions, std::uint64_t(target), {op_note::still, 0, target});
    else if (!is_machine(target))
        done(target, kept);
    else if (is_static(target))
        entry(target, kept);
    else
        out_.emit_enter_by(&state_row::entry_program, target, kept);
}

/// At an own superstate: it is not gone back to where it was left.
void program_maker::arrive_anew(index machine, std::uint64_t kept) {
    if (core_.states[machine].history == history_depth::none)
        arrive(machine, kept);
    else
        out_.emit_enter_by(&state_row::anew_program, machine, kept);
}

/// Nothing that is known at run time only has a say in where it goes.
bool program_maker::is_static(index machine) const {
    const auto& row = core_.states[machine];
    if (row.history != history_depth::none) return false;
    return row.choices.count == 0 || !core_.transitions[row.choices.first].is_guarded();
}

void program_maker::done(index leaf, std::uint64_t kept) {
    if (core_.driven) return arrived(leaf);
    out_.emit(core_.has_changes ? &ops::done_changed : &ops::done, leaf | kept << 16, {op_note::still, 0, leaf});
    out_.emit_row(leaf);
}

void program_maker::arrived(index leaf) {
    const auto region = core_.states[leaf].region;
    out_.emit(region == 0 ? &ops::arrived_outermost : &ops::arrived, leaf | offset_of_region(region) << 16, {op_note::still, 0, leaf});
    out_.emit_row(leaf);
}

/// All choices of a machine refused.
void program_maker::rest(index machine, std::uint64_t kept) {
    if (core_.driven) return arrived(machine);
    out_.emit(core_.has_changes ? &ops::rest_changed : &ops::done, machine | kept << 16, {op_note::still, 0, machine});
    out_.emit_row(machine);
}

} // namespace hsm
