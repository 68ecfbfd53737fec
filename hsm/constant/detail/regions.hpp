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

/// The transitions that fire together.
template <class Chart> class constant_selection {
    using core = constant_core<Chart>;
    static constexpr auto& tables = Chart::tables;
    static constexpr bool outer_first = Chart::order == decision_order::superstate_first;

public:
    std::uint32_t transitions[Chart::size.regions];
    std::size_t count = 0;
    bool guarded = false; ///< a transition was refused

    static bool is_selected(constant_code code) { return (code & 63) == constant_selected; }
    /// Selects one transition, if the code contains it.
    bool add(constant_code code) {
        guarded |= code == static_cast<constant_code>(result::guarded);
        if (is_selected(code)) transitions[count++] = code >> 8;
        return is_selected(code);
    }
    /// `find(leaf)` returns the code of the leaf of a region.
    template <class Find> void select(core& m, Find find) {
        if constexpr (outer_first)
            select_inwards(m, 0, find);
        else
            select_outwards(m, find);
        if (count > 1) remove_conflicting();
    }
    /// Returns taken, or internal if no transition has a target.
    constant_code fire(core& m, const constant_call& call) const {
        bool moves = false;
        for (auto i = count; i-- > 0;) {
            const auto& t = tables.moves[transitions[i]];
            if (!t.has_target) continue;
            moves = true;
            constant_exit_table<Chart>[t.exits + constant_leaf_in<Chart>(m, t.region) - tables.entered[t.region].first](m, call);
        }
        for (std::size_t i = 0; i < count; ++i)
            if (const auto action = constant_move_table<Chart, &constant_move::action>[transitions[i]]) action(m, call);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto entries = constant_move_table<Chart, &constant_move::entries>[transitions[i]]) entries(m, call);
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
