// What is done together where regions are driven: each region has a say, and what contradicts is decided.

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/engine_wish.hpp>

#include <algorithm>
#include <vector>

namespace hsm {

/// The first of the candidates in one region, from its outermost state to its tip, that is enabled.
const transition_row* engine::pick(index tip, wish& w) {
    if (w.kind == wish::event) {
        const auto& list = core().lists[core().list_for(tip, w.column)];
        for (auto i = list.first; i < list.first + list.count; ++i)
            if (const auto& t = core().transitions[core().candidates[i]]; enabled(t)) return &t;
        w.known |= list.count > 0;
        return nullptr;
    }
    const auto outermost = core().regions[core().states[tip].region];
    if (core().options.order == decision_order::substate_first) {
        for (auto s = tip;; s = core().states[s].superstate) {
            if (const auto* t = pick_of(s, w)) return t;
            if (s == outermost) return nullptr;
        }
    }
    for (auto s = outermost;; s = core().toward(s, tip)) {
        if (const auto* t = pick_of(s, w)) return t;
        if (s == tip) return nullptr;
    }
}

const transition_row* engine::pick_of(index s, wish& w) {
    if (w.kind == wish::transient && !(core().states[s].transient && fresh_of(*this, core())[s])) return nullptr;
    return choose_polled(s, w.kind == wish::always);
}

/// The superstates first; true if somebody has consumed it. A deferral yields to what is inside.
bool engine::choose_inwards(index region, wish& w) {
    const auto tip = tip_of(*this, core(), region);
    if (tip == no_index) return false; // in the middle of a step
    const auto* const t = pick(tip, w);
    if (t && !t->defers) {
        w.steps[w.count++] = plan(*t, w.kind == wish::event ? reason::event : reason_of(*t));
        return true;
    }
    if (t) w.deferred = t->event;
    bool consumed = false;
    each_region(tip, [&](index inner) { consumed |= choose_inwards(core().states[inner].region, w); });
    return consumed;
}

/// From each leaf outwards, until one is enabled; each region is asked once.
void engine::choose_outwards(wish& w) {
    const auto regions = core().regions.size();
    mark_bits asked(w.asked), found(w.asked + words_for(regions) * 8);
    asked.clear_all(regions);
    for (std::size_t leaf_region = 0; leaf_region < core().regions.size(); ++leaf_region) {
        auto tip = tip_of(*this, core(), leaf_region);
        if (tip == no_index || core().states[tip].kind == state_kind::parallel) continue;
        for (auto r = static_cast<index>(leaf_region);;) {
            if (!asked[r]) {
                asked.set(r);
                const auto* const t = tip_of(*this, core(), r) == no_index ? nullptr : pick(tip_of(*this, core(), r), w);
                t ? found.set(r) : found.clear(r);
                if (t && t->defers) w.deferred = t->event;
                if (t) w.steps[w.count++] = plan(*t, w.kind == wish::event ? reason::event : reason_of(*t));
            }
            if (found[r] || r == 0) break;
            r = core().states[core().states[core().regions[r]].superstate].region;
        }
    }
    if (w.deferred != no_index) settle_deferrals(w);
}

/// Substate first: a deferral yields to what is inside its state, and overrides what its superstates would do, whoever has found that.
void engine::settle_deferrals(wish& w) const {
    const std::span steps(w.steps, w.count);
    const auto defers = [](const planned& p) { return p.transition->defers; };
    const auto any = [&](auto is) { return std::ranges::any_of(steps, is); };
    for (auto& d : steps)
        if (defers(d)) d.drops = any([&](const planned& p) { return !defers(p) && core().contains(d.source, p.source); });
    for (auto& p : steps)
        if (!defers(p)) p.drops = any([&](const planned& d) { return defers(d) && !d.drops && core().contains(p.source, d.source); });
    w.count = 0;
    for (const auto& p : steps)
        if (!defers(p) && !p.drops) w.steps[w.count++] = p;
}

/// Two that would leave the same states cannot both be done.
void engine::settle_conflicts(wish& w) const {
    const auto contains = [&](index outer, index inner) { return outer == no_index || (inner != no_index && core().contains(outer, inner)); };
    const auto yields = [&](const planned& older, const planned& newer) {
        if (core().options.order == decision_order::substate_first)
            return newer.source != older.source && core().contains(older.source, newer.source);
        return newer.level != older.level && contains(newer.level, older.level);
    };
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto newer = w.steps[i];
        const auto meets = [&](const planned& older) {
            return older.target != no_index && newer.target != no_index && (contains(older.level, newer.level) || contains(newer.level, older.level));
        };
        const auto wins = [&](const planned& older) { return meets(older) && yields(older, newer); };
        const auto* const end = w.steps + agreed;
        if (std::any_of(static_cast<const planned*>(w.steps), end, [&](const planned& older) { return meets(older) && !yields(older, newer); })) continue;
        agreed = static_cast<std::size_t>(std::remove_if(w.steps, w.steps + agreed, wins) - w.steps);
        w.steps[agreed++] = newer;
    }
    w.count = agreed;
}

std::size_t engine::choose(wish& w) {
    if (w.kind != wish::event) begin_list();
    if (core().options.order == decision_order::superstate_first)
        choose_inwards(0, w);
    else
        choose_outwards(w);
    if (w.count > 1) settle_conflicts(w);
    return w.count;
}

/// Does what is chosen, if anything is; false if nothing is.
bool engine::take_all(wish& w) {
    if (choose(w) == 0) return false;
    carry_out(w.count);
    return true;
}

result engine::handle_by_regions(std::uint32_t column, const event_ref& event) {
    wish w{wish::event, plan_of(*this, core()), asked_of(*this, core(), false), column};
    choose(w);
    if (w.count == 0) {
        if (w.deferred != no_index) return defer_event(*this, core(), w.deferred);
        if (!w.known && core().has_unhandled) tell_unhandled(event);
        return w.otherwise();
    }
    auto outcome = result::internal;
    std::size_t fires = 0;
    auto waits = result::unhandled;
    struct until_done { // what pends keeps the payload for all, even if its source is left meanwhile
        engine& self;
        bool any = false;
        ~until_done() {
            if (any) self.pending_out_of_hand();
        }
    } in_hand{*this};
    for (std::size_t i = 0; i < w.count; ++i) { // all are asked before any payload is kept, which may throw
        auto& p = w.steps[i];
        const bool may_wait = core().has_holds && p.target != no_index && !p.transition->force;
        p.waits = may_wait && holder_of(*this, core(), p.level, p.target) != no_index;
    }
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto& p = w.steps[i];
        if (p.waits) {
            const auto pends = pend(*this, core(), static_cast<std::uint32_t>(p.transition - core().transitions.data()));
            if (waits != result::held) waits = pends;
            if (pends == result::held) { // whoever else wants the payload finds it there
                offer_of(*this, core()) = nullptr;
                payload = payload_at(*this, core(), slot_of(core(), p.transition->level));
                in_hand.any = pending_at(*this, core(), slot_of(core(), p.transition->level)).in_hand = true;
            }
        } else {
            if (p.target != no_index) outcome = result::taken;
            w.steps[fires++] = p;
        }
    }
    if (fires == 0) return waits;
    carry_out(fires);
    return outcome;
}

/// What that would say; asks guards, changes nothing. Only where such a guard asks again it takes memory of its own.
result engine::would_handle(std::uint32_t column) {
    auto& foresees = driver_of(*this, core()).foresees;
    if (foresees) {
        std::vector<planned> steps(core().regions.size() + 1);
        std::vector<std::uint64_t> asked(2 * words_for(core().regions.size()));
        wish w{wish::event, steps.data(), reinterpret_cast<std::byte*>(asked.data()), column};
        return foresee(w);
    }
    struct foreseeing {
        bool& on;
        ~foreseeing() { on = false; }
    } const meanwhile{foresees = true};
    wish w{wish::event, prospect_of(*this, core()), asked_of(*this, core(), true), column};
    return foresee(w);
}

result engine::foresee(wish& w) {
    choose(w);
    if (w.count == 0) return w.otherwise();
    auto outcome = result::refused;
    const auto better = [&](result r) { // taken, internal, held, refused
        const auto rank = [](result x) { return x == result::taken ? 0 : x == result::internal ? 1 : x == result::held ? 2 : 3; };
        if (rank(r) < rank(outcome)) outcome = r;
    };
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto& p = w.steps[i];
        const bool may_wait = core().has_holds && p.target != no_index && !p.transition->force;
        const bool waits = may_wait && holder_of(*this, core(), p.level, p.target) != no_index;
        better(waits ? would_pend(*this, core(), p.transition->level, p.transition->priority)
                     : p.target == no_index ? result::internal : result::taken);
    }
    return outcome;
}

index engine::level_now(const transition_row& t) const { return t.by_record ? level_by_record(t) : t.level; }

/// SCXML's: the innermost machine around the source and all that the targets stand for.
index engine::level_by_record(const transition_row& t) const {
    auto level = t.level;
    const auto leads_to = [&](auto& self, index target, auto visit) -> void {
        const auto& named = core().states[target];
        if (named.kind != state_kind::history) return visit(target);
        const auto place = core().place_of(named.superstate);
        const auto recorded = record_of(*this, core(), place);
        const auto& outer = core().states[named.superstate];
        if (recorded == 0 && named.initial.count == 0) return visit(target);
        if (recorded == 0) {
            for (const auto further : core().targets_of(core().transitions[named.initial.first])) self(self, further, visit);
        } else if (named.history == history_depth::shallow) {
            if (outer.kind == state_kind::machine) visit(core().toward(named.superstate, recorded));
            each_region(named.superstate, visit);
        } else { // the leaves
            const auto visit_leaf = [&](index tip) {
                if (tip != no_index && core().states[tip].kind != state_kind::parallel) visit(tip);
            };
            visit_leaf(recorded);
            for (std::uint32_t r = 0; r < outer.regions.count; ++r) visit_leaf(region_records_of(*this, core(), place)[r]);
        }
    };
    while (true) { // further in, as long as one machine around the source contains all of it
        const auto source = t.source;
        if (level != no_index && source == level) return level;
        auto next = level == no_index ? index(0) : core().toward(level, source);
        while (next != source && core().states[next].kind != state_kind::machine) next = core().toward(next, source);
        if (next == source) return level;
        bool all = true;
        for (const auto target : core().targets_of(t))
            leads_to(leads_to, target, [&](index reached) { all &= reached != next && core().contains(next, reached); });
        if (!all) return level;
        level = next;
    }
}

} // namespace hsm
