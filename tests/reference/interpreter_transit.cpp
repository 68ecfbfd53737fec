// One transition: exits from the leaf up to the level, the action, entries down to the target, entry choices.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm {

void interpreter::fire(const transition_row& t, reason why, const event_ref* event) {
    const auto c = occasion_of(t, why, event);
    use_up_time(t);
    if (t.target != no_index) return transit(t.level, t.target, &t, c);
    run_actions(t, t.source, c);
    always_due_ = true;
}

/// A transition that no definition names: by the rules of one without `.external()`.
result interpreter::request(index source, index target, bool force) {
    const auto level = level_between(core_.states, source, target, false);
    if (!force && holder(level, target) != no_index) return keep_request(source, target, level);
    carry_out(source, target, level);
    return result::taken;
}

void interpreter::carry_out(index source, index target, index level) {
    transit(level, target, nullptr, {{reason::request, nullptr, node(source), node(target), node(leaf_), nullptr}});
}

/// Towards an own superstate that one's entry choice is made anew, never by its history.
void interpreter::transit(index level, index target, const transition_row* actions, const occasion& c) {
    transients_due_ = false;
    record(level);
    while (leaf_ != level) exit_leaf(c);
    if (actions) run_actions(*actions, level, c);
    enter_target(level, target, c);
    make_entry_choices(c, target != level);
    completed(level, c);
}

void interpreter::completed(index level, const occasion& c) {
    ++fired_;
    notify(level, c);
    transients_due_ = always_due_ = true;
    fresh_level_ = level;
}

/// Where the machines are left that are about to be.
void interpreter::record(index level) {
    for (auto s = leaf_; s != level; s = core_.states[s].superstate)
        if (std::ranges::find(core_.remembering, s) != core_.remembering.end()) record_[s] = core_.recorded(s, leaf_);
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
    finished_[s] = completion_due_[s] = released_[s] = false;
    drop_for(s);
    leaf_ = core_.states[s].superstate;
}

/// A state whose enter throws, or the copy of whose local does, or what finds out its times, has not been entered.
void interpreter::enter(index s, const occasion& c, bool silently) {
    const auto& row = core_.states[s];
    std::uint32_t built = 0;
    leaf_ = s;
    ++activation_[s];
    entered_at_[s] = now_;
    for (auto i = row.timers.first; i < row.timers.first + row.timers.count; ++i) due_[i] = never;
    try {
        for (const auto& local : of(core_.locals, row.locals)) {
            local.prototype->type().copy(block_.data() + local.offset, local.prototype->object());
            ++built;
        }
        if (!silently) run_hooks(row.enter, s, c);
        start_timers(s);
    } catch (...) {
        not_entered(s, built);
        throw;
    }
    if (row.kind == state_kind::final) mark(row.superstate);
}

void interpreter::not_entered(index s, std::uint32_t built) noexcept {
    destroy_locals(s, built);
    finished_[s] = completion_due_[s] = released_[s] = false;
    leaf_ = core_.states[s].superstate;
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
