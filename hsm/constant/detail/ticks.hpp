/// The programs of a constant chart by leaf: the steps of its tick, the work after a transition, the stop.
#pragma once

#include <hsm/constant/detail/dispatch.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

/// The result of the beginning of a tick: the code of the first step with an effect, and this step; constant_next if there was none.
struct constant_beginning {
    constant_code code;
    std::uint32_t step;
};

/// Returns whether every tick ends with the first effect, because no step can follow another: as in a flat machine without updates.
template <class Chart> consteval bool constant_step_ends_tick() {
    for (const auto& done : Chart::tables.steps)
        for (const auto& next : Chart::tables.steps)
            if (flatten::section_comes_after(done.depth, done.is_update, next.depth, next.is_update)) return false;
    return true;
}

/// Returns whether hooks or reactions have left work.
template <class Chart> bool constant_has_work(const constant_core<Chart>& m) {
    if constexpr (Chart::size.finishes)
        if (m.due) return true;
    if constexpr (Chart::size.ends)
        if (m.root_mark.is_set) return true;
    return m.work & (constant_queued | constant_stop | constant_fired);
}

/// Returns whether what follows from a step comes before the next step.
template <class Chart> bool constant_interrupts(const constant_core<Chart>& m, bool continues) {
    if (Chart::size.holds > 0 && !continues && m.work & (constant_waits | constant_pends)) return true; // these are tried again
    return continues ? (m.work & constant_stop) != 0 : constant_has_work<Chart>(m);
}

/// `Work`: whether an update can leave work.
template <class Chart, bool Work, std::uint32_t Step, std::uint32_t End>
HSM_ALWAYS_INLINE inline constant_beginning constant_steps(constant_core<Chart>& m, const constant_call& call) {
    if constexpr (Step == End) {
        return {constant_next, Step};
    } else {
        constexpr auto step = Chart::tables.steps[Step];
        const auto code = constant_run<Chart, step.program>(m, call);
        if (code != constant_next) return {code, Step};
        if constexpr (Work && step.is_update)
            if (constant_interrupts<Chart>(m, step.continues)) return {code, Step};
        return constant_steps<Chart, Work, Step + 1, End>(m, call);
    }
}

template <class Chart, bool Work, std::size_t Rank>
HSM_ALWAYS_INLINE inline constant_beginning constant_tick_of(constant_core<Chart>& m, std::int64_t elapsed) {
    constexpr auto steps = Chart::tables.leaves[Rank].steps;
    return constant_steps<Chart, Work, steps.first, steps.first + steps.count>(m, {nullptr, elapsed});
}

template <class Chart, bool Work, std::size_t Rank> constant_beginning constant_tick(constant_core<Chart>& m, std::int64_t elapsed) {
    return constant_tick_of<Chart, Work, Rank>(m, elapsed);
}

template <class Chart> using constant_function_of = constant_code (*)(constant_core<Chart>&, const constant_call&);

template <class Chart, std::uint32_t Program> consteval constant_function_of<Chart> constant_function_or_none() {
    if constexpr (Program == 0)
        return nullptr;
    else
        return &constant_function<Chart, Program>;
}

/// The tick of an instance that is not started.
template <class Chart> constant_beginning constant_no_tick(constant_core<Chart>&, std::int64_t) {
    return {static_cast<constant_code>(result::inactive), 0};
}
template <class Chart, bool Work, std::size_t... Leaf> consteval auto make_constant_ticks(std::index_sequence<Leaf...>) {
    using function = constant_beginning (*)(constant_core<Chart>&, std::int64_t);
    return constant_array<function, sizeof...(Leaf) + 1>{&constant_tick<Chart, Work, Leaf>..., &constant_no_tick<Chart>};
}
template <class Chart, std::size_t... Step> consteval auto make_constant_steps(std::index_sequence<Step...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(Step)>{&constant_function<Chart, Chart::tables.steps[Step].program>...};
}
template <class Chart, std::uint32_t constant_leaf_row::*Program, std::size_t... Leaf>
consteval auto make_constant_functions(std::index_sequence<Leaf...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(Leaf)>{constant_function_or_none<Chart, Chart::tables.leaves[Leaf].*Program>()...};
}

template <class Chart, std::size_t... I> consteval auto make_constant_retries(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.retries[I]>()...};
}
template <class Chart, std::size_t... I> consteval auto make_constant_overdue(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.overdue[I]>()...};
}
template <class Chart, std::size_t... I> consteval auto make_constant_declined(std::index_sequence<I...>) {
    return constant_array<constant_function_of<Chart>, sizeof...(I)>{constant_function_or_none<Chart, Chart::tables.declined[I]>()...};
}

// Tables are generated only for charts that use them.
template <class Chart>
inline constexpr auto constant_declined_table = make_constant_declined<Chart>(std::make_index_sequence<Chart::size.declined>());
template <class Chart> inline constexpr auto constant_overdue_table = make_constant_overdue<Chart>(std::make_index_sequence<Chart::size.overdue>());
template <class Chart> inline constexpr auto constant_retry_table = make_constant_retries<Chart>(std::make_index_sequence<Chart::size.retries>());
template <class Chart, bool Work>
inline constexpr auto constant_tick_table = make_constant_ticks<Chart, Work>(std::make_index_sequence<Chart::size.leaves>());
template <class Chart> inline constexpr auto constant_step_table = make_constant_steps<Chart>(std::make_index_sequence<Chart::size.steps>());
template <class Chart, std::uint32_t constant_leaf_row::*Program>
inline constexpr auto constant_leaf_table = make_constant_functions<Chart, Program>(std::make_index_sequence<Chart::size.leaves>());

/// Selects by comparisons, as for events (dispatch.hpp).
template <class Chart, bool Work, std::size_t... Leaf>
HSM_ALWAYS_INLINE inline constant_beginning constant_select_tick(constant_core<Chart>& m, std::int64_t elapsed, std::index_sequence<Leaf...>) {
    auto begun = constant_no_tick<Chart>(m, elapsed);
    const auto leaf = m.leaf;
    (void)((leaf == Leaf && (begun = constant_tick_of<Chart, Work, Leaf>(m, elapsed), true)) || ...);
    return begun;
}
template <class Chart, bool Work> HSM_ALWAYS_INLINE inline constant_beginning constant_begin_tick(constant_core<Chart>& m, std::int64_t elapsed) {
    if constexpr (Chart::size.leaves > compiler_joins_comparisons)
        return constant_tick_table<Chart, Work>[m.leaf](m, elapsed);
    else
        return constant_select_tick<Chart, Work>(m, elapsed, std::make_index_sequence<Chart::size.leaves>());
}

} // namespace hsm::detail
