/// What is decided once for a chart.
#pragma once

#include <cstdint>

namespace hsm {

enum class decision_order : std::uint8_t {
    superstate_first, ///< the outer state decides; what it does not handle goes to the inner one
    substate_first,   ///< the inner state decides (UML, SCXML)
};

struct compile_options {
    decision_order order = decision_order::superstate_first;
    bool entry_times = true; ///< keep when states were entered: 8 bytes per level and instance; without, time_in_state is zero
};

} // namespace hsm
