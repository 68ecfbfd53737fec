/// Which transitions are enabled, and which of them are taken together: SCXML's select transitions, in the order of the chart.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hsm::detail {

/// What transitions are looked for, and those that were found: at most one of each region.
struct selection {
    enum kind_of : std::uint8_t { event, polled, always, transient } kind;
    std::uint16_t event_number = no_index;
    enabled_transition* found = nullptr; ///< where there are regions, in the block; else `one`
    std::byte* asked = nullptr;          ///< see asked_of
    std::size_t count = 0;
    std::uint16_t deferred = no_index; ///< the number of the event, if somebody defers it
    bool known = false;                ///< somebody knows the event, and refused it
    enabled_transition one{};

    selection(const machine& m, const chart_core& core, kind_of k, std::uint16_t event_number = no_index);
    selection(const selection&) = delete;

    std::span<enabled_transition> transitions() { return {found, count}; }
    /// If nobody does anything with the event.
    result otherwise() const { return deferred != no_index ? result::deferred : known ? result::guarded : result::unhandled; }
};

/// Returns whether there are any.
bool select(machine& m, const chart_core& core, selection& w);
/// As that where there is one region, for what no event is for. Null: none is enabled.
const transition_row* select_alone(machine& m, const chart_core& core, selection::kind_of kind);
/// Those that are always tried, with the superstate first: by level, then by source, wherever that is. Null: none is enabled.
const transition_row* select_always(machine& m, const chart_core& core);
/// Of the polled transitions of that level, where regions are driven. Null: none is enabled.
const transition_row* select_at_level(machine& m, const chart_core& core, index level);
/// As that of one source, where there is one region.
const transition_row* select_at_level(machine& m, const chart_core& core, index level, index source);
/// Of the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* select_completion(machine& m, const chart_core& core);

/// Do its guards agree, and is it time?
bool is_enabled(machine& m, const chart_core& core, const transition_row& t);
/// Does a state hold what would fire? Then it waits, if that is possible.
bool must_wait(machine& m, const chart_core& core, const transition_row& t);
/// The state that it has to wait for, if any that it exits may have to be asked; no_index: none.
index holder_of(machine& m, const chart_core& core, const enabled_transition& e);
/// What calls::can says of an event.
result foresee(machine& m, const chart_core& core, std::uint16_t event_number);

/// Visits the active states in the order in which they decide, until one says yes. Of a parallel, one region after the other.
template <class Visit> bool deciders_inwards(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t s = 0; s < core.states.size(); ++s)
        if (!is_active_now(m, core, static_cast<index>(s)))
            s = core.states[s].last;
        else if (visit(static_cast<index>(s)))
            return true;
    return false;
}

} // namespace hsm::detail
