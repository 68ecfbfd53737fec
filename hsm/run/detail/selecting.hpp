/// The code of selection, as templates of a probe. The ordinary run has an empty probe; explanations have one that collects what was tested and why
/// (observe/detail/candidates.hpp). Both therefore test the same transitions in the same order.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/conflict.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace hsm::detail {

/// The result of testing one transition.
enum class verdict : std::uint8_t { refused, satisfied, waits, chosen };

/// The probe of the ordinary run. Its functions add nothing to the tests of selection.
struct run_probe {
    /// Whether the transitions after a chosen one are visited, too. They are not chosen.
    static constexpr bool lists_all = false;

    /// Returns the probe for transitions that `chosen` precedes.
    run_probe after(const transition_row&) const { return {}; }

    // One transition: begins, tests, ends. A test gets its result, and returns whether the transition is not tested further.
    static bool begins(const transition_row&) { return true; }
    static bool is_barred(bool barred) { return barred; }
    static bool is_blocked(bool blocked) { return blocked; }
    static bool is_unfinished(bool unfinished) { return unfinished; }
    static bool refuses(machine& m, const chart_core& core, const transition_row& t) { return !is_enabled(m, core, t); }
    static bool is_satisfied(bool satisfied) { return satisfied; }
    static bool must_wait(machine& m, const chart_core& core, const transition_row& t) { return detail::must_wait(m, core, t); }
    static verdict ends(verdict v) { return v; }

    // The memory of a list.
    static mark_bits blocked(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.blocked); }
    static mark_bits barred(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.barred); }
    static bool has_waiting(const machine& m, const chart_core& core, std::size_t slot) { return waiting_at(m, core, slot).transition != 0; }

    // Several regions.
    /// Called when all regions that can decide were tried. `ask(leaf, probe)` visits the transitions of another region.
    template <class Ask> static void visit_others(const chart_core&, selection&, mark_bits, const Ask&) {}
    static void yields(const enabled_transition&, const enabled_transition&) {}
    static void loses(const enabled_transition&, const enabled_transition&) {}
    static bool is_free(machine& m, const chart_core& core, const enabled_transition& e) { return holder_of(m, core, e) == no_index; }
    static void cannot_pend(const enabled_transition&) {}
};

// One transition.

/// Returns whether the options of a transition permit it: its guards, conditions and states, and its delay.
template <class Probe> HSM_ALWAYS_INLINE inline bool test_options(machine& m, const chart_core& core, const transition_row& t, Probe probe) {
    return probe.begins(t) && probe.ends(probe.refuses(m, core, t) ? verdict::refused : verdict::chosen) == verdict::chosen;
}

/// Tests a polled transition. `bars` has the results for earlier transitions of the list.
template <class Bars, class Probe>
HSM_ALWAYS_INLINE inline verdict test_polled(machine& m, const chart_core& core, const transition_row& t, const Bars& bars, Probe probe) {
    if (!probe.begins(t)) return verdict::refused;
    if (probe.is_barred(bars.has_satisfied(t)) || probe.is_blocked(bars.has_waiting(t)) || probe.is_unfinished(bars.is_unfinished(t)) ||
        probe.refuses(m, core, t))
        return probe.ends(verdict::refused);
    if (probe.is_satisfied(t.any_state && is_satisfied(m, core, t))) return probe.ends(verdict::satisfied);
    return probe.ends(probe.must_wait(m, core, t) ? verdict::waits : verdict::chosen);
}

/// Returns the first transition of a list that can fire, or null. A satisfied one bars the later ones of its source and level; one that waits blocks
/// those of its level that are not forced.
template <class Numbers, class Bars, class Probe>
HSM_ALWAYS_INLINE inline const transition_row* select_first(machine& m, const chart_core& core, const Numbers& numbers, Bars& bars, Probe probe) {
    const transition_row* chosen = nullptr;
    choose_again(m, core);
    for (const auto number : numbers) {
        const auto& t = core.transitions[number];
        if (!bars.visits(t)) continue;
        const auto v = test_polled(m, core, t, bars, probe);
        if (v == verdict::satisfied) bars.note_satisfied(t);
        if (v == verdict::waits) bars.note_waiting(t);
        if (v != verdict::chosen) continue;
        chosen = &t;
        if (!Probe::lists_all) break;
        probe = probe.after(t);
    }
    return chosen;
}

/// Begins a list of transitions, of one source or several, in which none waits.
template <class Probe> void begin_list(const machine& m, const chart_core& core, Probe probe) {
    if (core.has_holds) probe.blocked(m, core).clear_all(slot_count(core));
}

/// The levels of a source at which a transition is satisfied: at most its own and, for external transitions, the one above.
class satisfied_levels {
public:
    bool operator[](index level) const { return level == levels_[0] || level == levels_[1]; }
    void add(index level) { levels_[levels_[0] == nothing ? 0 : 1] = level; }

private:
    static constexpr index nothing = 0xfffe;
    index levels_[2] = {nothing, nothing};
};

/// The results for the transitions of a list.
template <class Probe> struct list_bars {
    const machine& m;
    const chart_core& core;
    const Probe& probe;

    index slot(const transition_row& t) const { return static_cast<index>(slot_of(core, level_now(m, core, t))); }
    bool has_waiting(const transition_row& t) const { return core.has_holds && !t.force && t.target != no_index && probe.blocked(m, core)[slot(t)]; }
    void note_waiting(const transition_row& t) { probe.blocked(m, core).set(slot(t)); }
    bool is_unfinished(const transition_row& t) const { return t.on_finished && (!is_marked_over(m, core, t.source) || due_of(m, core)[t.source]); }
};

/// The same for one source.
template <class Probe, class Visits> struct source_bars : list_bars<Probe> {
    Visits visits;
    satisfied_levels satisfied = {};

    bool has_satisfied(const transition_row& t) const { return satisfied[t.level]; }
    void note_satisfied(const transition_row& t) { satisfied.add(t.level); }
};

/// The numbers from first to last, excluding last. (clang 14 does not compile std::views::iota here.)
struct consecutive {
    std::uint32_t first;
    std::uint32_t last;
    struct iterator {
        std::uint32_t number;
        std::uint32_t operator*() const { return number; }
        iterator& operator++() { return ++number, *this; }
        bool operator==(const iterator&) const = default;
    };
    iterator begin() const { return {first}; }
    iterator end() const { return {last}; }
};

/// Selects one of the polled transitions of a state that `visits` accepts.
template <class Visits, class Probe>
const transition_row* select_polled(machine& m, const chart_core& core, index source, Visits visits, Probe probe) {
    const auto& span = core.states[source].polled;
    source_bars<Probe, Visits> bars{{m, core, probe}, visits};
    return select_first(m, core, consecutive{span.first, span.first + span.count}, bars, probe);
}

/// Inlined, because most states have no such transition.
template <class Probe>
HSM_ALWAYS_INLINE inline const transition_row* select_from(machine& m, const chart_core& core, index s, selection::kind_of kind, Probe probe) {
    const auto& source = core.states[s];
    if (kind == selection::transient && !(source.transient && just_entered_of(m, core)[s])) return nullptr;
    const auto any = [](const transition_row&) { return true; };
    if (kind != selection::always) return select_polled(m, core, s, any, probe);
    if (source.always.count == 0) return nullptr;
    source_bars<Probe, decltype(any)> bars{{m, core, probe}, any};
    return select_first(m, core, std::span(core.own_always.data() + source.always.first, source.always.count), bars, probe);
}

// The transitions of a region.

/// Returns the first transition that the event enables. Driven regions have one list of them, charts by parts have one for each state; for other
/// charts only queries call this.
template <class Probe> const transition_row* select_for_event(machine& m, const chart_core& core, index leaf, selection& w, Probe probe) {
    const transition_row* chosen = nullptr;
    const auto try_one = [&](std::uint32_t number) {
        const auto& t = core.transitions[number];
        if (t.event != w.event_number) return false;
        w.known = true;
        if (!test_options(m, core, t, probe)) return false;
        chosen = &t;
        probe = probe.after(t);
        return !Probe::lists_all;
    };
    const auto unless_chosen = [&](std::uint32_t number) { (!Probe::lists_all && chosen) || try_one(number); };
    if (core.by_parts) {
        const auto column = core.event_columns[w.event_number];
        const auto above = core.states[core.regions[core.states[leaf].region]].superstate;
        flatten::candidates(
            core.states, above, leaf, core.options.order, [&](index s) { return core.lists[core.program_for(s, column)]; },
            [&](std::uint32_t i) { return core.transitions[core.candidates[i]].defers; },
            [&](std::uint32_t i) { unless_chosen(core.candidates[i]); });
    } else if (core.by_regions) {
        const auto& list = core.lists[core.list_for(leaf, core.event_columns[w.event_number])];
        for (auto i = list.first; i < list.first + list.count && !try_one(core.candidates[i]); ++i) {
        }
    } else {
        flatten::candidates(
            core.states, no_index, leaf, core.options.order, [&](index s) { return core.states[s].events; },
            [&](std::uint32_t t) { return core.transitions[t].defers; }, unless_chosen);
    }
    return chosen;
}

/// Returns the first enabled polled transition of a region, in the order of decision.
template <class Probe> const transition_row* select_polled_in(machine& m, const chart_core& core, index leaf, selection::kind_of kind, Probe probe) {
    const auto outermost = core.regions[core.states[leaf].region];
    const transition_row* chosen = nullptr;
    if (core.options.order == decision_order::substate_first) {
        for (auto s = leaf;; s = core.states[s].superstate) {
            if (const auto* t = select_from(m, core, s, kind, probe)) {
                if (!Probe::lists_all) return t;
                chosen = t;
                probe = probe.after(*t);
            }
            if (s == outermost) return chosen;
        }
    }
    for (auto s = outermost;; s = core.toward(s, leaf)) {
        if (const auto* t = select_from(m, core, s, kind, probe)) {
            if (!Probe::lists_all) return t;
            chosen = t;
            probe = probe.after(*t);
        }
        if (s == leaf) return chosen;
    }
}

template <class Probe> const transition_row* select_in(machine& m, const chart_core& core, index leaf, selection& w, Probe probe) {
    return w.kind == selection::event ? select_for_event(m, core, leaf, w, probe) : select_polled_in(m, core, leaf, w.kind, probe);
}

inline void add_chosen(const machine& m, const chart_core& core, selection& w, const transition_row& t) {
    w.found[w.count++] = enable(m, core, t, w.kind == selection::event ? reason::event : reason_of(t));
}

// All regions.

/// With one region there are no inner regions to try, and no conflicts.
template <class Probe> bool select_of_lone_region(machine& m, const chart_core& core, selection& w, Probe probe) {
    const auto* const t = m.leaf == no_index ? nullptr : select_in(m, core, m.leaf, w, probe);
    if (t && t->defers) w.deferred = t->event;
    if (!t || t->defers) return false;
    add_chosen(m, core, w, *t);
    return true;
}

/// Superstates first. Returns whether a transition was selected. A deferral yields to the regions inside.
template <class Probe> bool select_inwards(machine& m, const chart_core& core, std::size_t region, selection& w, Probe probe) {
    const auto leaf = region_leaf_of(m, core, region);
    if (leaf == no_index) return false; // in the middle of a step
    const auto* const t = select_in(m, core, leaf, w, probe);
    bool consumed = t && !t->defers;
    if (consumed) {
        add_chosen(m, core, w, *t);
        if (!Probe::lists_all) return true;
        probe = probe.after(*t);
    } else if (t) {
        w.deferred = t->event;
    }
    each_region(core, leaf, [&](index inner) { consumed |= select_inwards(m, core, core.states[inner].region, w, probe); });
    return consumed;
}

/// Substates first: a deferral yields to transitions from inside its state, and overrides those of its superstates.
template <class Probe> void remove_deferred_by(const chart_core& core, selection& w, Probe probe) {
    const auto defers = [](const enabled_transition& e) { return e.transition->defers; };
    const auto drop = [&](enabled_transition& loser, auto wins) {
        const auto all = w.transitions();
        const auto winner = std::ranges::find_if(all, wins);
        loser.drops = winner != all.end();
        if (loser.drops) probe.yields(loser, *winner);
    };
    for (auto& d : w.transitions())
        if (defers(d)) drop(d, [&](const enabled_transition& e) { return !defers(e) && core.contains(d.source, e.source); });
    for (auto& e : w.transitions())
        if (!defers(e)) drop(e, [&](const enabled_transition& d) { return defers(d) && !d.drops && core.contains(e.source, d.source); });
    const auto all = w.count;
    w.count = 0;
    for (std::size_t i = 0; i < all; ++i)
        if (const auto e = w.found[i]; !defers(e) && !e.drops) w.found[w.count++] = e;
}

/// From each leaf outwards until a transition is enabled; each region is tried once.
template <class Probe> void select_outwards(machine& m, const chart_core& core, selection& w, Probe probe) {
    const auto regions = core.regions.size();
    mark_bits looked_up(w.looked_up), found(w.looked_up + words_for(regions) * 8);
    looked_up.clear_all(regions);
    for (std::size_t leaf_region = 0; leaf_region < regions; ++leaf_region) {
        const auto leaf = region_leaf_of(m, core, leaf_region);
        if (leaf == no_index || core.states[leaf].kind == state_kind::parallel) continue;
        for (auto r = static_cast<index>(leaf_region);;) {
            if (!looked_up[r]) {
                looked_up.set(r);
                const auto inner = region_leaf_of(m, core, r);
                const auto* const t = inner == no_index ? nullptr : select_in(m, core, inner, w, probe);
                t ? found.set(r) : found.clear(r);
                if (t && t->defers) w.deferred = t->event;
                if (t) add_chosen(m, core, w, *t);
            }
            if (found[r] || r == 0) break;
            r = core.states[core.states[core.regions[r]].superstate].region;
        }
    }
    probe.visit_others(core, w, looked_up, [&](std::size_t r, Probe other) {
        if (const auto leaf = region_leaf_of(m, core, r); leaf != no_index) select_in(m, core, leaf, w, other);
    });
    if (w.deferred != no_index) remove_deferred_by(core, w, probe);
}

/// Of two transitions that would exit the same states, only one can fire.
template <class Probe> void remove_conflicting(const chart_core& core, selection& w, Probe probe) {
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto newer = w.found[i];
        const auto* const end = w.found + agreed;
        const auto* const winner = std::find_if(static_cast<const enabled_transition*>(w.found), end, [&](const enabled_transition& older) {
            return conflicts(core, older, newer) && !yields(core, older, newer);
        });
        if (winner != end) {
            probe.loses(newer, *winner);
            continue;
        }
        const auto loses = [&](const enabled_transition& older) {
            const bool both = conflicts(core, older, newer);
            if (both) probe.loses(older, newer);
            return both;
        };
        agreed = static_cast<std::size_t>(std::remove_if(w.found, w.found + agreed, loses) - w.found);
        w.found[agreed++] = newer;
    }
    w.count = agreed;
}

template <class Probe> bool select(machine& m, const chart_core& core, selection& w, Probe probe) {
    if (w.kind != selection::event) begin_list(m, core, probe);
    if (!core.by_regions) return select_of_lone_region(m, core, w, probe);
    if (core.options.order == decision_order::superstate_first)
        select_inwards(m, core, 0, w, probe);
    else
        select_outwards(m, core, w, probe);
    if (w.count > 1) remove_conflicting(core, w, probe);
    return w.count > 0;
}

/// Selects a transition on any_event, for an event that was declined; null: none is enabled. A held one is refused, because the event cannot wait.
template <class Probe> const transition_row* select_any_event(machine& m, const chart_core& core, selection& w, Probe probe) {
    const transition_row* chosen = nullptr;
    if (core.on_any_event.empty() || core.raises(w.event_number, m.payload)) return nullptr;
    for (const auto number : core.on_any_event) {
        const auto& t = core.transitions[number];
        if (!is_active(m, core, t.source)) continue;
        w.known = true;
        if (!test_options(m, core, t, probe) || !probe.is_free(m, core, enable(m, core, t, reason::event))) continue;
        chosen = &t;
        if (!Probe::lists_all) break;
        probe = probe.after(t);
    }
    return chosen;
}

/// Selects for an event. Returns the result that handling it would have.
template <class Probe> result preview(machine& m, const chart_core& core, selection& w, Probe probe) {
    if (w.event_number == no_index || !select(m, core, w, probe)) {
        const auto* const t = w.deferred == no_index ? select_any_event(m, core, w, probe) : nullptr;
        return !t ? w.otherwise() : t->target == no_index ? result::internal : result::taken;
    }
    if constexpr (Probe::lists_all) select_any_event(m, core, w, probe.after(*w.found[0].transition));
    const auto rank = [](result r) { return r == result::taken ? 0 : r == result::internal ? 1 : r == result::held ? 2 : 3; };
    auto best = result::refused;
    for (const auto& e : w.transitions()) {
        auto outcome = e.target == no_index ? result::internal : result::taken;
        if (!probe.is_free(m, core, e)) outcome = would_pend(m, core, e.transition->level, e.transition->priority);
        if (outcome == result::refused) probe.cannot_pend(e);
        if (rank(outcome) < rank(best)) best = outcome;
    }
    return best;
}

// One level of a tick.

/// The results for the transitions of a level, from several sources. With one region, sources are tried in sequence, so the last one that has a
/// satisfied transition is enough; otherwise each has a bit.
template <class Probe> struct level_bars : list_bars<Probe> {
    explicit level_bars(const machine& m, const chart_core& core, const Probe& probe)
        : list_bars<Probe>{m, core, probe}, barred_(probe.barred(m, core)), count_(core.by_regions ? core.states.size() : 0) {}
    void clear() {
        last_ = no_index;
        barred_.clear_all(count_);
    }
    bool visits(const transition_row& t) const { return is_active(this->m, this->core, t.source); }
    bool has_satisfied(const transition_row& t) const { return count_ ? barred_[t.source] : t.source == last_; }
    void note_satisfied(const transition_row& t) {
        last_ = t.source;
        if (count_) barred_.set(t.source);
    }
    bool has_waiting(const transition_row& t) const { return waits_ && !t.force; }
    void note_waiting(const transition_row&) { waits_ = true; }

private:
    mark_bits barred_;
    std::size_t count_;
    index last_ = no_index;
    bool waits_ = false;
};

/// Selects one of the polled transitions of a level in driven regions. Null: none is enabled.
template <class Probe> const transition_row* select_at_level(machine& m, const chart_core& core, index level, Probe probe) {
    const auto& span = level == no_index ? core.decides_above : core.states[level].decides;
    level_bars<Probe> bars(m, core, probe);
    bars.clear();
    return select_first(m, core, std::span(core.decisions.data() + span.first, span.count), bars, probe);
}

/// Does the same for one source of a chart with one region.
template <class Probe> const transition_row* select_at_level(machine& m, const chart_core& core, index level, index source, Probe probe) {
    begin_list(m, core, probe);
    const auto slot = core.has_holds ? slot_of(core, level) : 0;
    if (core.has_holds && probe.has_waiting(m, core, slot)) probe.blocked(m, core).set(static_cast<index>(slot)); // by an outer source
    return select_polled(
        m, core, source, [level](const transition_row& each) { return each.level == level; }, probe);
}

} // namespace hsm::detail
