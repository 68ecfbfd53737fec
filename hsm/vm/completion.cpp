#include <hsm/vm/detail/completion.hpp>

#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
bool regions_over(const machine& m, const chart_core& core, index parallel) {
    const auto& inner = core.states[parallel].regions;
    for (auto r = inner.first; r < inner.first + inner.count; ++r)
        if (core.states[core.regions[r]].superstate == parallel && !is_marked_over(m, core, core.regions[r])) return false;
    return true;
}
} // namespace

void mark_over(machine& m, const chart_core& core, index s) {
    if (!core.states[s].marked || is_marked_over(m, core, s)) return;
    trace(m, core, {record_kind::finished, 0, s, record::no_number, 0});
    m.work |= s == 0 ? work_completion | work_over : work_completion;
    if (core.has_over) stop_watching(m);
    if (s == 0) return;
    marks_of(m, core).set(s);
    due_of(m, core).set(s);
    if (core.by_regions) {
        auto& list = due_list_of(m, core);
        list.states[list.count++] = s;
    }
    const auto outer = core.states[s].superstate;
    if (core.states[outer].kind == state_kind::parallel && regions_over(m, core, outer)) mark_over(m, core, outer);
}

void clear_mark(machine& m, const chart_core& core, index s) {
    if (core.has_over) stop_watching(m);
    if (s == 0) {
        m.work = static_cast<std::uint8_t>(m.work & ~work_over);
    } else if (core.states[s].marked) {
        marks_of(m, core).clear(s);
        clear_due(m, core, s);
    }
}

void clear_due(const machine& m, const chart_core& core, index s) {
    if (!due_of(m, core)[s]) return;
    due_of(m, core).clear(s);
    if (!core.by_regions) return;
    auto& list = due_list_of(m, core);
    auto* const end = list.states + list.count;
    std::remove(list.states, end, s);
    --list.count;
}

index next_due(const machine& m, const chart_core& core) {
    const bool outer_first = core.options.order == decision_order::superstate_first;
    if (!core.by_regions) { // all states that are due are on one path
        auto next = no_index;
        for (auto s = m.leaf; s != no_index && s != 0 && (outer_first || next == no_index); s = core.states[s].superstate)
            if (core.states[s].marked && due_of(m, core)[s]) next = s;
        return next;
    }
    const auto& list = due_list_of(m, core);
    const auto* const end = list.states + list.count;
    const auto* const found = std::find_if(list.states, end, [&](index s) {
        return std::none_of(list.states, end,
                            [&](index other) { return other != s && (outer_first ? core.contains(other, s) : core.contains(s, other)); });
    });
    return found == end ? no_index : *found;
}

} // namespace hsm::detail
