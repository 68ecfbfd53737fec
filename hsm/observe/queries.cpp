#include <hsm/observe/detail/queries.hpp>

#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>

#include <algorithm>

namespace hsm::detail {

candidate& candidate_list::of(const transition_row& t) { return *std::ranges::find(candidates, i_.number(t), &candidate::transition); }

void candidate_list::add(const enabled_transition& to, obstacle_kind kind, std::uint32_t transition) {
    of(*to.transition).obstacles.push_back({.kind = kind, .transition = transition});
}

bool collecting_probe::begins(const transition_row& t) {
    to_->candidates.push_back({.transition = to_->i_.number(t), .unasked = t.guards.count});
    to_->is_open_ = false;
    if (first_ == no_number || to_->i_.all_guards) return true;
    ends(verdict::refused);
    return false;
}

bool collecting_probe::is_barred(bool barred) {
    const auto& t = to_->i_.row(current());
    const auto bars = [&](std::uint32_t by) {
        const auto& earlier = to_->i_.core.transitions[by];
        return earlier.source == t.source && earlier.level == t.level;
    };
    if (!barred) return stops();
    const auto by = *std::ranges::find_if(to_->satisfied_, bars);
    if (to_->i_.row(current()).rechoice && to_->i_.core.transitions[by].rechoice) return false; // it names the chosen one
    current().obstacles.push_back({.kind = obstacle_kind::barred, .transition = by});
    return stops();
}

bool collecting_probe::is_blocked(bool blocked) {
    const auto& i = to_->i_;
    const auto level = level_now(i.m, i.core, i.row(current()));
    const auto blocks = [&](std::uint32_t by) {
        const auto& earlier = i.core.transitions[by];
        return earlier.level == i.row(current()).level || level_now(i.m, i.core, earlier) == level;
    };
    if (blocked) current().obstacles.push_back({.kind = obstacle_kind::waits_first, .transition = *std::ranges::find_if(to_->waiting_, blocks)});
    return stops();
}

bool collecting_probe::is_unfinished(bool unfinished) {
    if (unfinished) current().obstacles.push_back({.kind = obstacle_kind::not_finished, .state = to_->i_.row(current()).source});
    return stops();
}

bool collecting_probe::refuses(machine&, const chart_core&, const transition_row&) {
    current().unasked = 0;
    to_->i_.check_all(current());
    to_->is_open_ = current().taken() && first_ == no_number;
    return stops();
}

bool collecting_probe::is_satisfied(bool satisfied) {
    if (satisfied) current().obstacles.push_back({.kind = obstacle_kind::satisfied, .state = to_->i_.row(current()).target});
    return satisfied;
}

bool collecting_probe::must_wait(machine&, const chart_core&, const transition_row& t) {
    return to_->i_.may_be_held(t) && !to_->i_.check_holds(current().obstacles, t.level, t.target);
}

/// If something else prevents it, it has no effect on later transitions.
verdict collecting_probe::ends(verdict v) {
    if (first_ != no_number) current().obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first_});
    if (!to_->is_open_) return verdict::refused;
    if (v == verdict::satisfied) to_->satisfied_.push_back(current().transition);
    if (v == verdict::waits) to_->waiting_.push_back(current().transition);
    return v;
}

bool collecting_probe::has_waiting(const machine&, const chart_core& core, std::size_t slot) const {
    return std::ranges::any_of(to_->waiting_, [&](std::uint32_t by) { return slot_of(core, core.transitions[by].level) == slot; });
}

void collecting_probe::yields(const enabled_transition& loser, const enabled_transition& winner) const {
    to_->add(loser, loser.transition->defers ? obstacle_kind::goes_first : obstacle_kind::deferral, to_->i_.number(*winner.transition));
}

void collecting_probe::loses(const enabled_transition& loser, const enabled_transition& winner) const {
    to_->add(loser, obstacle_kind::conflict, to_->i_.number(*winner.transition));
}

bool collecting_probe::is_free(machine&, const chart_core&, const enabled_transition& e) const {
    return !to_->i_.may_be_held(*e.transition) || to_->i_.check_holds(to_->of(*e.transition).obstacles, e.level, e.target);
}

void collecting_probe::cannot_pend(const enabled_transition& e) const {
    const auto& p = pending_at(to_->i_.m, to_->i_.core, slot_of(to_->i_.core, e.transition->level));
    to_->add(e, obstacle_kind::lower_priority, p.kind == pending_slot::event ? p.transition : no_number);
}

void event_query::run() {
    separate_selection w(i_.m, i_.core, selection::event, event_);
    outcome = preview(i_.m, i_.core, w, collecting_probe(*this));
    for (const auto& e : w.transitions()) skip_if_exited(e, w);
    if (i_.all_guards) defer_all();
    for (auto& c : candidates)
        if (w.count > 0 && i_.row(c).defers && c.taken())
            c.obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = i_.number(*w.found[0].transition)});
    if (i_.all_guards) hold_all();
}

/// Skips a reaction that takes a local if another transition of the step exits its state.
void event_query::skip_if_exited(const enabled_transition& reaction, selection& agreed) {
    if (reaction.target != no_index || !reaction.transition->wants_local) return;
    for (const auto& e : agreed.transitions()) {
        const bool leaves = e.target != no_index && e.level != reaction.source && is_around(i_.core, e.level, reaction.source);
        if (leaves && of(*e.transition).taken()) return add(reaction, obstacle_kind::conflict, i_.number(*e.transition));
    }
}

/// With the substate first, deferrals also override transitions that were not selected.
void event_query::defer_all() {
    if (superstate_first()) return;
    for (auto& c : candidates) {
        if (i_.row(c).defers || c.has(obstacle_kind::deferral)) continue;
        const auto overrides = [&](const candidate& d) {
            return i_.row(d).defers && d.taken() && i_.core.contains(i_.row(c).source, i_.row(d).source);
        };
        if (const auto by = std::ranges::find_if(candidates, overrides); by != candidates.end())
            c.obstacles.push_back({.kind = obstacle_kind::deferral, .transition = by->transition});
    }
}

/// Adds the holding states of transitions that were not selected.
void event_query::hold_all() {
    for (auto& c : candidates) {
        const auto& t = i_.row(c);
        const bool known =
            c.taken() || c.has(obstacle_kind::held_until_released) || c.has(obstacle_kind::held_for) || c.has(obstacle_kind::held_by_guard);
        if (known || !i_.may_be_held(t)) continue;
        const auto e = enable(i_.m, i_.core, t, reason::event);
        if (collecting_probe(*this).is_free(i_.m, i_.core, e)) continue;
        if (would_pend(i_.m, i_.core, t.level, t.priority) == result::refused) collecting_probe(*this).cannot_pend(e);
    }
}

void tick_query::run() {
    if (superstate_first())
        decide_at(no_index);
    else
        decide_all();
    walk(0);
}

/// Returns a transition that was already taken and exits this state or level, or no_number.
std::uint32_t tick_query::taken_around(index level) const {
    const auto exits_level = [&](const enabled_transition& e) { return e.level != level && is_around(i_.core, e.level, level); };
    const auto found = std::ranges::find_if(found_, exits_level);
    return found == found_.end() ? no_number : i_.number(*found->transition);
}

void tick_query::take(const transition_row& t) {
    found_.push_back(enable(i_.m, i_.core, t, reason_of(t)));
    fires = true;
}

/// Superstate first: the transitions of one level, in the order in which they are tried.
void tick_query::decide_at(index level) {
    collecting_probe probe(*this, taken_around(level));
    if (i_.core.by_regions) {
        if (const auto* const t = select_at_level(i_.m, i_.core, level, probe)) take(*t);
        return;
    }
    flatten::entries(i_.core.states, no_index, i_.m.leaf, [&](index source) {
        const auto* const t = select_at_level(i_.m, i_.core, level, source, probe);
        if (!t) return;
        take(*t);
        probe = probe.after(*t);
    });
}

/// Substate first: all regions decide, then machines without an active substate try their entry choices.
void tick_query::decide_all() {
    separate_selection w(i_.m, i_.core, selection::polled);
    fires = select(i_.m, i_.core, w, collecting_probe(*this));
    found_.assign(w.transitions().begin(), w.transitions().end());
    for (std::size_t r = 0; r < i_.core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(i_.m, i_.core, r); leaf != no_index && i_.core.is_machine(leaf)) retry(leaf);
}

void tick_query::walk(index s) {
    const auto& core = i_.core;
    react(s);
    each_region(core, s, [&](index region) { walk(region); });
    if (!core.is_machine(s)) return;
    if (superstate_first()) decide_at(s);
    const auto leaf = region_leaf_of(i_.m, core, core.states[s].region);
    if (leaf != s)
        walk(core.toward(s, leaf));
    else if (superstate_first())
        retry(s);
}

/// All enabled reactions run after the update of their state.
void tick_query::react(index s) {
    const auto& state = i_.core.states[s];
    if (!state.updates) return;
    const collecting_probe probe(*this, taken_around(s));
    for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t)
        test_options(i_.m, i_.core, i_.core.transitions[t], probe);
}

/// A machine without an active substate enters one, unless a transition was taken there.
void tick_query::retry(index s) {
    const auto& state = i_.core.states[s];
    const auto been_here = std::ranges::find_if(found_, [&](const enabled_transition& e) { return is_around(i_.core, e.level, s); });
    collecting_probe probe(*this, been_here == found_.end() ? no_number : i_.number(*been_here->transition));
    for (const auto& span : {state.choices, state.initial}) {
        const transition_row* taken = nullptr;
        for (auto n = span.first; n < span.first + span.count; ++n)
            if (const auto& t = i_.core.transitions[n]; test_options(i_.m, i_.core, t, probe)) {
                taken = &t;
                if (!t.is_candidate) probe = probe.after(t); // other candidates name the chosen one themselves
            }
        fires |= taken != nullptr;
        if (taken) probe = probe.after(*taken);
    }
    fires |= state.choices.count + state.initial.count == 0; // it enters its first substate
}

namespace {

/// Lists work that waits, and whether it comes before the subject of a question.
class waiting_list {
public:
    explicit waiting_list(machine_probe& i) : i_(i) {}

    void add_completions() {
        if (!i_.core.has_marks) return;
        for (index s = 1; s < row_count(i_.core.states); ++s)
            if (i_.core.states[s].marked && due_of(i_.m, i_.core)[s])
                found.push_back({.kind = waiting_item::completion, .comes_first = true, .state = s});
    }

    /// For a tick, transitions that it decides again are candidates instead.
    void add_held(bool ticks) {
        if (!i_.core.has_holds) return;
        for (std::size_t slot = 0; slot < slot_count(i_.core); ++slot) {
            const auto& p = pending_at(i_.m, i_.core, slot);
            if (p.kind != pending_slot::none && !p.firing) add_pending(p, slot);
        }
        for (std::size_t slot = 0; slot < slot_count(i_.core) && !ticks; ++slot)
            if (const auto waits = waiting_at(i_.m, i_.core, slot).transition) add_waiting(waits - 1);
    }

    void add_leave_requests() {
        if (!i_.core.has_hooks.leave) return;
        for (std::size_t r = 0; r < i_.core.leave_requests.size(); ++r)
            if (const auto& request = i_.core.leave_requests[r]; made_requests(i_.m, i_.core)[r])
                found.push_back({.kind = waiting_item::leave_request, .transition_number = request.transition, .state = request.state});
    }

    void add_deferred() {
        if (!i_.core.has_defers) return;
        for (std::size_t d = 0; d < deferral_of(i_.m, i_.core).count; ++d)
            found.push_back({.kind = waiting_item::deferred, .event_number = deferred_event(i_.m, i_.core, d)});
    }

    void add_queued(bool ticks) {
        const auto* const queues = queues_of(i_.m, i_.core);
        if (!queues) return;
        const auto come = queues->posted.size() + (queues->mail ? queues->mail->gather() : 0);
        const auto first = queues->internal.size() + (ticks ? come : 0);
        if (first > 0) found.push_back({.kind = waiting_item::queued, .comes_first = true, .count = static_cast<std::uint32_t>(first)});
    }

    void add_resting() {
        for (std::size_t r = 0; r < i_.core.regions.size(); ++r)
            if (const auto leaf = region_leaf_of(i_.m, i_.core, r); leaf != no_index && i_.core.is_machine(leaf))
                found.push_back({.kind = waiting_item::rest, .state = leaf});
    }

    std::vector<waiting_item> found;

private:
    /// Same rule as try_pending_at: a transition that is no longer held fires or is dropped.
    void add_pending(const pending_slot& p, std::size_t slot) {
        const bool is_request = p.kind == pending_slot::request;
        waiting_item w{.kind = is_request ? waiting_item::request : waiting_item::event, .state = p.target};
        if (!is_request) w.transition_number = p.transition;
        if (!is_request) w.event_number = i_.core.transitions[p.transition].event;
        const auto level = is_request ? level_between(i_.core.states, p.source, p.target, false) : i_.core.transitions[p.transition].level;
        w.comes_first = i_.check_holds(w.obstacles, level, p.target);
        if (w.comes_first && !is_request) w.obstacles = checked_again(p, slot);
        found.push_back(std::move(w));
    }

    std::vector<obstacle> checked_again(const pending_slot& p, std::size_t slot) {
        candidate c{.transition = p.transition};
        const auto* const payload = std::exchange(i_.m.payload, payload_at(i_.m, i_.core, slot));
        const bool known = std::exchange(i_.knows_event, true);
        i_.check_all(c);
        i_.knows_event = known;
        i_.m.payload = payload;
        return std::move(c.obstacles);
    }

    void add_waiting(std::uint32_t transition) {
        const auto& t = i_.core.transitions[transition];
        waiting_item w{.kind = waiting_item::transition, .transition_number = transition, .state = t.target};
        i_.check_holds(w.obstacles, t.level, t.target);
        found.push_back(std::move(w));
    }

    machine_probe& i_;
};

} // namespace

std::vector<waiting_item> list_waiting(machine_probe& i, bool ticks) {
    waiting_list list(i);
    list.add_completions();
    list.add_held(ticks);
    list.add_leave_requests();
    list.add_deferred();
    list.add_queued(ticks);
    if (ticks) list.add_resting();
    return std::move(list.found);
}

} // namespace hsm::detail
