// Which transition: nothing here changes anything.

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
    return {{why, event ? &core_.events[t.event] : nullptr, node(t.source), node(t.target), node(leaf_)},
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
            if (holds(t, occasion_of(t, reason::event, &ref))) return &t;
            guarded = true;
        }
    return nullptr;
}

/// The first of a source's polled transitions that is enabled; of one level only, if one is given.
///
/// A transition to an own substate that is active is satisfied: it does not fire, and bars the later ones of its level.
const transition_row* interpreter::choose_polled(index source, const index* level) {
    std::vector<index> satisfied;
    for (const auto& t : of(core_.transitions, core_.states[source].polled)) {
        if (level && t.level != *level) continue;
        if (std::ranges::find(satisfied, t.level) != satisfied.end()) continue;
        if (t.on_finished && (!finished_[source] || completion_due_[source])) continue;
        if (!holds(t, occasion_of(t, reason::poll))) continue;
        if (!t.any_state || !active(t.target)) return &t;
        satisfied.push_back(t.level);
    }
    return nullptr;
}

/// From wherever on the active path they start, the outermost source first.
const transition_row* interpreter::choose_at_level(index level) {
    for (const auto s : deciders())
        if (depth(s) >= depth(level))
            if (const auto* t = choose_polled(s, &level)) return t;
    return nullptr;
}

const transition_row* interpreter::choose_innermost() {
    for (const auto s : deciders())
        if (const auto* t = choose_polled(s, nullptr)) return t;
    return nullptr;
}

/// Among the transient states that the last transition entered.
const transition_row* interpreter::choose_transient() {
    for (const auto s : deciders())
        if (core_.states[s].transient && depth(s) > depth(fresh_level_))
            if (const auto* t = choose_polled(s, nullptr)) return t;
    return nullptr;
}

/// Where a machine goes that has just been entered, or is at rest. Target no_index: it rests.
interpreter::entry_choice_of interpreter::choose_entry(index machine, const occasion& c) {
    const auto& row = core_.states[machine];
    for (const auto& t : of(core_.transitions, row.choices))
        if (holds(t, c)) return {&t, t.target};
    for (const auto& t : of(core_.transitions, row.initial)) return {&t, t.target};
    return {nullptr, row.choices.count ? no_index : static_cast<index>(machine + 1)};
}

} // namespace hsm
