// Which transition a state has to offer: one that is polled, always tried, or tried because the state is over.

#include <hsm/compile/block.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/compile/satisfied.hpp>
#include <hsm/run/engine_parts.hpp>

#include <algorithm>
#include <utility>

namespace hsm {

bool engine::enabled(const transition_row& t) {
    return t.guard_program == 0 || run(core().at(t.guard_program), *this) == static_cast<std::uintptr_t>(result::taken);
}

/// Does a state hold what would fire? Then it waits, if that is possible.
bool engine::must_wait(const transition_row& t) {
    if (!core().has_holds || t.force) return false;
    const auto holder = holder_of(*this, core(), t.level, t.target);
    const bool waits = holder != no_index && holding_of(*this, core()).ticking; // nothing would try it again after another call
    if (waits) wait(*this, core(), core().number_of(&t) - 1, holder);
    return holder != no_index;
}

namespace {
/// At most two levels: of a source's transitions to own substates, its own and, for external ones, that above it.
class satisfied_levels {
public:
    bool operator[](index level) const { return level == levels_[0] || level == levels_[1]; }
    void add(index level) { levels_[levels_[0] == nothing ? 0 : 1] = level; }

private:
    static constexpr index nothing = 0xfffe;
    index levels_[2] = {nothing, nothing};
};

/// Levels at which a transition of the list that is being tried has to wait.
mark_bits blocked_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.blocked); }
} // namespace

/// Another list of transitions is tried, from one source or several: nothing of it waits yet.
void engine::begin_list() {
    if (core().has_holds) blocked_of(*this, core()).clear_all(slot_count(core()));
}

/// Does an earlier one of the list wait at its level?
bool engine::is_blocked(const transition_row& t) const {
    return core().has_holds && !t.force && blocked_of(*this, core())[static_cast<index>(slot_of(core(), level_now(t)))];
}

/// As must_wait; then it blocks the later ones of its level.
bool engine::is_held(const transition_row& t) {
    if (!must_wait(t)) return false;
    blocked_of(*this, core()).set(static_cast<index>(slot_of(core(), level_now(t))));
    return true;
}

/// The first of a state's polled transitions that is enabled; a satisfied one bars the later ones of its source and level, one that
/// has to wait those of its level, unless they are forced.
const transition_row* engine::choose_polled(index source, bool always_only) {
    const auto& span = core().states[source].polled;
    satisfied_levels satisfied;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core().transitions[i];
        if (always_only && !t.always) continue;
        if (satisfied[t.level] || is_blocked(t)) continue;
        if (t.on_finished && (!is_marked_over(*this, core(), source) || due_of(*this, core())[source])) continue;
        if (!enabled(t)) continue;
        if (t.any_state && is_satisfied(*this, core(), t))
            satisfied.add(t.level);
        else if (!is_held(t))
            return &t;
    }
    return nullptr;
}

/// Among the transient states that were entered, and have not been left.
const transition_row* engine::choose_transient() {
    const transition_row* chosen = nullptr;
    begin_list();
    deciders([&](index s) {
        if (core().states[s].transient && fresh_of(*this, core())[s]) chosen = choose_polled(s, false);
        return chosen != nullptr;
    });
    return chosen;
}

/// With the superstate first they are in the order of polled ones: by level, then by source.
const transition_row* engine::choose_always() {
    begin_list();
    if (core().driven) return choose_always_of_all();
    const transition_row* chosen = nullptr;
    if (core().options.order == decision_order::substate_first) {
        deciders([&](index s) { return core().states[s].always && (chosen = choose_polled(s, true)) != nullptr; });
        return chosen;
    }
    bool any = false;
    for (auto s = leaf; s != no_index && !any; s = core().states[s].superstate) any = core().states[s].always;
    if (!any) return nullptr;
    const auto choose_at = [&](index level) {
        if (!chosen) flatten::entries(core().states, level == no_index ? no_index : core().states[level].superstate, leaf, [&](index s) {
            if (!chosen && core().states[s].always) chosen = choose_always_at(level, s);
        });
    };
    choose_at(no_index);
    flatten::entries(core().states, no_index, leaf, choose_at);
    return chosen;
}

const transition_row* engine::choose_always_at(index level, index source) {
    const auto& span = core().states[source].polled;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core().transitions[i];
        if (!t.always || t.level != level || is_blocked(t) || !enabled(t)) continue;
        if (t.any_state && is_satisfied(*this, core(), t)) return nullptr;
        if (!is_held(t)) return &t;
    }
    return nullptr;
}

/// From wherever they start, in whatever region.
const transition_row* engine::choose_always_of_all() {
    mark_bits satisfied(block + core().layout.barred); // by source, at the depth of level that is being tried
    int depth = -2;
    for (const auto number : core().always) {
        const auto& t = core().transitions[number];
        if (!is_active(*this, core(), t.source)) continue;
        const int deep = t.level == no_index ? -1 : core().states[t.level].depth;
        if (std::exchange(depth, deep) != deep) satisfied.clear_all(core().states.size());
        if (satisfied[t.source] || is_blocked(t) || !enabled(t)) continue;
        if (t.any_state && is_satisfied(*this, core(), t))
            satisfied.set(t.source);
        else if (!is_held(t))
            return &t;
    }
    return nullptr;
}

/// The state whose completion is tried next: the oldest mark that no other one contains, or, with the substate first, that contains none.
index engine::next_due() const {
    auto next = no_index;
    if (!core().driven) { // all are on one path
        deciders([&](index s) {
            if (s != 0 && core().states[s].marked && due_of(*this, core())[s]) next = s;
            return next != no_index;
        });
        return next;
    }
    const auto& list = due_list_of(*this, core());
    const bool outer_first = core().options.order == decision_order::superstate_first;
    const auto* const end = list.states + list.count;
    const auto* const found = std::find_if(list.states, end, [&](index s) {
        return std::none_of(list.states, end, [&](index other) { return other != s && (outer_first ? core().contains(other, s) : core().contains(s, other)); });
    });
    return found == end ? no_index : *found;
}

/// Of the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* engine::take_completion() {
    if (!core().has_marks) return nullptr;
    for (auto s = next_due(); s != no_index; s = next_due()) {
        clear_due(*this, core(), s);
        begin_list();
        const auto& span = core().states[s].polled;
        for (auto i = span.first; i < span.first + span.count; ++i)
            if (const auto& t = core().transitions[i]; t.on_finished && !is_blocked(t) && enabled(t) && !is_held(t)) return &t;
    }
    return nullptr;
}

} // namespace hsm
