/// Selects the enabled transitions and those that are taken together: SCXML's selectTransitions, in the chart's order.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

/// The kind of transitions to select, and the selected ones: at most one of each region.
struct selection {
    enum kind_of : std::uint8_t { event, polled, always, transient } kind;
    std::uint16_t event_number = no_index;
    enabled_transition* found = nullptr; ///< in the block if there are regions, otherwise `one`
    std::byte* looked_up = nullptr;      ///< see looked_up_of
    std::size_t count = 0;
    std::uint16_t deferred = no_index; ///< the event's number, if a state defers it
    bool known = false;                ///< a transition of an active state handles the event, but its guards refused
    enabled_transition one{};

    selection(const machine& m, const chart_core& core, kind_of k, std::uint16_t event_number = no_index);
    selection(const selection&) = delete;

    std::span<enabled_transition> transitions() { return {found, count}; }
    /// Returns the result of an event for which no transition was found.
    result otherwise() const { return deferred != no_index ? result::deferred : known ? result::guarded : result::unhandled; }
};

/// A selection with memory of its own.
struct separate_selection : selection {
    separate_selection(const machine& m, const chart_core& core, kind_of k, std::uint16_t number = no_index)
        : selection(m, core, k, number), own_found_(core.regions.size() + 1), own_asked_(2 * words_for(core.regions.size())) {
        found = own_found_.data();
        looked_up = reinterpret_cast<std::byte*>(own_asked_.data());
    }

private:
    std::vector<enabled_transition> own_found_;
    std::vector<std::uint64_t> own_asked_;
};

/// Returns whether any transition was selected.
bool select(machine& m, const chart_core& core, selection& w);
/// Selects for a chart with one region, without an event. Null: none is enabled.
const transition_row* select_alone(machine& m, const chart_core& core, selection::kind_of kind);
/// Selects one of the `.always()` transitions by level, then by source; for superstate_first. Null: none is enabled.
const transition_row* select_always(machine& m, const chart_core& core);
/// Selects one of the polled transitions of a level in driven regions. Null: none is enabled.
const transition_row* select_at_level(machine& m, const chart_core& core, index level);
/// Does the same for one source of a chart with one region.
const transition_row* select_at_level(machine& m, const chart_core& core, index level, index source);
/// Selects a completion transition of a finished state. Each finished state is tried once per mark.
const transition_row* select_completion(machine& m, const chart_core& core);

/// Returns whether the guards of the transition accept and its time has come.
bool is_enabled(machine& m, const chart_core& core, const transition_row& t);
/// Returns whether a state holds the transition. If it can wait, it is stored as waiting.
bool must_wait(machine& m, const chart_core& core, const transition_row& t);
/// Returns a state that would exit and holds; no_index: none.
index holder_of(machine& m, const chart_core& core, const enabled_transition& e);
/// Returns the result of calls::can for an event.
result preview(machine& m, const chart_core& core, std::uint16_t event_number);

/// Visits the active states in the order of definition until `visit` returns true. The regions of a parallel follow each other.
template <class Visit> bool deciders_inwards(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t s = 0; s < core.states.size(); ++s)
        if (!is_active_now(m, core, static_cast<index>(s)))
            s = core.states[s].last;
        else if (visit(static_cast<index>(s)))
            return true;
    return false;
}

} // namespace hsm::detail
