/// The records of the states in which machines, and the regions inside them, were last left.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// Returns a record by state_row::record; 0: none.
inline index& record_of(const machine& m, const chart_core& core, std::size_t record) {
    return reinterpret_cast<index*>(m.block + core.layout.records)[record];
}
/// Returns the records of the regions inside a history owner.
inline index* region_records_of(const machine& m, const chart_core& core, std::size_t record) {
    return reinterpret_cast<index*>(m.block + core.layout.region_records) + core.region_record_at[record];
}
/// Returns the substate to which a previous state leads, also before the present substate exits; 0: none. Its records are the two substates that
/// exited last, the last one first.
index previous_of(const machine& m, const chart_core& core, index s);
/// Returns the record to which a history state leads; 0: none.
inline index recorded_for(const machine& m, const chart_core& core, index history) {
    return core.is_previous(history) ? previous_of(m, core, history) : record_of(m, core, core.states[core.states[history].superstate].record);
}
/// Call it before the first exit of a transition that exits every state below `level`.
void record_exits(machine& m, const chart_core& core, index level);

} // namespace hsm::detail
