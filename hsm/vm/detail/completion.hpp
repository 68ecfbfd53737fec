/// States that have been marked as over, and which of these are due: their completion has not been tried yet.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

inline mark_bits marks_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.marks); }
inline mark_bits due_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.due); }

inline bool is_marked_over(const machine& m, const chart_core& core, index s) {
    return s == 0 ? (m.work & work_over) != 0 : core.states[s].marked && marks_of(m, core)[s];
}
/// Being over matters for the root, and for states with transitions on completion; it is forgotten for others.
void mark_over(machine& m, const chart_core& core, index s);
void clear_mark(machine& m, const chart_core& core, index s);

/// Where regions are driven: the states that are due, in the order in which they were marked.
struct due_list {
    std::uint32_t count;
    index states[1]; ///< as many as the chart has
};
inline due_list& due_list_of(const machine& m, const chart_core& core) { return *reinterpret_cast<due_list*>(m.block + core.layout.due_list); }
/// The state whose completion is tried next: the oldest mark that no other one contains, or, with the substate first, that contains none;
/// no_index: none is due.
index next_due(const machine& m, const chart_core& core);
/// It is not due any more: its completion is being tried, or it has been left.
void clear_due(const machine& m, const chart_core& core, index s);

} // namespace hsm::detail
