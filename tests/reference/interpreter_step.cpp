// The order of steps: a tick's walk from the root inwards, and the work after a transition or an update.

#include <tests/reference/interpreter_chain.hpp>
#include <tests/reference/interpreter_stage.hpp>

#include <utility>

namespace hsm::detail {

/// Superstate first: for each level its update and its one decision, then inwards. Substate first: the decisions, then the updates.
void interpreter::walk(phase what) {
    const bool outermost_first = core_.options.order == decision_order::superstate_first;
    if (what != phase::hooks) outermost_first ? void(decide_level(no_index)) : decide_all();
    if (what == phase::decisions && !outermost_first) return;
    if (active(0)) walk_into(0, what);
}

/// The regions of a parallel come one after the other, until the parallel is exited.
void interpreter::walk_into(index s, phase what) {
    const bool decides = what != phase::hooks && core_.options.order == decision_order::superstate_first;
    const bool updates = what != phase::decisions;
    const auto activation = activation_[s];
    const auto let_go = [&] { return over() || !active(s) || activation_[s] != activation; };
    if (let_go()) return;
    if (updates) update_state(s);
    if (updates && !over()) retry_waiting(s, activation);
    updated_ = no_index;
    if (is(state_kind::parallel, s))
        for (const auto r : regions_of(s))
            if (!let_go()) walk_into(r, what);
    if (let_go() || !is(state_kind::machine, s)) return;
    if (decides && !decide_level(s) && rests(s)) retry_entry(s);
    if (!let_go() && !rests(s)) walk_into(active_child(s), what);
}

/// Fires at most one of the polled transitions of that level.
bool interpreter::decide_level(index level) {
    waiting_at(level) = {};
    const auto* t = select_at_level(level);
    if (!t) return false;
    fire(*t, reason_of(*t));
    run_to_completion();
    return true;
}

/// Makes one step of all regions. Then machines at rest that are not in its scope repeat their entry choices.
void interpreter::decide_all() {
    stop_waiting();
    std::map<index, std::uint32_t> resting;
    for (const auto s : leaf_states())
        if (rests(s)) resting[s] = activation_[s];
    moved_.clear();
    if (const auto set = select_polled_set(asked::polled); !set.empty()) {
        for (const auto* t : set) std::erase_if(resting, [&](const auto& r) { return within(level_of(*t), r.first) || within(t->source, r.first); });
        fire_all(set);
        run_to_completion();
    }
    for (const auto& [s, activation] : resting)
        if (!over() && rests(s) && activation_[s] == activation && !moved_.contains(s)) retry_entry(s);
}

/// A machine at rest repeats its entry choice: a step whose level it is, if a guard holds.
bool interpreter::retry_entry(index machine) {
    const move anew{nullptr, machine, {machine}, machine, reason::entry};
    const occasion c{{reason::entry, nullptr, node(machine), nullptr, node(machine), nullptr}};
    try {
        enter_states(machine, anew.targets, c, nullptr);
    } catch (...) {
        rest_after_exception({anew}, c);
        throw;
    }
    if (rests(machine)) return false;
    completed({anew}, {c});
    always_due_ = true;
    run_to_completion();
    return true;
}

void interpreter::update_state(index s) {
    const auto& row = core_.states[s];
    updated_ = s;
    stage here(*this, s, {}, elapsed_);
    if (row.kind != state_kind::final)
        for (const auto& h : of(core_.hooks, row.hooks.update)) call(h, here);
    if (!stop_requested_) react_to_update(s, here.now.next);
    run_to_completion();
    try_pending();
}

/// Runs the reactions first, then enters the state that the update returned.
void interpreter::react_to_update(index s, const successor& next) {
    const auto& row = core_.states[s];
    stage here(*this, s, {});
    for (const auto& predicate : of(core_.guards, row.predicates))
        if (ask(predicate, here)) mark(s);
    for (const auto& t : of(core_.transitions, row.reactions)) {
        if (stop_requested_) return;
        if (due(t) && holds(t, occasion_of(t, reason_of(t)))) fire(t, reason_of(t));
    }
    if (!next || stop_requested_) return;
    state_key target{state_ref()};
    target.node = next.node;
    target.id = next.id;
    request(s, require_state(core_, target, node(s)), false);
}

/// Executes the work after the last step, until none is left: transient states, completion, transitions that are tried after every other, deferred
/// events, internal events, requests to leave.
void interpreter::run_to_completion() {
    chain links{*this};
    bool fired = false; // since the last on_settled
    while (true) {
        if (stop_requested_) return stop_now();
        if (over()) return;
        if (std::exchange(transients_due_, false)) {
            if (const auto set = select_polled_set(asked::transient); !set.empty()) {
                links.link();
                for (const auto* t : set) just_entered_.erase(t->source); // unless it is exited and entered again
                fire_all(set);
                continue;
            }
            just_entered_.clear();
        }
        if (const auto* t = take_completion()) {
            links.link();
            fire(*t, reason::completion);
            continue;
        }
        fired |= always_due_;
        if (std::exchange(always_due_, false)) {
            if (const auto set = select_polled_set(asked::always); !set.empty()) {
                links.link();
                fire_all(set);
                continue;
            }
        }
        if (recall(links)) continue;
        if (internal_.size() == 0) {
            if (run_on_leave_requested()) continue;
            if (!core_.has_hooks.settled || !std::exchange(fired, false)) return;
            run_hooks(core_.states[0].hooks.settled, 0, {});
            continue;
        }
        links.link();
        handle_queued(internal_);
    }
}

/// Calls the hooks of the innermost active state that has some; of several in different regions the first.
void interpreter::run_on_unhandled(const event_ref& event) {
    auto without_object = event;
    without_object.object = nullptr;
    auto innermost = no_index;
    for (const auto s : active_)
        if (core_.states[s].hooks.unhandled.count && depth(s) > depth(innermost)) innermost = s;
    if (innermost == no_index) return;
    const occasion c{{reason::event, &without_object, nullptr, nullptr, node(region_leaf(0)), nullptr}, event.object};
    run_hooks(core_.states[innermost].hooks.unhandled, innermost, c);
}

/// Handles the oldest entry of the queue; it is consumed even if a hook throws.
result interpreter::handle_queued(event_queue& queue) {
    return queue.take([&](const queued_entry& entry, const void* payload) {
        if (entry.is_request()) return request_from_outside(entry.target, entry.force);
        const auto number = core_.column_events[entry.column];
        auto event = core_.event_at(number, payload);
        event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, from.object); };
        return handle(number, event, came_from::queue);
    });
}

} // namespace hsm::detail
