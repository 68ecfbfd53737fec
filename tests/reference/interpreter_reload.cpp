// The state of a machine in another chart: chapter "Reload" of docs/reference/semantics.md.

#include <tests/reference/interpreter.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Numbers the equal ones among the timers of a state: their kind, and the target of their transition.
struct mapped_timer {
    int kind;
    int target; ///< -1: none; -2: no longer exists
    int count;
    bool operator==(const mapped_timer&) const = default;
};

template <class Place> std::vector<mapped_timer> timers_of(const chart_core& core, index s, const Place& place) {
    std::vector<mapped_timer> keys;
    const auto& span = core.states[s].timers;
    for (auto timer = span.first; timer < span.first + span.count; ++timer) {
        mapped_timer key{timer == core.states[s].least ? 2 : core.timers[timer].periodic ? 1 : 0, -1, 0};
        for (const auto& t : core.transitions)
            if (t.timer == timer) {
                if (t.target != no_index) key.target = place(t.target);
                break;
            }
        key.count = static_cast<int>(std::ranges::count_if(keys, [&](const auto& k) { return k.kind == key.kind && k.target == key.target; }));
        keys.push_back(key);
    }
    return keys;
}

} // namespace

bool interpreter::has_waiting() const {
    return std::ranges::any_of(waiting_, [](const auto& w) { return w.row != nullptr; }) ||
           std::ranges::any_of(pending_, [](const auto& p) { return p.has_value(); });
}

/// `place` contains for each state of the other chart its state here; no_index if there is none.
void interpreter::come_from(interpreter& from, const std::vector<index>& place) {
    const auto& before = from.core_;
    now_ = from.now_;
    initialized_ = from.initialized_;
    paused_ = from.paused_;
    time_scale_ = from.time_scale_;
    bits_ = from.bits_;
    pulses_ = from.pulses_;
    if (core_.has_chance) draws_ = before.has_chance ? from.draws_ : 0;
    for (std::size_t i = 0; i < before.cooldowns.size(); ++i)
        if (const auto* const t = counterpart(before, before.transitions[before.cooldowns[i].transition], place))
            for (std::size_t j = 0; j < core_.cooldowns.size(); ++j)
                if (&core_.transitions[core_.cooldowns[j].transition] == t) cool_until_[j] = from.cool_until_[i];

    for (const auto leaf : from.leaf_states()) {
        if (before.states[leaf].kind == state_kind::parallel) continue;
        auto s = leaf;
        while (place[s] == no_index) s = before.states[s].superstate;
        const auto path = path_to(place[s]);
        const bool excluded = std::ranges::any_of(path, [&](index x) {
            const auto outer = core_.states[x].superstate;
            return outer != no_index && is(state_kind::machine, outer) && active(outer) && !active(x) && active_child(outer) != no_index;
        });
        if (!excluded) active_.insert(path.begin(), path.end());
    }
    for (index s = 1; s < core_.states.size(); ++s)
        if (const auto outer = core_.states[s].superstate;
            is(state_kind::parallel, outer) && active(outer) && core_.states[s].kind != state_kind::history)
            active_.insert(s);

    for (const auto s : active_) {
        entered_at_[s] = now_;
        ++activation_[s];
        const auto origin = std::ranges::find_if(from.active_, [&](index x) { return place[x] == s; });
        const index old = origin == from.active_.end() ? no_index : *origin;
        begin_from(from, old, s, place);
        if (old == no_index) continue;
        entered_at_[s] = from.entered_at_[old];
        released_[s] = core_.states[s].holds && from.released_[old];
        const bool counts = s == 0 || (core_.states[s].marked && before.states[old].marked);
        finished_[s] = counts && from.finished_[old];
        completion_due_[s] = counts && from.completion_due_[old];
        if (const auto* const by = from.entered_by_[old]) entered_by_[s] = counterpart(before, *by, place);
    }
    for (const auto m : from.marks_)
        if (place[m] != no_index && finished_[place[m]]) marks_.push_back(place[m]);
    for (const auto owner : before.history_owners) take_record(from, owner, place);
    take_queue(internal_, from.internal_, before, place);
    take_queue(posted_, from.posted_, before, place);
    for (const auto& d : from.deferred_)
        if (const auto number = number_of(before.events[d.number]); number != no_index && core_.has_defers)
            deferred_.push_back({number, std::make_shared<const event_copy>(core_.event_refs[number], d.event->ref())});
}

/// Starts the timers and locals of an active state, with the values of the old state.
void interpreter::begin_from(interpreter& from, index old, index s, const std::vector<index>& place) {
    const auto& row = core_.states[s];
    const auto keys = timers_of(core_, s, [](index target) { return static_cast<int>(target); });
    const auto old_keys =
        old == no_index ? std::vector<mapped_timer>()
                        : timers_of(from.core_, old, [&](index target) { return place[target] == no_index ? -2 : static_cast<int>(place[target]); });
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto timer = row.timers.first + i;
        const auto& t = core_.timers[timer];
        const auto length = t.find.call ? never : std::max<std::int64_t>(t.fixed, t.periodic ? 1 : 0);
        due_[timer] = length == never ? never : now_ + length;
        period_[timer] = length;
        const auto found = std::ranges::find(old_keys, keys[i]);
        if (found == old_keys.end()) continue;
        const auto old_timer = from.core_.states[old].timers.first + static_cast<std::size_t>(found - old_keys.begin());
        due_[timer] = from.due_[old_timer];
        period_[timer] = from.period_[old_timer];
    }
    for (const auto& local : of(core_.locals, row.locals)) {
        const void* value = local.prototype->object();
        if (old != no_index)
            for (const auto& other : of(from.core_.locals, from.core_.states[old].locals))
                if (same_type(*other.type, *local.type)) value = from.block_.data() + other.offset;
        local.prototype->type().copy(block_.data() + local.offset, value);
    }
}

/// The transition here with the same source, targets and event; null if there is none.
const transition_row* interpreter::counterpart(const chart_core& before, const transition_row& old, const std::vector<index>& place) const {
    const auto is_like = [&](const transition_row& a, const transition_row& b) {
        return a.source == b.source && a.event == b.event && a.on_finished == b.on_finished && (a.target == no_index) == (b.target == no_index) &&
               (a.target == no_index || std::ranges::equal(before.targets_of(a), before.targets_of(b)));
    };
    auto skipped = std::count_if(before.transitions.data(), &old, [&](const transition_row& t) { return is_like(t, old); });
    for (const auto& t : core_.transitions) {
        const auto same_target = [&](index a, index b) { return place[a] == b; };
        if (t.source != place[old.source] || t.on_finished != old.on_finished || (t.target == no_index) != (old.target == no_index)) continue;
        if (t.target != no_index && !std::ranges::equal(before.targets_of(old), core_.targets_of(t), same_target)) continue;
        if ((t.event == no_index) != (old.event == no_index) || (t.event != no_index && !(core_.events[t.event] == before.events[old.event])))
            continue;
        if (skipped-- == 0) return &t;
    }
    return nullptr;
}

/// Keeps a record if all states in it exist, and can be recorded together.
void interpreter::take_record(const interpreter& from, index owner, const std::vector<index>& place) {
    const auto s = place[owner];
    if (s == no_index || std::ranges::find(core_.history_owners, s) == core_.history_owners.end()) return;
    auto old = from.record_[owner];
    if (is_previous(s) && old.size() > 2) old.erase(old.begin(), old.end() - 2);
    std::vector<index> made;
    for (const auto x : old) made.push_back(place[x]);
    if (std::ranges::count(made, no_index) > 0 || is_previous(s) != from.is_previous(owner)) return;
    if (is_previous(s)) {
        for (const auto x : made)
            if (core_.states[x].superstate != core_.states[s].superstate || !core_.counts_as_previous(x)) return;
    } else {
        std::set<index> closed;
        for (const auto x : made) {
            if (!core_.contains(s, x) || (x == s && !is(state_kind::parallel, s)) || core_.recorded(s, x) != x) return;
            for (auto up = x; up != s; up = core_.states[up].superstate) closed.insert(up);
        }
        closed.insert(s);
        for (const auto x : closed) {
            const auto inside = std::ranges::count_if(closed, [&](index y) { return core_.states[y].superstate == x; });
            if (is(state_kind::machine, x) && inside > 1) return;
            if (is(state_kind::parallel, x) && inside != static_cast<std::ptrdiff_t>(regions_of(x).size())) return;
        }
        std::ranges::sort(made);
    }
    record_[s] = made;
}

/// The event of the remaining values (`otherwise`) has other values here.
std::uint16_t interpreter::number_of(const event_key& key) const {
    for (std::uint16_t e = 0; e < core_.events.size(); ++e) {
        const auto& other = core_.events[e];
        const bool is_rest = !key.values.empty() && !other.values.empty() && key.name == other.name && same_tag(key.type, other.type);
        if (other == key || is_rest) return e;
    }
    return no_index;
}

void interpreter::take_queue(event_queue& queue, const event_queue& old, const chart_core& before, const std::vector<index>& place) {
    old.each_with_payload([&](const queued_entry& e, const void* payload) {
        if (e.is_request()) {
            if (place[e.target] != no_index) queue.push_request(place[e.target], e.force);
            return;
        }
        const auto number = number_of(before.events[before.column_events[e.column]]);
        if (number == no_index) return;
        const auto& known = core_.event_refs[number];
        const auto value = known.type->value && e.has_payload ? known.type->value(payload) : known.value;
        const auto column = core_.column_for({known.type, value, known.name, nullptr, nullptr});
        if (column == 0) return;
        if (e.has_payload) known.type->store(queue.next_payload(), payload);
        queue.push_entry({column, no_index, e.has_payload, false});
    });
}

} // namespace hsm::detail
