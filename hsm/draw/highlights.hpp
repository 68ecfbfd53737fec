/// What is lit up in a drawing: plain data by the numbers of states and transitions.
///
///     auto lit = hsm::draw::active(chart, agent.leaves());   // one machine: where it is
///     lit.add(hsm::highlights_of(figures, chart));           // and what statistics have seen: hsm/observe/highlights.hpp
///
/// Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/state_ref.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::draw {

/// What is known of a state or transition after a test.
enum class mark : std::uint8_t { none, seen, missing };

/// By number: lists may be shorter than what they are about, or empty.
struct figures {
    std::vector<double> heat;       ///< 0: cold, the largest: the hottest; less than 0: not known
    std::vector<draw::mark> marks;  ///< where a test has been
    std::vector<std::string> notes; ///< one more line, for instance "12 entries"
};

struct highlights {
    std::vector<std::uint32_t> active; ///< states; what contains them is active, too
    std::vector<std::uint32_t> taken;  ///< transitions, for instance the last one
    figures states;
    figures transitions;

    /// Lists that are empty here are taken from there; those of active states and taken transitions are joined.
    highlights& add(const highlights& other);
};

/// The states that are active: those of `instance.leaves()`, of `instance.current()`. What is no state of the chart counts for nothing.
highlights active(const chart_view& chart, std::span<const state_ref> states);
highlights active(const chart_view& chart, state_ref state);
/// By path, as chart_view::find: for constant instances, and for traces.
highlights active(const chart_view& chart, std::string_view path);
template <class States> highlights active(const chart_base& chart, const States& states) { return active(chart.view(), states); }

} // namespace hsm::draw
