/// The highlights of a drawing: plain data, indexed by the numbers of states and transitions.
///
///     auto lit = hsm::draw::active(chart, agent.leaves());   // the active states of one machine
///     lit.add(hsm::highlights_of(figures, chart));           // the counts of statistics: hsm/observe/highlights.hpp
///
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/state_ref.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::draw {

/// Whether a test has seen a state or transition.
enum class mark : std::uint8_t { none, seen, missing };

/// Lists that are indexed by the number of the state or transition. A list can be empty, or shorter than the number of states or transitions.
struct figures {
    std::vector<double> heat;       ///< 0 is cold, the largest value is the hottest, a negative value means unknown
    std::vector<draw::mark> marks;  ///< whether a test has seen the state or transition
    std::vector<std::string> notes; ///< an additional line, for instance "12 entries"
};

struct highlights {
    std::vector<std::uint32_t> active; ///< states; their superstates are highlighted, too
    std::vector<std::uint32_t> taken;  ///< transitions, for instance the last one
    figures states;
    figures transitions;

    /// Replaces empty lists by those of `other`. Appends the active states and taken transitions of `other`.
    highlights& add(const highlights& other);
};

/// Highlights active states, for instance those of `instance.leaves()` or `instance.current()`. Ignores states of other charts.
highlights active(const chart_view& chart, std::span<const state_ref> states);
highlights active(const chart_view& chart, state_ref state);
/// Highlights the state at this path, see chart_view::find. Use this function for constant instances and traces.
highlights active(const chart_view& chart, std::string_view path);
template <class States> highlights active(const chart_base& chart, const States& states) { return active(chart.view(), states); }

} // namespace hsm::draw
