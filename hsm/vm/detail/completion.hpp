/// States that are marked as finished. Those whose completion has not been tried yet are due.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

inline mark_bits marks_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.marks); }
inline mark_bits due_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.due); }

inline bool is_marked_over(const machine& m, const chart_core& core, index s) {
    return s == 0 ? (m.work & work_over) != 0 : core.states[s].marked && marks_of(m, core)[s];
}
/// Marks a state as finished. Ignored unless it is the root or has transitions on completion.
void mark_over(machine& m, const chart_core& core, index s);
void clear_mark(machine& m, const chart_core& core, index s);

/// With driven regions: the states that are due, in the order in which they were marked.
struct due_list {
    std::uint32_t count;
    index states[1]; ///< the real size is the number of states
};
inline due_list& due_list_of(const machine& m, const chart_core& core) { return *reinterpret_cast<due_list*>(m.block + core.layout.due_list); }
/// Returns the state whose completion is tried next: the oldest mark that no other due state contains or, with the substate first, that contains
/// none. no_index: none is due.
index next_due(const machine& m, const chart_core& core);
/// Call it when the completion of `s` is tried, or `s` was exited.
void clear_due(const machine& m, const chart_core& core, index s);

} // namespace hsm::detail
