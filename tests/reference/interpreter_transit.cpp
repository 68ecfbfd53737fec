// One transition: exits from the leaf up to the level, the action, entries down to the target, entry choices.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm {

void interpreter::fire(const transition_row& t, reason why, const event_ref* event) {
    const auto c = occasion_of(t, why, event);
    if (t.target == no_index) return run_actions(t, t.source, c);
    transit(t.level, t.target, &t, c);
}

/// A transition that no definition names: by the rules of one without `.external()`.
void interpreter::request(index source, index target, reason why) {
    const auto level = level_between(core_.states, source, target, false);
    transit(level, target, nullptr, {{why, nullptr, node(source), node(target), node(leaf_)}});
}

void interpreter::transit(index level, index target, const transition_row* actions, const occasion& c) {
    transients_due_ = false;
    while (leaf_ != level) exit_leaf(c);
    if (actions) run_actions(*actions, level, c);
    enter_below(level, target, c);
    make_entry_choices(c);
    completed(level, c);
}

void interpreter::completed(index level, const occasion& c) {
    ++fired_;
    notify(level, c);
    transients_due_ = true;
    fresh_level_ = level;
}

/// A state whose exit throws has been exited all the same.
void interpreter::exit_leaf(const occasion& c) {
    struct leaving {
        interpreter& self;
        index s;
        ~leaving() { self.left(s); }
    } const leave{*this, leaf_};
    run_hooks(core_.states[leaf_].exit, leaf_, c);
}

void interpreter::left(index s) noexcept {
    destroy_locals(s, core_.states[s].locals.count);
    finished_[s] = completion_due_[s] = false;
    leaf_ = core_.states[s].superstate;
}

/// A state whose enter throws, or the copy of whose local does, has not been entered.
void interpreter::enter(index s, const occasion& c) {
    const auto& row = core_.states[s];
    std::uint32_t built = 0;
    leaf_ = s;
    ++activation_[s];
    entered_at_[s] = now_;
    try {
        for (const auto& local : of(core_.locals, row.locals)) {
            local.prototype->type().copy(block_.data() + local.offset, local.prototype->object());
            ++built;
        }
        run_hooks(row.enter, s, c);
    } catch (...) {
        destroy_locals(s, built);
        finished_[s] = completion_due_[s] = false;
        leaf_ = row.superstate;
        throw;
    }
    if (row.kind == state_kind::final) mark(row.superstate);
}

void interpreter::enter_below(index level, index target, const occasion& c) {
    std::vector<index> path;
    for (auto s = target; s != level; s = core_.states[s].superstate) path.push_back(s);
    std::ranges::reverse(path);
    for (const auto s : path) enter(s, c);
}

void interpreter::make_entry_choices(const occasion& c) {
    while (is_machine(leaf_)) {
        const auto machine = leaf_;
        const auto choice = choose_entry(machine, c);
        if (choice.target == no_index) return;
        if (choice.row) run_actions(*choice.row, machine, c);
        enter_below(machine, choice.target, c);
    }
}

/// Tells every active machine below which something was exited or entered.
void interpreter::notify(index level, const occasion& c) {
    std::vector<index> machines;
    for (auto s = leaf_; s != no_index; s = core_.states[s].superstate)
        if (s != leaf_ || depth(s) <= depth(level)) machines.push_back(s);
    std::ranges::reverse(machines);
    for (const auto s : machines) run_hooks(core_.states[s].change, s, c);
}

/// In the context of the source; locals are looked up from the innermost state that is active meanwhile.
void interpreter::run_actions(const transition_row& t, index where, const occasion& c) {
    stage here(*this, t.source, c);
    here.now.state = node(where);
    for (const auto& action : of(core_.hooks, t.actions)) call(action, here);
}

void interpreter::run_hooks(const span_of& hooks, index s, const occasion& c) {
    stage here(*this, s, c);
    for (const auto& h : of(core_.hooks, hooks)) call(h, here);
}

void interpreter::destroy_locals(index s, std::uint32_t count) noexcept {
    const auto locals = of(core_.locals, core_.states[s].locals);
    while (count > 0) {
        const auto& local = locals.first[--count];
        local.prototype->type().destroy(block_.data() + local.offset);
    }
}

void interpreter::mark(index s) {
    if (finished_[s]) return;
    finished_[s] = completion_due_[s] = true;
}

} // namespace hsm
