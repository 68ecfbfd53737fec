/// What observers have seen, as highlights of a drawing:
///
///     hsm::draw::svg(chart, {.highlight = hsm::highlights_of(seen)});              // a coverage
///     hsm::draw::svg(chart, {.highlight = hsm::highlights_of(figures, chart)});    // statistics
///
/// Where a machine is now is said by hsm::draw::active. The highlights are a copy: what is seen later is not in them. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/draw/highlights.hpp>

namespace hsm {

class coverage;
class statistics;

/// States and transitions that were seen, and those that are missing. What coverage never counts is neither.
draw::highlights highlights_of(const coverage& seen);

/// Of states the time in which they were active, of transitions how often they were taken; with numbers as notes.
draw::highlights highlights_of(const statistics& figures, const chart_view& chart);
inline draw::highlights highlights_of(const statistics& figures, const chart_base& chart) { return highlights_of(figures, chart.view()); }

} // namespace hsm
