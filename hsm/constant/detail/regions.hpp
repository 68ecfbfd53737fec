/// Executes charts with parallel regions. Each region selects a transition by its leaf; the selected ones that do not conflict fire together, as in
/// select.cpp and microstep.cpp.
#pragma once

#include <hsm/constant/detail/ticks.hpp>

namespace hsm::detail {

template <class Chart, std::size_t... I> consteval auto make_constant_exits(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.exits[I]>()...};
}
template <class Chart, std::size_t... I> consteval auto make_constant_completions(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.completions[I]>()...};
}
template <class Chart, std::uint32_t constant_move::*Program, std::size_t... I> consteval auto make_constant_moves(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.moves[I].*Program>()...};
}
template <class Chart> inline constexpr auto constant_exit_table = make_constant_exits<Chart>(std::make_index_sequence<Chart::size.exits>());
template <class Chart>
inline constexpr auto constant_completion_table = make_constant_completions<Chart>(std::make_index_sequence<Chart::size.completions>());
template <class Chart, std::uint32_t constant_move::*Program>
inline constexpr auto constant_move_table = make_constant_moves<Chart, Program>(std::make_index_sequence<Chart::size.moves>());

template <class Chart> void constant_exit_region(constant_core<Chart>& m, std::size_t region) {
    const auto leaf = constant_leaf_in<Chart>(m, region);
    if (leaf != constant_core<Chart>::none) constant_leaf_table<Chart, &constant_leaf_row::stop>[leaf](m, {});
}

/// Calls visit(region) for the regions of a parallel, in order.
template <class Chart, class Visit> void each_constant_region(index parallel, Visit visit) {
    for (index r = 1; r < Chart::size.regions; ++r)
        if (Chart::tables.above(r) == parallel) visit(r);
}

/// Calls the on_change hooks after a transition, like run_on_change.
template <class Chart> HSM_NOINLINE void constant_run_on_change(constant_core<Chart>& m, index from, reason why, index level) {
    constexpr auto& tables = Chart::tables;
    const auto to = constant_leaf_state<Chart>(m, tables.region_of_level(level));
    for (index s = 0; s < Chart::size.states; ++s) {
        const auto& hooks = tables.states[s].change;
        if (hooks.count == 0) continue;
        const auto leaf = constant_leaf_state<Chart>(m, tables.states[s].region);
        const bool around = level != no_index && flatten::contains(tables.states, s, level);
        const bool below = (level == no_index || flatten::contains(tables.states, level, s)) && leaf != s;
        if (leaf == no_index || !flatten::contains(tables.states, s, leaf) || !(around || below)) continue;
        for (auto h = hooks.first; h < hooks.first + hooks.count; ++h)
            tables.changes[h].call(*m.context, constant_place_of<Chart>(from), constant_place_of<Chart>(to), why);
    }
}
/// Does so after a program that fires a transition.
template <class Chart> HSM_ALWAYS_INLINE inline constant_code constant_notify_change(constant_core<Chart>& m, constant_code code) {
    if constexpr (Chart::size.changes > 0 && Chart::size.regions > 1)
        if ((code & 63) == static_cast<constant_code>(result::taken)) constant_run_on_change<Chart>(m, m.last_leaf, m.last_reason, m.last_level);
    return code;
}

/// Before transitions fire for an event. Throws chain_error at the limit, if it is a deferred event.
template <class Chart> HSM_ALWAYS_INLINE inline void constant_check_recall(const constant_core<Chart>& m) {
    if constexpr (Chart::size.defers)
        if (m.recalling) m.recalling->check({}, true);
}

/// Returns the code of an event for which no active region waits: inactive if the instance is not started or is finished.
template <class Chart> constant_code constant_declined(const constant_core<Chart>& m) {
    return static_cast<constant_code>(constant_is_inactive<Chart>(m) ? result::inactive : result::unhandled);
}

/// Handles the events of one column.
template <class Chart, std::size_t Type, std::size_t Column> class constant_region_event {
    using core = constant_core<Chart>;
    using rows = constant_rows<Chart, Type>;
    static constexpr auto& tables = Chart::tables;
    static constexpr auto waiting = tables.waiting[tables.types[Type].first + Column];
    static constexpr index first = static_cast<index>(std::countr_zero(waiting.regions));
    static constexpr index second = static_cast<index>(std::countr_zero(waiting.regions & (waiting.regions - 1)));
    template <index Region> using ranks = constant_ranks_of<Chart, tables.regions[Region]>;

public:
    /// If there is only one region with candidates.
    HSM_ALWAYS_INLINE static inline constant_code handle_in_one(core& m, const void* payload) {
        if constexpr (ranks<first>::count > compiler_joins_comparisons) {
            const std::size_t rank = constant_leaf_in<Chart>(m, first);
            return rank == core::none ? constant_declined<Chart>(m) : rows::template find<Column>(m, rank, payload);
        } else {
            return with_leaf<first>(m, [&](auto rank)
                                           HSM_ALWAYS_INLINE_LAMBDA { return constant_run<Chart, rows::program(rank, Column)>(m, {payload}); });
        }
    }
    /// If there are two, and so few leaves that each pair of transitions has its own code.
    HSM_ALWAYS_INLINE static inline constant_code handle_in_two(core& m, const void* payload) {
        const constant_call call{payload};
        return with_leaf<first>(m, [&](auto a) HSM_ALWAYS_INLINE_LAMBDA {
            return constant_run_and<Chart, rows::program(a, Column)>(m, call, [&](auto code_a) HSM_ALWAYS_INLINE_LAMBDA {
                return with_leaf<second>(m, [&](auto b) HSM_ALWAYS_INLINE_LAMBDA {
                    return constant_run_and<Chart, rows::program(b, Column)>(
                        m, call, [&](auto code_b) HSM_ALWAYS_INLINE_LAMBDA { return fire_two<a, code_a, b, code_b>(m, call); });
                });
            });
        });
    }
    /// If there are more: each phase has a switch for each region.
    static inline constant_code handle_in_each(core& m, const void* payload) {
        const constant_call call{payload};
        std::uint8_t chosen[waiting.count()] = {}; // by region: 0, or the number of an outcome + 1
        unsigned kinds = 0;
        each_region([&](auto i) HSM_ALWAYS_INLINE_LAMBDA {
            with_leaf<region_at(i)>(m, [&](auto rank) HSM_ALWAYS_INLINE_LAMBDA {
                return constant_run_and<Chart, rows::program(rank, Column)>(m, call, [&](auto code) HSM_ALWAYS_INLINE_LAMBDA {
                    kinds |= kind_of<code>();
                    if constexpr (fires<code>()) chosen[i] = outcome_number<rank, (code >> 8)>;
                    return code;
                });
            });
        });
        if (!(kinds & is_fired))
            return static_cast<constant_code>(kinds & is_deferred  ? result::deferred
                                              : kinds & is_guarded ? result::guarded
                                                                   : constant_result(constant_declined<Chart>(m)));
        constant_check_recall<Chart>(m);
        each_region([&](auto i) HSM_ALWAYS_INLINE_LAMBDA {
            constexpr auto last = waiting.count() - 1 - i;
            with_outcome<region_at(last)>(chosen[last], [&](auto rank, auto code) HSM_ALWAYS_INLINE_LAMBDA { exit<rank, code>(m, call); });
        });
        run_chosen<&constant_move::action>(m, call, chosen);
        run_chosen<&constant_move::entries>(m, call, chosen);
        return kinds & is_moved ? constant_taken(0x7fff, false) : static_cast<constant_code>(result::internal);
    }

private:
    static constexpr unsigned is_guarded = 1, is_deferred = 2, is_fired = 4, is_moved = 8;
    template <constant_code Code> static constexpr unsigned kind_of() {
        if (Code == static_cast<constant_code>(result::guarded)) return is_guarded;
        if ((Code & 63) != constant_selected) return 0;
        return !fires<Code>() ? is_deferred : moves<Code>() ? is_fired | is_moved : is_fired;
    }
    /// Calls visit(i) for the i-th of the regions, as an integral_constant.
    template <class Visit> HSM_ALWAYS_INLINE static inline void each_region(const Visit& visit) {
        [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA { (visit(std::integral_constant<std::size_t, I>()), ...); }
        (std::make_index_sequence<waiting.count()>());
    }
    static constexpr index region_at(std::size_t i) {
        auto regions = waiting.regions;
        for (; i > 0; --i) regions &= regions - 1;
        return static_cast<index>(std::countr_zero(regions));
    }
    /// Calls visit(rank, transition) for each leaf of a region and each transition that can fire in it.
    template <class Visit> static constexpr void each_outcome(index region, Visit visit) {
        for (std::uint32_t rank = 0; rank < Chart::size.leaves; ++rank)
            for (std::uint32_t t = 0; t < Chart::size.transitions; ++t) {
                const auto& row = tables.transitions[t];
                const auto leaf = tables.leaves[rank].state;
                if (row.event != no_index && !row.defers && tables.states[leaf].region == region && tables.states[row.source].region == region &&
                    flatten::contains(tables.states, row.source, leaf) && tables.events[row.event].type == Type &&
                    tables.waits_for(tables.events[row.event], tables.types[Type].first + Column))
                    visit(rank, t);
            }
    }
    static constexpr std::size_t outcomes(index region) {
        std::size_t n = 0;
        each_outcome(region, [&](auto, auto) { ++n; });
        return n;
    }
    static constexpr std::size_t most_outcomes = [] {
        std::size_t most = 0;
        for (std::size_t i = 0; i < waiting.count(); ++i) most = outcomes(region_at(i)) > most ? outcomes(region_at(i)) : most;
        return most;
    }();
    template <std::size_t Rank, std::uint32_t Transition>
    static constexpr std::uint8_t outcome_number = [] {
        std::uint8_t n = 0, found = 0;
        each_outcome(static_cast<index>(tables.states[tables.leaves[Rank].state].region), [&](auto rank, auto t) {
            ++n;
            if (rank == Rank && t == Transition) found = n;
        });
        return found;
    }();
    template <index Region>
    static constexpr auto outcome_table = [] {
        constant_array<std::uint32_t[2], outcomes(Region)> all{};
        std::size_t n = 0;
        each_outcome(Region, [&](auto rank, auto t) { all[n][0] = rank, all[n][1] = constant_selected | t << 8, ++n; });
        return all;
    }();
    template <index Region, class Visit> HSM_ALWAYS_INLINE static inline void with_outcome(std::uint8_t chosen, const Visit& visit) {
        static constexpr auto& all = outcome_table<Region>;
        [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA {
            (void)((chosen == I + 1 &&
                    (visit(std::integral_constant<std::size_t, all[I][0]>(), std::integral_constant<constant_code, all[I][1]>()), true)) ||
                   ...);
        }
        (std::make_index_sequence<outcomes(Region)>());
    }
    template <std::uint32_t constant_move::*Program>
    HSM_ALWAYS_INLINE static inline void run_chosen(core& m, const constant_call& call, const std::uint8_t* chosen) {
        each_region([&](auto i) HSM_ALWAYS_INLINE_LAMBDA {
            with_outcome<region_at(i)>(chosen[i], [&](auto, auto code) HSM_ALWAYS_INLINE_LAMBDA { run<code, Program>(m, call); });
        });
    }
    template <index Region, class Run> HSM_ALWAYS_INLINE static inline constant_code with_leaf(core& m, const Run& run) {
        const std::size_t rank = constant_leaf_in<Chart>(m, Region);
        constant_code code = 0;
        const bool active = [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA {
            return ((rank == ranks<Region>::first + I && (code = run(std::integral_constant<std::size_t, ranks<Region>::first + I>()), true)) || ...);
        }
        (std::make_index_sequence<ranks<Region>::count>());
        return active ? code : constant_declined<Chart>(m);
    }
    template <constant_code Code> static constexpr bool fires() { return (Code & 63) == constant_selected && !tables.moves[Code >> 8].defers; }
    template <constant_code Code> static constexpr bool moves() { return (Code & 63) == constant_selected && tables.moves[Code >> 8].has_target; }
    template <std::size_t Rank, constant_code Code> HSM_ALWAYS_INLINE static inline void exit(core& m, const constant_call& call) {
        if constexpr (moves<Code>()) {
            constexpr auto t = tables.moves[Code >> 8];
            constant_run<Chart, tables.exits[t.exits + Rank - tables.entered[t.region].first]>(m, call);
        }
    }
    template <constant_code Code, std::uint32_t constant_move::*Program>
    HSM_ALWAYS_INLINE static inline void run(core& m, const constant_call& call) {
        if constexpr ((Code & 63) == constant_selected)
            if constexpr (tables.moves[Code >> 8].*Program != 0) constant_run<Chart, tables.moves[Code >> 8].*Program>(m, call);
    }
    template <std::size_t A, constant_code CodeA, std::size_t B, constant_code CodeB>
    HSM_ALWAYS_INLINE static inline constant_code fire_two(core& m, const constant_call& call) {
        constexpr bool fire = fires<CodeA>() || fires<CodeB>();
        if constexpr (fire) constant_check_recall<Chart>(m);
        exit<B, CodeB>(m, call);
        exit<A, CodeA>(m, call);
        run<CodeA, &constant_move::action>(m, call);
        run<CodeB, &constant_move::action>(m, call);
        run<CodeA, &constant_move::entries>(m, call);
        run<CodeB, &constant_move::entries>(m, call);
        if constexpr (moves<CodeA>() || moves<CodeB>()) return constant_taken(0x7fff, false);
        constexpr bool defers = (CodeA & 63) == constant_selected || (CodeB & 63) == constant_selected; // if none fires
        constexpr auto guarded = static_cast<constant_code>(result::guarded);
        return fire                                   ? static_cast<constant_code>(result::internal)
               : defers                               ? static_cast<constant_code>(result::deferred)
               : CodeA == guarded || CodeB == guarded ? guarded
                                                      : CodeA;
    }

public:
    static constexpr bool is_none = waiting.count() == 0;
    static constexpr bool is_one = waiting.count() == 1;
    static constexpr bool runs_by_phases =
        waiting.stays && !waiting.waits && Chart::size.changes == 0 && !Chart::size.triggers && Chart::size.slots == 0;
    static constexpr bool is_two = waiting.count() == 2 && runs_by_phases && ranks<first>::count * ranks<second>::count <= 16;
    static constexpr bool are_by_phases = waiting.count() > 1 && runs_by_phases&& most_outcomes <= 32;
};

/// The transitions that fire together.
template <class Chart> class constant_selection {
    using core = constant_core<Chart>;
    static constexpr auto& tables = Chart::tables;
    static constexpr bool outer_first = Chart::order == decision_order::superstate_first;

public:
    std::uint32_t transitions[Chart::size.regions];
    std::size_t count = 0;
    bool guarded = false;  ///< a transition was refused
    bool deferred = false; ///< a state defers the event

    static bool is_selected(constant_code code) { return (code & 63) == constant_selected; }
    /// Selects one transition, if the code contains it. A deferral is selected only if it overrides those of its superstates.
    bool add(constant_code code) {
        guarded |= code == static_cast<constant_code>(result::guarded);
        if (!is_selected(code)) return false;
        if constexpr (Chart::size.defers)
            if (tables.moves[code >> 8].defers) {
                deferred = true;
                if (outer_first) return false;
            }
        transitions[count++] = code >> 8;
        return true;
    }
    /// `find(leaf)` returns the code of the leaf of a region.
    template <class Find> void select(core& m, Find find) {
        if constexpr (Chart::size.holds > 0) m.blocked = 0;
        if constexpr (outer_first)
            select_inwards(m, 0, find);
        else
            select_outwards(m, find);
        if (Chart::size.defers && !outer_first && deferred) remove_deferred();
        if (count > 1) remove_conflicting();
    }
    /// Does the same if only these regions have candidates, and these do not conflict.
    template <class Find> void select_apart(core& m, std::uint64_t regions, Find find) {
        for (; regions != 0; regions &= regions - 1)
            if (const auto leaf = constant_leaf_in<Chart>(m, static_cast<std::size_t>(std::countr_zero(regions))); leaf != core::none)
                add(find(leaf));
        if (Chart::size.defers && !outer_first && deferred) remove_deferred();
    }
    /// Returns taken, or internal if no transition has a target.
    constant_code fire(core& m, const constant_call& call) const {
        constant_check_recall<Chart>(m);
        bool moves = false;
        [[maybe_unused]] index from[Chart::size.changes > 0 ? Chart::size.regions : 1];
        for (std::size_t i = 0; Chart::size.changes > 0 && i < count; ++i)
            from[i] = constant_leaf_state<Chart>(m, tables.moves[transitions[i]].region);
        if constexpr (Chart::size.triggers)
            for (std::size_t i = 0; i < count; ++i) constant_clear_bits<Chart>(m, tables.used_triggers(tables.transitions[transitions[i]]));
        for (auto i = count; i-- > 0;) {
            const auto& t = tables.moves[transitions[i]];
            if (!t.has_target) continue;
            moves = true;
            if constexpr (Chart::size.slots > 0) m.exited = 0;
            constant_exit_table<Chart>[t.exits + constant_leaf_in<Chart>(m, t.region) - tables.entered[t.region].first](m, call);
            if constexpr (Chart::size.slots > 0)
                if (tables.transitions[transitions[i]].needs_over) constant_clear_bits<Chart>(m, m.exited);
        }
        for (std::size_t i = 0; i < count; ++i)
            if (const auto action = constant_move_table<Chart, &constant_move::action>[transitions[i]]) action(m, call);
        for (std::size_t i = 0; i < count; ++i) {
            if constexpr (Chart::size.slots > 0) m.entering = tables.transitions[transitions[i]].positives;
            if (const auto entries = constant_move_table<Chart, &constant_move::entries>[transitions[i]]) entries(m, call);
        }
        if constexpr (Chart::size.changes > 0)
            for (std::size_t i = 0; i < count; ++i)
                if (const auto& t = tables.moves[transitions[i]]; t.has_target) constant_run_on_change<Chart>(m, from[i], t.why, t.level);
        return moves ? constant_taken(0x7fff, false) : static_cast<constant_code>(result::internal);
    }

private:
    template <class Find> bool select_inwards(core& m, index region, const Find& find) {
        const auto leaf = constant_leaf_in<Chart>(m, region);
        bool selected = add(find(leaf));
        const auto state = tables.leaves[leaf].state;
        if (!selected && tables.is_parallel(state)) each_constant_region<Chart>(state, [&](index r) { selected |= select_inwards(m, r, find); });
        return selected;
    }
    /// From each leaf outwards, until a transition is selected.
    template <class Find> void select_outwards(core& m, const Find& find) {
        bool asked[Chart::size.regions] = {}, found[Chart::size.regions] = {};
        for (index r = 0; r < Chart::size.regions; ++r) {
            const auto leaf = constant_leaf_in<Chart>(m, r);
            if (leaf == core::none || tables.is_parallel(tables.leaves[leaf].state)) continue;
            for (auto q = r;; q = tables.states[tables.above(q)].region) {
                if (!asked[q]) found[q] = add(find(constant_leaf_in<Chart>(m, q)));
                asked[q] = true;
                if (found[q] || q == 0) break;
            }
        }
    }
    /// A deferral yields to transitions from inside its state, and overrides those of its superstates.
    void remove_deferred() {
        bool drops[Chart::size.regions] = {};
        const auto move = [&](std::size_t i) -> const constant_move& { return tables.moves[transitions[i]]; };
        for (const bool deferral : {true, false})
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t k = 0; k < count; ++k)
                    if (move(i).defers == deferral && move(k).defers != deferral && !(move(k).defers && drops[k]))
                        drops[i] = drops[i] || flatten::contains(tables.states, move(i).source, move(k).source);
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (!move(i).defers && !drops[i]) transitions[left++] = transitions[i];
        count = left;
    }
    static bool is_around(index outer, index inner) {
        return outer == no_index || (inner != no_index && flatten::contains(tables.states, outer, inner));
    }
    static bool conflict(const constant_move& a, const constant_move& b) {
        return a.has_target && b.has_target && (is_around(a.level, b.level) || is_around(b.level, a.level));
    }
    static bool yields(const constant_move& older, const constant_move& newer) {
        if constexpr (outer_first)
            return newer.level != older.level && is_around(newer.level, older.level);
        else
            return newer.source != older.source && flatten::contains(tables.states, older.source, newer.source);
    }
    void remove_conflicting() {
        std::size_t agreed = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto& newer = tables.moves[transitions[i]];
            bool loses = false;
            for (std::size_t k = 0; k < agreed; ++k) {
                const auto& older = tables.moves[transitions[k]];
                loses |= conflict(older, newer) && !yields(older, newer);
            }
            if (loses) continue;
            std::size_t left = 0;
            for (std::size_t k = 0; k < agreed; ++k)
                if (!conflict(tables.moves[transitions[k]], newer)) transitions[left++] = transitions[k];
            agreed = left;
            transitions[agreed++] = transitions[i];
        }
        count = agreed;
    }
};

} // namespace hsm::detail
