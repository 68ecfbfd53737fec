/// Highlights for drawings, created from the results of observers:
///
///     hsm::draw::svg(chart, {.highlight = hsm::highlights_of(seen)});              // a coverage
///     hsm::draw::svg(chart, {.highlight = hsm::highlights_of(figures, chart)});    // statistics
///
/// hsm::draw::active highlights the current states. Highlights are a copy and do not change later. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/draw/highlights.hpp>

namespace hsm {

class coverage;
class statistics;

/// Highlights the covered and the missing states and transitions. If coverage does not count a state or transition, it has no highlight.
draw::highlights highlights_of(const coverage& seen);

/// Highlights states by their active time and transitions by their count; notes contain the numbers.
draw::highlights highlights_of(const statistics& figures, const chart_view& chart);
inline draw::highlights highlights_of(const statistics& figures, const chart_base& chart) { return highlights_of(figures, chart.view()); }

} // namespace hsm
