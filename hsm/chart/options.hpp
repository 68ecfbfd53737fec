/// What is decided once for a chart.
#pragma once

#include <hsm/define/detail/kept_text.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {

enum class decision_order : std::uint8_t {
    superstate_first, ///< the outer state decides; what it does not handle goes to the inner one
    substate_first,   ///< the inner state decides (UML, SCXML)
};

struct compile_options {
    decision_order order = decision_order::superstate_first;
    std::size_t row_memory = std::size_t(8) << 20; ///< bytes; a chart whose table of events would be larger looks them up in lists
    /// Bytes; a chart whose programs would be larger has none of its own for each leaf. Then leaves share those of their superstates, as far
    /// as they fit, outer ones first; the rest is put together from parts when it happens. All that is as large as what was written.
    std::size_t program_memory = std::size_t(16) << 20;
    bool remember_finals = false; ///< history goes back to final states, too (SCXML); otherwise their machine begins anew (UML)
    bool entry_times = true;      ///< keep when states were entered: 8 bytes per level, and region, of an instance; without, time_in_state is zero
    /// All transitions with a target and `after`, and without an event, fire at the moment at which they are due. The states that they enter count
    /// from that moment. If false, only transitions with carry_over() do.
    bool carry_over = false;
    /// A machine in which a final substate is entered, and a parallel whose regions have all come to such a one, raise named events in the
    /// internal queue: "done.state." and its done_id, where a transition waits for that.
    bool done_events = false;
    /// A guard that throws refuses, and a named event of this name joins the internal queue; as data it has what the exception says. Empty: what
    /// it throws goes through.
    detail::kept_text guard_error = {};
    std::size_t max_findings = 1000; ///< errors, or warnings, that are told; the others are counted
};

} // namespace hsm
