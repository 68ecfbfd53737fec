// Which transition. Nothing is changed by asking, but that what is held waits for the rest of the tick.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm {

/// The active states in the order in which they decide.
std::vector<index> interpreter::deciders() const {
    std::vector<index> path;
    for (auto s = leaf_; s != no_index; s = core_.states[s].superstate) path.push_back(s);
    if (core_.options.order == decision_order::superstate_first) std::ranges::reverse(path);
    return path;
}

interpreter::occasion interpreter::occasion_of(const transition_row& t, reason why, const event_ref* event) const {
    return {{why, event ? &core_.event_refs[t.event] : nullptr, node(t.source), node(t.target), node(leaf_), t.spec},
            event ? event->object : nullptr};
}

bool interpreter::holds(const transition_row& t, const occasion& c) {
    stage here(*this, t.source, c);
    return std::ranges::all_of(of(core_.guards, t.guards), [&](const auto& g) { return ask(g, here); });
}

/// By source in the order of decision, then priority, then definition.
const transition_row* interpreter::choose_event(std::uint16_t event, const event_ref& ref, bool& guarded) {
    for (const auto s : deciders())
        for (const auto& t : of(core_.transitions, core_.states[s].events)) {
            if (t.event != event) continue;
            if (due(t) && holds(t, occasion_of(t, reason::event, &ref))) return &t;
            guarded = true;
        }
    return nullptr;
}

/// Its mark, its time, its guards.
bool interpreter::may_fire(const transition_row& t) {
    if (t.on_finished && (!finished_[t.source] || completion_due_[t.source])) return false;
    return due(t) && holds(t, occasion_of(t, reason_of(t)));
}

/// The first of a source's polled transitions that is enabled; of one level only, if one is given.
///
/// A transition to an own substate that is active is satisfied: it does not fire, and bars the later ones of its level.
/// One that is held bars them, too, and if all are polled those of other sources as well, but for what is forced.
const transition_row* interpreter::choose_polled(index source, asked as, const index* level) {
    std::vector<index> satisfied_at, held_at;
    const auto has = [](const std::vector<index>& levels, index l) {
        return std::ranges::find(levels, l) != levels.end();
    };
    for (const auto& t : of(core_.transitions, core_.states[source].polled)) {
        if (level && t.level != *level) continue;
        if (as == asked::always && !t.always) continue;
        if (has(satisfied_at, t.level)) continue;
        const bool waits = has(held_at, t.level) || (as == asked::polled && waiting_at(t.level).row);
        if (waits && !t.force) continue;
        if (!may_fire(t)) continue;
        if (satisfied(t)) {
            satisfied_at.push_back(t.level);
            continue;
        }
        const auto held_by = holder(t);
        if (held_by == no_index) return &t;
        wait(t, held_by);
        held_at.push_back(t.level);
    }
    return nullptr;
}

/// From wherever on the active path they start, the outermost source first.
const transition_row* interpreter::choose_at_level(index level) {
    for (const auto s : deciders())
        if (depth(s) >= depth(level))
            if (const auto* t = choose_polled(s, asked::polled, &level)) return t;
    return nullptr;
}

const transition_row* interpreter::choose_innermost() {
    for (const auto s : deciders())
        if (const auto* t = choose_polled(s, asked::polled)) return t;
    return nullptr;
}

/// Among the transient states that the last transition entered.
const transition_row* interpreter::choose_transient() {
    for (const auto s : deciders())
        if (core_.states[s].transient && depth(s) > depth(fresh_level_))
            if (const auto* t = choose_polled(s, asked::transient)) return t;
    return nullptr;
}

/// Of what is tried after every transition.
const transition_row* interpreter::choose_always() {
    for (const auto s : deciders())
        if (const auto* t = choose_polled(s, asked::always)) return t;
    return nullptr;
}

/// Among the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* interpreter::take_completion() {
    for (const auto s : deciders()) {
        if (!completion_due_[s]) continue;
        completion_due_[s] = false;
        std::vector<index> held_at;
        for (const auto& t : of(core_.transitions, core_.states[s].polled)) {
            const bool waits = std::ranges::find(held_at, t.level) != held_at.end();
            if (!t.on_finished || (waits && !t.force)) continue;
            if (!may_fire(t)) continue;
            const auto held_by = holder(t);
            if (held_by == no_index) return &t;
            wait(t, held_by);
            held_at.push_back(t.level);
        }
    }
    return nullptr;
}

} // namespace hsm
