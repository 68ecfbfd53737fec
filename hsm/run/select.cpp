#include <hsm/run/detail/select.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/conflict.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace hsm::detail {

selection::selection(const machine& m, const chart_core& core, kind_of k, std::uint16_t number) : kind(k), event_number(number) {
    found = core.by_regions ? enabled_of(m, core) : &one;
    if (core.by_regions) looked_up = looked_up_of(m, core, false);
}

bool is_enabled(machine& m, const chart_core& core, const transition_row& t) {
    return t.guard_program == 0 || run(core.at(t.guard_program), m) == static_cast<std::uintptr_t>(result::taken);
}

bool must_wait(machine& m, const chart_core& core, const transition_row& t) {
    if (!core.has_holds || t.force || t.target == no_index) return false;
    const auto holder = holder_of(m, core, t.level, t.target);
    const bool waits = holder != no_index && holding_of(m, core).ticking; // only in ticks: after another call nothing would try it again
    if (waits) wait(m, core, core.number_of(&t) - 1, holder);
    return holder != no_index;
}

index holder_of(machine& m, const chart_core& core, const enabled_transition& e) {
    const bool may_wait = core.has_holds && e.target != no_index && !e.transition->force;
    return may_wait ? holder_of(m, core, e.level, e.target) : no_index;
}

namespace {

/// The levels of a source at which a transition is satisfied: at most its own and, for external transitions, the one above.
class satisfied_levels {
public:
    bool operator[](index level) const { return level == levels_[0] || level == levels_[1]; }
    void add(index level) { levels_[levels_[0] == nothing ? 0 : 1] = level; }

private:
    static constexpr index nothing = 0xfffe;
    index levels_[2] = {nothing, nothing};
};

/// Returns the levels at which a transition of the current list waits.
mark_bits blocked_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.blocked); }

/// Begins a list of transitions, of one source or several, in which none waits.
void begin_list(const machine& m, const chart_core& core) {
    if (core.has_holds) blocked_of(m, core).clear_all(slot_count(core));
}

/// Returns whether an earlier transition of the list waits at the same level.
bool is_blocked(const machine& m, const chart_core& core, const transition_row& t) {
    return core.has_holds && !t.force && t.target != no_index && blocked_of(m, core)[static_cast<index>(slot_of(core, level_now(m, core, t)))];
}

/// Calls must_wait; a transition that waits blocks the later ones of its level.
bool waits_and_blocks(machine& m, const chart_core& core, const transition_row& t) {
    if (!must_wait(m, core, t)) return false;
    blocked_of(m, core).set(static_cast<index>(slot_of(core, level_now(m, core, t))));
    return true;
}

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

/// Returns the first enabled polled transition of a state that `asks` accepts. A satisfied one bars the later ones of its level; one that waits
/// blocks those of its level that are not forced.
template <class Numbers, class Asks>
const transition_row* select_first(machine& m, const chart_core& core, index source, const Numbers& numbers, Asks asks) {
    satisfied_levels satisfied;
    for (const auto i : numbers) {
        const auto& t = core.transitions[i];
        if (!asks(t)) continue;
        if (satisfied[t.level] || is_blocked(m, core, t)) continue;
        if (t.on_finished && (!is_marked_over(m, core, source) || due_of(m, core)[source])) continue;
        if (!is_enabled(m, core, t)) continue;
        if (t.any_state && is_satisfied(m, core, t))
            satisfied.add(t.level);
        else if (!waits_and_blocks(m, core, t))
            return &t;
    }
    return nullptr;
}

template <class Asks> const transition_row* select_polled(machine& m, const chart_core& core, index source, Asks asks) {
    const auto& span = core.states[source].polled;
    return select_first(m, core, source, consecutive{span.first, span.first + span.count}, asks);
}

/// Inlined, because most states have no such transition.
HSM_ALWAYS_INLINE inline const transition_row* select_from(machine& m, const chart_core& core, index s, selection::kind_of kind) {
    const auto& source = core.states[s];
    if (kind == selection::transient && !(source.transient && just_entered_of(m, core)[s])) return nullptr;
    const auto any = [](const transition_row&) { return true; };
    if (kind != selection::always) return select_polled(m, core, s, any);
    if (source.always.count == 0) return nullptr;
    return select_first(m, core, s, std::span(core.own_always.data() + source.always.first, source.always.count), any);
}

/// Returns the first transition that the event enables. Driven regions have one list of them, charts by parts have one for each state; for other
/// charts only can() calls this.
const transition_row* select_for_event(machine& m, const chart_core& core, index leaf, selection& w) {
    const transition_row* chosen = nullptr;
    const auto try_one = [&](std::uint32_t number) {
        const auto& t = core.transitions[number];
        if (t.event != w.event_number) return false;
        w.known = true;
        if (is_enabled(m, core, t)) chosen = &t;
        return chosen != nullptr;
    };
    if (core.by_parts) {
        const auto column = core.event_columns[w.event_number];
        const auto above = core.states[core.regions[core.states[leaf].region]].superstate;
        flatten::candidates(
            core.states, above, leaf, core.options.order, [&](index s) { return core.lists[core.program_for(s, column)]; },
            [&](std::uint32_t i) { return core.transitions[core.candidates[i]].defers; },
            [&](std::uint32_t i) { chosen || try_one(core.candidates[i]); });
    } else if (core.by_regions) {
        const auto& list = core.lists[core.list_for(leaf, core.event_columns[w.event_number])];
        for (auto i = list.first; i < list.first + list.count && !try_one(core.candidates[i]); ++i) {
        }
    } else {
        flatten::candidates(
            core.states, no_index, leaf, core.options.order, [&](index s) { return core.states[s].events; },
            [&](std::uint32_t t) { return core.transitions[t].defers; }, [&](std::uint32_t t) { chosen || try_one(t); });
    }
    return chosen;
}

/// Returns the first enabled polled transition of a region, in the order of decision.
const transition_row* select_polled_in(machine& m, const chart_core& core, index leaf, selection::kind_of kind) {
    const auto outermost = core.regions[core.states[leaf].region];
    if (core.options.order == decision_order::substate_first) {
        for (auto s = leaf;; s = core.states[s].superstate) {
            if (const auto* t = select_from(m, core, s, kind)) return t;
            if (s == outermost) return nullptr;
        }
    }
    for (auto s = outermost;; s = core.toward(s, leaf)) {
        if (const auto* t = select_from(m, core, s, kind)) return t;
        if (s == leaf) return nullptr;
    }
}

const transition_row* select_in(machine& m, const chart_core& core, index leaf, selection& w) {
    return w.kind == selection::event ? select_for_event(m, core, leaf, w) : select_polled_in(m, core, leaf, w.kind);
}

void add_chosen(const machine& m, const chart_core& core, selection& w, const transition_row& t) {
    w.found[w.count++] = enable(m, core, t, w.kind == selection::event ? reason::event : reason_of(t));
}

/// With one region there are no inner regions to try, and no conflicts.
bool select_of_lone_region(machine& m, const chart_core& core, selection& w) {
    const auto* const t = m.leaf == no_index ? nullptr : select_in(m, core, m.leaf, w);
    if (t && t->defers) w.deferred = t->event;
    if (!t || t->defers) return false;
    add_chosen(m, core, w, *t);
    return true;
}

/// Superstates first. Returns whether a transition was selected. A deferral yields to the regions inside.
bool select_inwards(machine& m, const chart_core& core, std::size_t region, selection& w) {
    const auto leaf = region_leaf_of(m, core, region);
    if (leaf == no_index) return false; // in the middle of a step
    const auto* const t = select_in(m, core, leaf, w);
    if (t && !t->defers) {
        add_chosen(m, core, w, *t);
        return true;
    }
    if (t) w.deferred = t->event;
    bool consumed = false;
    each_region(core, leaf, [&](index inner) { consumed |= select_inwards(m, core, core.states[inner].region, w); });
    return consumed;
}

/// Substates first: a deferral yields to transitions from inside its state, and overrides those of its superstates.
void remove_deferred_by(const chart_core& core, selection& w) {
    const auto defers = [](const enabled_transition& e) { return e.transition->defers; };
    const auto any = [&](auto is) { return std::ranges::any_of(w.transitions(), is); };
    for (auto& d : w.transitions())
        if (defers(d)) d.drops = any([&](const enabled_transition& e) { return !defers(e) && core.contains(d.source, e.source); });
    for (auto& e : w.transitions())
        if (!defers(e)) e.drops = any([&](const enabled_transition& d) { return defers(d) && !d.drops && core.contains(e.source, d.source); });
    const auto all = w.count;
    w.count = 0;
    for (std::size_t i = 0; i < all; ++i)
        if (const auto e = w.found[i]; !defers(e) && !e.drops) w.found[w.count++] = e;
}

/// From each leaf outwards until a transition is enabled; each region is tried once.
void select_outwards(machine& m, const chart_core& core, selection& w) {
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
                const auto* const t = inner == no_index ? nullptr : select_in(m, core, inner, w);
                t ? found.set(r) : found.clear(r);
                if (t && t->defers) w.deferred = t->event;
                if (t) add_chosen(m, core, w, *t);
            }
            if (found[r] || r == 0) break;
            r = core.states[core.states[core.regions[r]].superstate].region;
        }
    }
    if (w.deferred != no_index) remove_deferred_by(core, w);
}

/// Of two transitions that would exit the same states, only one can fire.
void remove_conflicting(const chart_core& core, selection& w) {
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto newer = w.found[i];
        const auto wins = [&](const enabled_transition& older) { return conflicts(core, older, newer) && yields(core, older, newer); };
        const auto* const end = w.found + agreed;
        if (std::any_of(static_cast<const enabled_transition*>(w.found), end,
                        [&](const auto& older) { return conflicts(core, older, newer) && !yields(core, older, newer); }))
            continue;
        agreed = static_cast<std::size_t>(std::remove_if(w.found, w.found + agreed, wins) - w.found);
        w.found[agreed++] = newer;
    }
    w.count = agreed;
}

} // namespace

bool select(machine& m, const chart_core& core, selection& w) {
    if (w.kind != selection::event) begin_list(m, core);
    if (!core.by_regions) return select_of_lone_region(m, core, w);
    if (core.options.order == decision_order::superstate_first)
        select_inwards(m, core, 0, w);
    else
        select_outwards(m, core, w);
    if (w.count > 1) remove_conflicting(core, w);
    return w.count > 0;
}

const transition_row* select_alone(machine& m, const chart_core& core, selection::kind_of kind) {
    begin_list(m, core);
    return m.leaf == no_index ? nullptr : select_polled_in(m, core, m.leaf, kind);
}

namespace {

/// The sources that have a satisfied transition, which bars the others of its level. With one region, sources are tried in sequence, so one number
/// is enough; otherwise each has a bit.
class barred_sources {
public:
    barred_sources(const machine& m, const chart_core& core)
        : bits_(m.block + core.layout.barred), count_(core.by_regions ? core.states.size() : 0) {}
    void clear() {
        last_ = no_index;
        bits_.clear_all(count_);
    }
    bool operator[](index source) const { return count_ ? bits_[source] : source == last_; }
    void set(index source) {
        last_ = source;
        if (count_) bits_.set(source);
    }

private:
    mark_bits bits_;
    std::size_t count_;
    index last_ = no_index;
};

} // namespace

const transition_row* select_always(machine& m, const chart_core& core) {
    begin_list(m, core);
    barred_sources satisfied(m, core); // at the depth of the level that is being tried
    int depth = -2;
    for (const auto number : core.always) {
        const auto& t = core.transitions[number];
        if (!is_active(m, core, t.source)) continue;
        const int deep = core.depth_of_level(t);
        if (std::exchange(depth, deep) != deep) satisfied.clear();
        if (satisfied[t.source] || is_blocked(m, core, t) || !is_enabled(m, core, t)) continue;
        if (t.any_state && is_satisfied(m, core, t))
            satisfied.set(t.source);
        else if (!waits_and_blocks(m, core, t))
            return &t;
    }
    return nullptr;
}

const transition_row* select_at_level(machine& m, const chart_core& core, index level) {
    const auto& span = level == no_index ? core.decides_above : core.states[level].decides;
    barred_sources satisfied(m, core);
    satisfied.clear();
    bool blocked = false;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core.transitions[core.decisions[i]];
        if (satisfied[t.source] || (blocked && !t.force) || !is_active(m, core, t.source)) continue;
        if (t.on_finished && (!is_marked_over(m, core, t.source) || due_of(m, core)[t.source])) continue;
        if (!is_enabled(m, core, t)) continue;
        if (t.any_state && is_satisfied(m, core, t))
            satisfied.set(t.source);
        else if (must_wait(m, core, t))
            blocked = true;
        else
            return &t;
    }
    return nullptr;
}

const transition_row* select_at_level(machine& m, const chart_core& core, index level, index source) {
    begin_list(m, core);
    const auto slot = core.has_holds ? slot_of(core, level) : 0;
    if (core.has_holds && waiting_at(m, core, slot).transition) blocked_of(m, core).set(static_cast<index>(slot)); // by an outer source
    return select_polled(m, core, source, [level](const transition_row& each) { return each.level == level; });
}

const transition_row* select_completion(machine& m, const chart_core& core) {
    if (!core.has_marks) return nullptr;
    for (auto s = next_due(m, core); s != no_index; s = next_due(m, core)) {
        clear_due(m, core, s);
        begin_list(m, core);
        const auto& span = core.states[s].polled;
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto& t = core.transitions[i];
            if (t.on_finished && !is_blocked(m, core, t) && is_enabled(m, core, t) && !waits_and_blocks(m, core, t)) return &t;
        }
    }
    return nullptr;
}

// Queries.

namespace {

result best_of(machine& m, const chart_core& core, selection& w) {
    if (!select(m, core, w)) return w.otherwise();
    const auto rank = [](result r) { return r == result::taken ? 0 : r == result::internal ? 1 : r == result::held ? 2 : 3; };
    auto best = result::refused;
    for (const auto& e : w.transitions()) {
        const auto outcome = holder_of(m, core, e) != no_index ? would_pend(m, core, e.transition->level, e.transition->priority)
                             : e.target == no_index            ? result::internal
                                                               : result::taken;
        if (rank(outcome) < rank(best)) best = outcome;
    }
    return best;
}

} // namespace

/// Runs guards, changes nothing. Allocates only if a guard calls can() again.
result preview(machine& m, const chart_core& core, std::uint16_t event_number) {
    selection w(m, core, selection::event, event_number);
    if (!core.by_regions) return best_of(m, core, w);
    auto& previewing = region_step_of(m, core).previewing;
    if (previewing) {
        std::vector<enabled_transition> found(core.regions.size() + 1);
        std::vector<std::uint64_t> looked_up(2 * words_for(core.regions.size()));
        w.found = found.data();
        w.looked_up = reinterpret_cast<std::byte*>(looked_up.data());
        return best_of(m, core, w);
    }
    struct preview_scope {
        bool& on;
        ~preview_scope() { on = false; }
    } const meanwhile{previewing = true};
    w.found = preview_of(m, core);
    w.looked_up = looked_up_of(m, core, true);
    return best_of(m, core, w);
}

} // namespace hsm::detail
