/// Draws a chart as a tree, for terminals and logs: `std::fputs(hsm::draw::text(chart).text.c_str(), stdout);`
///
/// Each state is a line with its transitions below it; active states have a marker. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

namespace hsm::draw {

/// Returns the drawing. Throws draw_error (HSM-381).
drawing text(const chart_view& chart, const options& how = {});
inline drawing text(const chart_base& chart, const options& how = {}) { return text(chart.view(), how); }

} // namespace hsm::draw
