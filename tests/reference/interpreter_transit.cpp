// One microstep: all exits, the actions, and all entries of the selected transitions.

#include <hsm/run/error.hpp>
#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm::detail {

interpreter::move interpreter::move_of(const transition_row& t, reason why, const event_ref* event) const {
    move m{&t, t.source, {}, level_of(t), why, event};
    if (t.target != no_index) std::ranges::copy(core_.targets_of(t), std::back_inserter(m.targets));
    return m;
}

interpreter::occasion interpreter::occasion_of(const move& m) const {
    if (m.row) return occasion_of(*m.row, m.why, m.event);
    const auto before = region_leaf(region_of(m.level));
    const auto target = m.targets.empty() ? no_index : m.targets.front();
    return {{m.why, nullptr, node(m.source), node(target), node(before), nullptr}};
}

void interpreter::fire(const transition_row& t, reason why, const event_ref* event) { step({move_of(t, why, event)}); }

void interpreter::fire_all(const rows& set) {
    std::vector<move> moves;
    for (const auto* t : set) moves.push_back(move_of(*t, reason_of(*t)));
    step(moves);
}

/// A request follows the rules of a transition without `.external()`.
result interpreter::request(index source, index target, bool force) {
    return request(source, target, level_between(core_.states, source, target, false), force);
}

result interpreter::request(index source, index target, index level, bool force) {
    if (!force)
        if (const auto held_by = holder(level, target); held_by != no_index) return pend_request(source, target, level, held_by);
    make_request(source, target, level);
    return result::taken;
}

/// In regions, changes the innermost active one that contains the target. If the target is that region, changes only the states inside it.
result interpreter::request_from_outside(index target, bool force) {
    auto region = region_of(core_.machine_of(target));
    while (!active(region)) region = region_of(core_.states[region].superstate);
    const bool is_region = target == region && region != 0;
    const auto source = region_leaf(region);
    return is_region ? request(source, target, region, force) : request(source, target, force);
}

void interpreter::make_request(index source, index target, index level) { step({{nullptr, source, {target}, level, reason::request}}); }

/// Requires that the levels of transitions with targets do not contain each other, so that each state is exited once.
void interpreter::step(const std::vector<move>& set) {
    std::vector<occasion> why;
    for (const auto& m : set) why.push_back(occasion_of(m));
    for (const auto& m : set)
        if (m.row) use_up_time(*m.row), count_draw(*m.row), use_triggers(*m.row);
    const bool moves = std::ranges::any_of(set, [](const auto& m) { return !m.targets.empty(); });
    for (const auto& m : set)
        if (!m.targets.empty()) moved_.insert(m.level);
    occasion now;
    try {
        const auto leaving = exit_set(set);
        record(leaving);
        std::vector<std::vector<const transition_row*>> store_entered_by(set.size());
        for (std::size_t i = 0; i < set.size(); ++i)
            for (const auto s : leaving)
                if (!set[i].targets.empty() && below(set[i].level, s)) store_entered_by[i].push_back(entered_by_[s]);
        for (const auto s : last_first(leaving)) {
            for (std::size_t i = 0; i < set.size(); ++i)
                if (!set[i].targets.empty() && below(set[i].level, s)) now = why[i];
            exit(s, now);
        }
        for (std::size_t i = 0; i < set.size(); ++i) {
            now = why[i];
            if (set[i].row && set[i].row->needs_finished) reset_entry_conditions(store_entered_by[i]);
            if (set[i].row) run_actions(*set[i].row, set[i].targets.empty() ? set[i].source : set[i].level, now);
        }
        for (std::size_t i = 0; i < set.size(); ++i) {
            now = why[i];
            if (!set[i].targets.empty()) enter_states(set[i].level, set[i].targets, now, set[i].row);
        }
    } catch (...) {
        rest_after_exception(set, now);
        throw;
    }
    if (moves) completed(set, why);
    always_due_ = true;
}

/// A parallel is never active in part: exits the innermost one around the step in which a region may be missing.
void interpreter::rest_after_exception(const std::vector<move>& set, const occasion& c) noexcept {
    auto first = std::ranges::find_if(set, [](const auto& m) { return !m.targets.empty(); });
    if (first == set.end()) return;
    auto around = first->level;
    for (const auto& m : set)
        if (!m.targets.empty()) around = core_.common(around, m.level);
    const auto can_rest = [&](index s) { return is(state_kind::parallel, s) && is(state_kind::machine, core_.states[s].superstate); };
    auto broken = around;
    while (broken != no_index && !can_rest(broken)) broken = core_.states[broken].superstate;
    if (const auto t = region_leaf(0); broken == no_index && is(state_kind::parallel, t) && within(around, t)) broken = t;
    if (broken == no_index) return;
    const std::set<index> all(active_.lower_bound(broken), active_.upper_bound(core_.states[broken].last));
    for (const auto s : last_first(all)) {
        try {
            exit(s, c);
        } catch (...) { // the first exception is reported
        }
    }
}

/// Calls on_change of the machines around each transition, and of those that it entered.
void interpreter::completed(const std::vector<move>& set, const std::vector<occasion>& why) {
    ++fired_;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (!set[i].targets.empty()) notify(set[i].level, why[i]);
    transients_due_ = true;
    if (set.front().why != reason::start && set.front().why != reason::restart) recall_due_ = true;
}

/// Returns the active proper descendants of the domains of transitions with targets.
std::set<index> interpreter::exit_set(const std::vector<move>& set) const {
    std::set<index> leaving;
    for (const auto& m : set)
        for (const auto s : active_)
            if (!m.targets.empty() && below(m.level, s)) leaving.insert(s);
    return leaving;
}

/// A state whose exit hook throws is exited nevertheless.
void interpreter::exit(index s, const occasion& c) {
    struct leaving {
        interpreter& self;
        index s;
        ~leaving() { self.left(s); }
    } const leave{*this, s};
    for (std::size_t i = 0; i < core_.cooldowns.size(); ++i)
        if (core_.cooldowns[i].target == s) cool_until_[i] = core_.cooldowns[i].time > never - now_ ? never : now_ + core_.cooldowns[i].time;
    run_hooks(core_.states[s].hooks.exit, s, c);
}

void interpreter::left(index s) noexcept {
    destroy_locals(s, core_.states[s].locals.count);
    finished_[s] = completion_due_[s] = released_[s] = false;
    std::erase(marks_, s);
    drop_for(s);
    just_entered_.erase(s);
    active_.erase(s);
}

/// A state whose enter hook, copy of a local, or computation of a time throws is not entered.
void interpreter::enter(index s, const occasion& c, bool silently) {
    const auto& row = core_.states[s];
    std::uint32_t built = 0;
    active_.insert(s);
    ++activation_[s];
    entered_at_[s] = now_;
    entered_by_[s] = silently ? nullptr : leading_;
    for (auto i = row.timers.first; i < row.timers.first + row.timers.count; ++i) due_[i] = never;
    try {
        for (const auto& local : of(core_.locals, row.locals)) {
            local.prototype->type().copy(block_.data() + local.offset, local.prototype->object());
            ++built;
        }
        if (!silently) run_hooks(row.hooks.enter, s, c);
        start_timers(s);
        if (row.kind == state_kind::final && !silently) {
            const bool tells =
                core_.options.done_events && row.superstate != 0 && is_awaited("done.state." + std::string(node(row.superstate)->done_id()));
            if (row.hooks.done_data.count && tells) {
                stage here(*this, s, c);
                call(core_.hooks[row.hooks.done_data.first + row.hooks.done_data.count - 1], here);
            } else {
                raise_done(s, {});
            }
        }
    } catch (...) {
        not_entered(s, built);
        throw;
    }
    if (!silently) just_entered_.insert(s);
    if (row.kind == state_kind::final) mark(row.superstate);
}

void interpreter::not_entered(index s, std::uint32_t built) noexcept {
    destroy_locals(s, built);
    finished_[s] = completion_due_[s] = released_[s] = false;
    std::erase(marks_, s);
    active_.erase(s);
}

/// Calls on_change of every active machine below which a state was exited or entered.
void interpreter::notify(index level, const occasion& c) {
    for (const auto s : active_) {
        const bool around = level != no_index && core_.contains(s, level);
        const bool entered = below(level, s) && is(state_kind::machine, s) && active_child(s) != no_index;
        if (!around && !entered) continue;
        stage here(*this, s, c);
        here.now.arrived = node(region_leaf(region_of(level)));
        for (const auto& h : of(core_.hooks, core_.states[s].hooks.change)) call(h, here);
    }
}

/// In the context of the source; locals are looked up from the innermost active state.
void interpreter::run_actions(const transition_row& t, index where, const occasion& c) {
    if (t.target == no_index && t.wants_local && !active(t.source)) return; // another transition of the step has exited it
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

bool interpreter::is_awaited(std::string_view name) const {
    return std::ranges::any_of(core_.transitions, [&](const transition_row& t) {
        const auto& key = t.spec->event;
        const auto matches = [&](const name_pattern& n) { return n.matches(name); };
        return key && key.type->is_name && (key.names.empty() ? key.name == name : std::ranges::any_of(key.names, matches));
    });
}

/// Raises the event if a transition waits for its name.
void interpreter::raise(const std::string& name, event_data data) {
    if (!is_awaited(name)) return;
    const refer_name event(name, std::move(data));
    if (enqueue(internal_, event) == result::full)
        throw queue_error({code::lost_event, core_.root->path(), "the event \"" + name + "\" cannot be raised: the internal queue is full",
                           "raise instance_options::internal_queue"});
}

/// As in SCXML's enterStates: for the machine, and for a parallel around it.
void interpreter::raise_done(index final, const event_data& data) {
    if (!core_.options.done_events) return;
    const auto machine = core_.states[final].superstate;
    const auto around = core_.states[machine].superstate;
    if (machine == 0) return;
    raise("done.state." + std::string(node(machine)->done_id()), data);
    if (is(state_kind::parallel, around) && in_final(around)) raise("done.state." + std::string(node(around)->done_id()), {});
}

bool interpreter::in_final(index s) const {
    if (is(state_kind::parallel, s)) return active(s) && std::ranges::all_of(regions_of(s), [&](index r) { return in_final(r); });
    const auto inner = active(s) ? active_child(s) : no_index;
    return is(state_kind::machine, s) && is(state_kind::final, inner);
}

/// A parallel is finished when all its regions are.
void interpreter::mark(index s) {
    if (finished_[s]) return;
    finished_[s] = completion_due_[s] = true;
    marks_.push_back(s);
    if (s == 0) return stop_waiting();
    const auto around = core_.states[s].superstate;
    if (!is(state_kind::parallel, around)) return;
    if (std::ranges::all_of(regions_of(around), [&](index r) { return finished_[r]; })) mark(around);
}

} // namespace hsm::detail
