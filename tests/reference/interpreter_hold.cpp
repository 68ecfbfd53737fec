// States that cannot be exited yet; polled transitions that wait for them in a tick, events and requests that wait longer.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

/// Tests in this order: released, until released, the least duration, the predicates.
bool interpreter::is_held_by(index s, index target) {
    const auto& row = core_.states[s];
    if (!row.holds || released_[s]) return false;
    if (row.until_released) return true;
    if (row.least != no_timer && now_ < due_[row.least]) return true;
    stage here(*this, s, {});
    here.now.hold_target = state_ref(node(target));
    return !std::ranges::all_of(of(core_.guards, row.hold), [&](const auto& g) { return ask(g, here); });
}

/// Returns the innermost holding state that would be exited, the last in document order; no_index: none.
index interpreter::holder(index level, index target) {
    for (const auto s : last_first(active_))
        if (below(level, s) && is_held_by(s, target)) return s;
    return no_index;
}

index interpreter::holder(const transition_row& t) { return t.force || t.target == no_index ? no_index : holder(level_of(t), t.target); }

void interpreter::wait(const transition_row& t, index for_state) {
    if (t.rechoice && t.timer != no_timer) due_[t.timer] = now_; // it remains due
    auto& at = waiting_at(level_of(t));
    if (ticking_ && !at.row) at = {&t, for_state, false};
    ask_to_leave(for_state, &t);
}

/// Tries the transitions that wait for a state that was just updated, outermost level first.
void interpreter::retry_waiting(index updated, std::uint32_t activation) {
    auto levels = path_to(updated);
    levels.back() = no_index; // it waits at a level above itself
    std::rotate(levels.begin(), levels.end() - 1, levels.end());
    for (const auto level : levels) {
        auto& at = waiting_at(level);
        const bool same = active(updated) && activation_[updated] == activation;
        if (!at.row || !(at.exited_after_update || (at.holder == updated && same))) continue;
        const auto& t = *std::exchange(at, {}).row;
        chooser_ = no_index;
        if (!may_fire(t) || satisfied(t)) continue;
        if (const auto held_by = holder(t); held_by != no_index) {
            wait(t, held_by);
            continue;
        }
        fire(t, reason_of(t));
        run_to_completion();
        if (over()) return;
    }
    if (core_.has_hooks.leave) run_to_completion();
}

void interpreter::stop_waiting() { std::ranges::fill(waiting_, waiting{}); }

bool interpreter::turned_away(index level, int priority) {
    const auto& there = pending_at(level);
    return there && (there->row ? there->row->priority : 0) > priority;
}

/// A further event of the pending transition is no new request.
void interpreter::keep(const transition_row& t, index for_state, std::shared_ptr<const event_copy> event) {
    const auto level = level_of(t);
    if (const auto& there = pending_at(level); there && there->row != &t) no_longer_ask_at(level);
    pending_at(level) = {&t, t.source, t.target, level, std::move(event)};
    ask_to_leave(for_state, nullptr, level);
}

result interpreter::pend_request(index source, index target, index level, index for_state) {
    if (turned_away(level, 0)) return result::refused;
    no_longer_ask_at(level);
    pending_at(level) = {nullptr, source, target, level, nullptr};
    ask_to_leave(for_state, nullptr, level);
    return result::held;
}

/// Outermost level first, region by region.
void interpreter::try_pending() {
    try_pending_at(no_index);
    try_pending_in(0);
    if (core_.has_hooks.leave) run_to_completion();
}

/// From the region's outermost state inwards, even if a transition has changed the path meanwhile.
void interpreter::try_pending_in(index region) {
    for (int d = depth(region); !over() && active(region); ++d) {
        const auto path = path_to(region_leaf(region));
        if (d >= static_cast<int>(path.size())) break;
        try_pending_at(path[static_cast<std::size_t>(d)]);
    }
    if (over() || !active(region)) return;
    const auto end = region_leaf(region);
    if (!is(state_kind::parallel, end)) return;
    for (const auto r : regions_of(end))
        if (active(r)) try_pending_in(r);
}

/// Fires or drops what is no longer held. If a guard throws, it continues to wait.
void interpreter::try_pending_at(index level) {
    auto& at = pending_at(level);
    if (over() || !at) return;
    if (const auto held_by = holder(at->level, at->target); held_by != no_index) return ask_to_leave(held_by, nullptr, level);
    const auto ref = at->event ? at->event->ref() : event_ref();
    const auto* const t = at->row;
    const bool fires = !t || (due(*t) && holds(*t, occasion_of(*t, reason::event, &ref)));
    const auto wanted = *std::exchange(at, {});
    no_longer_ask_at(level);
    if (!fires) return;
    if (t)
        fire(*t, reason::event, &ref);
    else
        make_request(wanted.source, wanted.target, wanted.level);
    run_to_completion();
}

/// Removes waiting transitions when their source is exited, and those of a tick also when the state that they wait for is.
void interpreter::drop_for(index left) noexcept {
    for (auto& at : waiting_)
        if (at.row && (at.row->source == left || (at.holder == left && left != updated_)))
            at = {};
        else if (at.row && at.holder == left)
            at = {at.row, no_index, true};
    for (auto& at : pending_)
        if (at && at->source == left) {
            no_longer_ask_at(at->level);
            at.reset();
        }
    std::erase_if(leave_requests_, [&](const auto& r) { return r.state == left || (r.row && r.row->source == left); });
}

/// Does nothing if it was asked already.
void interpreter::ask_to_leave(index s, const transition_row* t, index level) {
    const auto is_same = [&](const leave_request& r) { return r.state == s && r.row == t && r.level == level; };
    if (core_.states[s].hooks.leave.count && std::ranges::none_of(leave_requests_, is_same)) leave_requests_.push_back({s, t, level, true});
}

void interpreter::no_longer_ask_for(const transition_row& t) {
    std::erase_if(leave_requests_, [&](const auto& r) { return r.row == &t; });
}

void interpreter::no_longer_ask_at(index level) {
    std::erase_if(leave_requests_, [&](const auto& r) { return !r.row && r.level == level; });
}

/// Runs the hooks of one request: of superstates first, then for what is pending, at the innermost level first, then in the order of definition.
/// Returns whether there was one.
bool interpreter::run_on_leave_requested() {
    leave_request* first = nullptr;
    const auto comes_before = [&](const leave_request& a, const leave_request& b) {
        if (a.state != b.state) return a.state < b.state;
        if (!a.row != !b.row) return !a.row;
        return a.row ? a.row < b.row : depth(a.level) > depth(b.level);
    };
    for (auto& r : leave_requests_)
        if (r.is_due && (!first || comes_before(r, *first))) first = &r;
    if (!first) return false;
    first->is_due = false;
    const auto s = first->state;
    const auto before = node(region_leaf(region_of(s)));
    if (const auto* const t = first->row) {
        run_hooks(core_.states[s].hooks.leave, s, {{reason_of(*t), nullptr, node(t->source), node(t->target), before, t->spec}});
        return true;
    }
    const auto there = *pending_at(first->level);
    const auto ref = there.event ? there.event->ref() : event_ref();
    const auto* const t = there.row;
    run_hooks(core_.states[s].hooks.leave, s,
              {{t ? reason::event : reason::request, t ? &ref : nullptr, node(there.source), node(there.target), before, t ? t->spec : nullptr},
               ref.object});
    return true;
}

/// They are asked again when their transitions are held again.
void interpreter::forget_due_requests() {
    std::erase_if(leave_requests_, [](const auto& r) { return r.is_due; });
}

} // namespace hsm::detail
