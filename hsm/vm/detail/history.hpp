/// Where machines, and the regions inside them, were left last.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// 0: nowhere. By state_row::record.
inline index& record_of(const machine& m, const chart_core& core, std::size_t record) {
    return reinterpret_cast<index*>(m.block + core.layout.records)[record];
}
/// Of the regions inside one that has a history.
inline index* region_records_of(const machine& m, const chart_core& core, std::size_t record) {
    return reinterpret_cast<index*>(m.block + core.layout.region_records) + core.region_record_at[record];
}
/// Before the first exit of what will leave every state up to, and without, `level`.
void record_exits(machine& m, const chart_core& core, index level);

} // namespace hsm::detail
