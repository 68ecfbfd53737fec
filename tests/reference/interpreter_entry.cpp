// Where a machine goes when it is entered: to where it was left, by its choices, to its initial state, to its first.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm {

/// Target no_index: it rests.
interpreter::entry_choice_of interpreter::choose_entry(index machine, const occasion& c) {
    const auto& row = core_.states[machine];
    for (const auto& t : of(core_.transitions, row.choices))
        if (holds(t, c)) return {&t, t.target};
    for (const auto& t : of(core_.transitions, row.initial)) return {&t, t.target};
    return {nullptr, row.choices.count ? no_index : row.first};
}

/// From a machine that is the leaf inwards. A choice that is made anew is not by that machine's own history.
void interpreter::make_entry_choices(const occasion& c, bool by_history) {
    for (; is_machine(leaf_); by_history = true) {
        const auto machine = leaf_;
        if (by_history && go_back(machine, core_.states[machine].history, c)) continue;
        const auto choice = choose_entry(machine, c);
        if (choice.target == no_index) return;
        if (choice.row) run_actions(*choice.row, machine, c.by(reason::entry));
        enter_target(machine, choice.target, c.by(reason::entry));
    }
}

/// Down to the target, or to what it stands for.
void interpreter::enter_target(index level, index target, const occasion& c) {
    if (core_.states[target].kind == state_kind::history)
        enter_by_history(level, target, c);
    else
        enter_below(level, target, c);
}

/// Without a record by the history state's own choice, or else by its machine's, which is still to be made. If it is that
/// choice that led here, there is only the first substate left.
void interpreter::enter_by_history(index level, index history, const occasion& c) {
    const auto& row = core_.states[history];
    const auto machine = row.superstate;
    enter_below(level, machine, c);
    if (go_back(machine, row.history, c)) return;
    for (const auto& t : of(core_.transitions, row.initial)) {
        run_actions(t, machine, c.by(reason::entry));
        return enter_target(machine, t.target, c.by(reason::entry));
    }
    if (level == machine && c.entered == reason::entry) enter_below(machine, core_.states[machine].first, c);
}

void interpreter::enter_below(index level, index target, const occasion& c) {
    std::vector<index> path;
    for (auto s = target; s != level; s = core_.states[s].superstate) path.push_back(s);
    std::ranges::reverse(path);
    for (const auto s : path) enter(s, c);
}

/// False if it is not known where the machine was left.
bool interpreter::go_back(index machine, history_depth how, const occasion& c) {
    const auto to = record_[machine];
    if (how == history_depth::none || to == 0) return false;
    enter_below(machine, how == history_depth::deep ? to : core_.toward(machine, to), c.by(reason::history));
    return true;
}

} // namespace hsm
