/// Options of a chart.
#pragma once

#include <hsm/define/detail/owned_text.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {

enum class decision_order : std::uint8_t {
    superstate_first, ///< the outer state decides first; events that it does not handle go to the inner state
    substate_first,   ///< the inner state decides first (UML, SCXML)
};

struct compile_options {
    decision_order order = decision_order::superstate_first;
    std::size_t row_memory = std::size_t(8) << 20; ///< maximum bytes of the event table; if it would be larger, the chart uses lists instead
    /// The limit in bytes for the programs (lists of steps) of a chart. If separate programs for each leaf would exceed the limit, the leaves of a
    /// superstate share programs. Superstates get shared programs as far as the limit permits, beginning with the outermost ones. Transitions
    /// without a shared program are executed from program parts, whose total size is proportional to the definition.
    std::size_t program_memory = std::size_t(16) << 20;
    /// True: history also enters a recorded final state again (SCXML). False: the final state's machine makes its entry choice instead (UML).
    bool remember_finals = false;
    bool entry_times = true; ///< stores entry times: 8 bytes per level and region of an instance; without them, time_in_state is zero
    /// True: each transition that has a target and `after`, but no event, fires at the moment when it is due. `time_in_state` and timers of the
    /// states that it enters count from that moment. False: this applies only to transitions with carry_over().
    bool carry_over = false;
    /// When a machine enters a final substate, or all regions of a parallel are in final substates, hsm adds a named event to the internal queue. The
    /// event is added only if a transition waits for it. Its name is "done.state." followed by the done_id of the machine or parallel.
    bool done_events = false;
    /// The name of the event that reports exceptions of guards. If the name is empty, these exceptions propagate. Otherwise, a guard that throws
    /// counts as false. If a transition waits for the event, hsm adds the event to the internal queue, with the text of the exception as its data.
    detail::owned_text guard_error = {};
    std::size_t max_findings = 1000; ///< the maximum number of errors, and of warnings, in a result; others are only counted
};

} // namespace hsm
