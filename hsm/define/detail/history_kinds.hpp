/// The table of history states: their names for readers, writers, drawings and code generators.
#pragma once

#include <hsm/define/state_base.hpp>

#include <cstddef>
#include <string_view>

namespace hsm::detail {

struct history_kind_row {
    std::string_view xml;        ///< the kind of a state in XML
    std::string_view definition; ///< the function of a definition
    std::string_view shown;      ///< in texts
};

/// By history_depth.
inline constexpr history_kind_row history_kind_table[] = {
    {},
    {"history", "add_history", "history"},
    {"deep_history", "add_deep_history", "deep history"},
    {"previous", "add_previous", "previous"},
};

constexpr const history_kind_row& by_history_depth(history_depth depth) { return history_kind_table[static_cast<std::size_t>(depth)]; }

} // namespace hsm::detail
