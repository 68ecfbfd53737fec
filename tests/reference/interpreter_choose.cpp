// The candidates of a state. Selecting them changes nothing, except that held transitions wait for the rest of the tick.

#include <hsm/vm/detail/philox.hpp>
#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>
#include <cmath>

namespace hsm::detail {

/// Returns the active states: superstates first, or substates first, and in both orders region by region.
std::vector<index> interpreter::in_order_of_decision() const {
    std::vector<index> states(active_.begin(), active_.end());
    if (core_.options.order == decision_order::superstate_first) return states;
    std::ranges::sort(states, [&](index a, index b) { return below(a, b) ? false : below(b, a) ? true : a < b; });
    return states;
}

interpreter::occasion interpreter::occasion_of(const transition_row& t, reason why, const event_ref* event) const {
    const auto before = active_.empty() ? no_index : region_leaf(region_of(t.target == no_index ? t.source : level_of(t)));
    const auto* const known = event && !is_any_event(t.spec->event) ? &core_.event_refs[t.event] : event;
    return {{why, known, node(t.source), node(t.target), node(before), t.spec}, event ? event->object : nullptr};
}

/// A candidate holds if its source chooses it. While a list of transitions is tried, a state chooses once, unless another one has chosen meanwhile.
bool interpreter::holds(const transition_row& t, const occasion& c) {
    if (!t.is_candidate) return tests_hold(t, c);
    if (chooser_ != t.source) {
        chosen_ = t.rechoice ? choose_again(t, c) : choose(t.source, c, false);
        chooser_ = t.source;
    }
    return chosen_ == (t.rechoice ? &core_.transitions[t.candidate] : &t);
}

/// An active machine chooses when its period is due. Each of these choices by chance is a draw.
const transition_row* interpreter::choose_again(const transition_row& t, const occasion& c) {
    if (!due(t)) return nullptr;
    const auto* const chosen = choose(t.source, c, true);
    if (t.timer != no_timer) due_[t.timer] = period_[t.timer] > never - now_ ? never : now_ + period_[t.timer];
    if (chosen) count_draw(*chosen);
    return chosen;
}

/// Of the candidates whose tests hold and whose scores are positive numbers, those of the highest rank are offered. Lower ranks are not tested then.
const transition_row* interpreter::choose(index source, const occasion& c, bool again) {
    const bool branches = is(state_kind::choice, source);
    std::vector<std::pair<const transition_row*, double>> offers;
    for (const auto& t : of(core_.transitions, branches ? core_.states[source].polled : core_.states[source].choices)) {
        if (!t.is_candidate) continue;
        if (!offers.empty() && offers.front().first->priority > t.priority) break;
        if (t.cooldown != no_score && now_ < cool_until_[t.cooldown]) continue;
        if (!tests_hold(t, c)) continue;
        stage here(*this, source, c);
        auto score = score_of(t, here);
        const bool possible = std::isfinite(score) && score > 0;
        if (again && active(t.goal)) score += node(source)->chooses().stay_bonus;
        if (possible) offers.emplace_back(&t, score);
    }
    return offers.empty() ? nullptr : pick(source, offers);
}

const transition_row* interpreter::pick(index source, const std::vector<std::pair<const transition_row*, double>>& offers) const {
    const auto how = core_.states[source].choose;
    if (how == choosing::best) return std::ranges::max_element(offers, {}, [](const auto& o) { return o.second; })->first; // of equal ones the first
    const auto key = seed_ + source * std::uint64_t(0x9e37'79b9'7f4a'7c15);
    const auto word = [](std::uint64_t x, int i) { return static_cast<std::uint32_t>(x >> 32 * i); };
    const auto random = philox({word(draws_, 0), word(draws_, 1), word(stream_, 0), word(stream_, 1)}, {word(key, 0), word(key, 1)});
    if (how == choosing::random) return offers[static_cast<std::size_t>(std::uint64_t(random[1]) * offers.size() / (std::uint64_t(1) << 32))].first;
    double sum = 0, reached = 0;
    for (const auto& o : offers) sum += o.second;
    const double limit = std::ldexp(static_cast<double>((std::uint64_t(random[1]) << 32 | random[0]) / 2048), -53) * sum;
    for (const auto& o : offers)
        if (limit < (reached += o.second)) return o.first;
    return offers.back().first;
}

/// Counts choices by chance, when the chosen candidate fires.
void interpreter::count_draw(const transition_row& t) {
    const auto how = core_.states[t.source].choose;
    draws_ += t.is_candidate && !t.rechoice && (how == choosing::weighted || how == choosing::random);
}

/// Tests the states that it joins, those that exclude it, and its guards.
bool interpreter::tests_hold(const transition_row& t, const occasion& c) {
    if (!std::ranges::all_of(of(core_.targets, t.joined), [&](index s) { return active(s); })) return false;
    if (std::ranges::any_of(of(core_.targets, t.excluded), [&](index s) { return active(s); })) return false;
    stage here(*this, t.source, c);
    if (!agree(t, is_over(region_leaf(region_of(t.source))))) return false;
    return std::ranges::all_of(of(core_.guards, t.guards), [&](const auto& g) { return ask_caught(g, here); });
}

namespace {

/// A transition for several values compares the values itself: it has a row for each of their events, and the first row represents all.
bool waits_for(const transition_row& t, std::uint16_t event, const event_ref& ref) {
    const auto& key = t.spec->event;
    if (!key.names.empty()) return ref.type->is_name && std::ranges::any_of(key.names, [&](const auto& n) { return n.matches(ref.name); });
    if (key.values.empty()) return t.event == event && (!ref.type->is_name || ref.name == key.name);
    return same_type(*key.type, *ref.type) &&
           std::ranges::any_of(key.values, [&](const auto& i) { return i.first <= ref.value && ref.value <= i.last; });
}

} // namespace

/// Returns the first enabled transition: by priority, then by definition, then transitions for all other events. If `deferrals`, returns a deferral,
/// which comes after these.
const transition_row* interpreter::candidate(index source, std::uint16_t event, const event_ref& ref, bool& guarded, bool deferrals) {
    const auto all = of(core_.transitions, core_.states[source].events);
    for (const auto& t : all) {
        if (&*std::ranges::find(all, t.spec, &transition_row::spec) != &t) continue;
        if (!waits_for(t, event, ref) || t.defers != deferrals) continue;
        if (due(t) && holds(t, occasion_of(t, reason::event, &ref))) return &t;
        guarded = true;
    }
    return nullptr;
}

/// Returns the first enabled transition on any_event that no state holds: of the deepest state, of several the first.
const transition_row* interpreter::select_any_event(const event_ref& ref, bool& guarded) {
    const std::string_view error = core_.options.guard_error;
    const bool is_raised = (core_.options.done_events && ref.name.starts_with("done.state.")) || (!error.empty() && ref.name == error);
    if (ref.type->is_name && is_raised) return nullptr;
    std::vector<index> states(active_.begin(), active_.end());
    std::ranges::stable_sort(states, {}, [&](index s) { return -depth(s); });
    for (const auto s : states)
        for (const auto& t : of(core_.transitions, core_.states[s].events)) {
            if (!is_any_event(t.spec->event)) continue;
            guarded = true;
            if (due(t) && holds(t, occasion_of(t, reason::event, &ref)) && holder(t) == no_index) return &t;
        }
    return nullptr;
}

/// Tests its mark, its time and its guards.
bool interpreter::may_fire(const transition_row& t) {
    if (t.on_finished && (!finished_[t.source] || completion_due_[t.source])) return false;
    const bool may = (t.rechoice || due(t)) && holds(t, occasion_of(t, reason_of(t)));
    if (!may) no_longer_ask_for(t);
    return may;
}

/// Returns whether it leads from a superstate only to substates that are active.
bool interpreter::satisfied(const transition_row& t) {
    if (!t.any_state) return false;
    return std::ranges::all_of(core_.targets_of(t), [&](index target) { return below(t.source, target) && stands_for_active(target, level_of(t)); });
}

/// Returns whether a target is active; for a history state, all that it would lead to. If its machine would be exited, the active states count as the
/// record.
bool interpreter::stands_for_active(index target, index level) {
    if (!is(state_kind::history, target)) return active(target);
    const auto& row = core_.states[target];
    const auto machine = row.superstate;
    if (!active(machine)) return false;
    auto back = recorded_for(target, active_);
    if (below(level, machine) && !is_previous(target)) {
        back.clear();
        for (const auto leaf : leaf_states())
            if (core_.contains(machine, leaf) && core_.recorded(machine, leaf) != 0) back.push_back(machine);
    }
    if (!back.empty()) return std::ranges::all_of(back, [&](index s) { return active(s); });
    const auto all = [&](const transition_row& t) {
        return std::ranges::all_of(core_.targets_of(t), [&](index s) { return stands_for_active(s, level); });
    };
    for (const auto& t : of(core_.transitions, row.initial)) return all(t);
    if (is(state_kind::parallel, machine)) return true;
    if (const auto* t = prospective_choice(machine)) return all(*t);
    return core_.states[machine].choices.count ? rests(machine) : active(core_.states[machine].first);
}

/// Returns the entry choice that it would make now; null: its first substate, or rest.
const transition_row* interpreter::prospective_choice(index machine) {
    const auto& row = core_.states[machine];
    const transition_row* found = nullptr;
    chooser_ = no_index;
    for (const auto& t : of(core_.transitions, row.choices))
        if (!found && holds(t, occasion_of(t, reason::entry))) found = &t;
    chooser_ = no_index; // a rechoice is another choice
    for (const auto& t : of(core_.transitions, row.initial))
        if (!found) found = &t;
    return found;
}

/// Returns the polled transitions with a target. With `always`, also those without one, in the order of priority and definition.
interpreter::rows interpreter::polled_of(index source, asked as) const {
    rows candidates;
    for (const auto& t : of(core_.transitions, core_.states[source].polled))
        if (as != asked::always || t.always) candidates.push_back(&t);
    if (as != asked::always) return candidates;
    for (const auto& t : of(core_.transitions, core_.states[source].reactions))
        if (t.always) candidates.push_back(&t);
    const auto& defined = node(source)->transitions();
    const auto place = [&](const transition_row* t) {
        return std::ranges::find_if(defined, [&](const auto& spec) { return spec.get() == t->spec; }) - defined.begin();
    };
    std::ranges::sort(candidates,
                      [&](const auto* a, const auto* b) { return a->priority != b->priority ? a->priority > b->priority : place(a) < place(b); });
    return candidates;
}

/// Returns the first enabled polled transition of a source.
const transition_row* interpreter::select_polled(index source, asked as, std::set<index>& held_at) {
    return select_among(polled_of(source, as), held_at);
}

/// A transition to an active substate is satisfied: it does not fire, and blocks the later ones of its source and level. A held transition blocks
/// later ones of its level in the whole list, except forced ones.
const transition_row* interpreter::select_among(const rows& candidates, std::set<index>& held_at) {
    std::set<std::pair<index, index>> satisfied_at;
    chooser_ = no_index;
    for (const auto* t : candidates) {
        const auto level = level_of(*t);
        if (satisfied_at.contains({t->source, level})) continue;
        if (t->target != no_index && held_at.contains(level) && !t->force) continue;
        if (!may_fire(*t)) continue;
        if (t->target == no_index) return t;
        if (satisfied(*t)) {
            satisfied_at.insert({t->source, level});
            continue;
        }
        const auto held_by = holder(*t);
        if (held_by == no_index) return t;
        wait(*t, held_by);
        held_at.insert(level);
    }
    return nullptr;
}

/// Sorts the polled transitions of all states: outermost level first, then outermost source, then by priority, then in document order.
interpreter::rows interpreter::in_order_of_polling(std::optional<index> level, asked as) const {
    rows candidates;
    for (const auto s : active_)
        for (const auto* t : polled_of(s, as))
            if (!level || level_of(*t) == *level) candidates.push_back(t);
    const auto outermost = [&](const transition_row& t) { return depth(t.target == no_index ? t.source : level_of(t)); };
    std::ranges::stable_sort(candidates, [&](const auto* a, const auto* b) {
        if (outermost(*a) != outermost(*b)) return outermost(*a) < outermost(*b);
        return depth(a->source) != depth(b->source) ? depth(a->source) < depth(b->source) : a->priority > b->priority;
    });
    return candidates;
}

const transition_row* interpreter::select_at_level(index level) {
    std::set<index> held_at;
    return select_among(in_order_of_polling(level, asked::polled), held_at);
}

/// Returns the oldest mark that no other marked state contains or, with the substate first, that contains none.
index interpreter::next_completion() const {
    const bool outermost_first = core_.options.order == decision_order::superstate_first;
    for (const auto s : marks_) {
        if (!completion_due_[s]) continue;
        const auto hides = [&](index other) { return completion_due_[other] && (outermost_first ? below(other, s) : below(s, other)); };
        if (std::ranges::none_of(marks_, hides)) return s;
    }
    return no_index;
}

/// Each mark is tried once.
const transition_row* interpreter::take_completion() {
    for (auto s = next_completion(); s != no_index; s = next_completion()) {
        completion_due_[s] = false;
        std::erase(marks_, s);
        std::set<index> held_at;
        for (const auto& t : of(core_.transitions, core_.states[s].polled)) {
            if (!t.on_finished || (held_at.contains(level_of(t)) && !t.force)) continue;
            if (!may_fire(t)) continue;
            const auto held_by = holder(t);
            if (held_by == no_index) return &t;
            wait(t, held_by);
            held_at.insert(level_of(t));
        }
    }
    return nullptr;
}

} // namespace hsm::detail
