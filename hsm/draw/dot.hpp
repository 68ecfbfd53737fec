/// Draws a chart in the language of Graphviz: `std::ofstream("hero.dot") << hsm::draw::dot(chart).text;`, then `dot -Tsvg hero.dot -o hero.svg`.
///
/// The drawing is complete. Each state is a node or a cluster with an `id` made from its path. Each transition is an edge with the class "tN", where
/// N is the number of the transition. So a page can find the edge in the SVG. For constant charts, draw their view: hsm/constant/constant_view.hpp.
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

namespace hsm::draw {

/// Returns the drawing. Throws draw_error (HSM-381).
drawing dot(const chart_view& chart, const options& how = {});
inline drawing dot(const chart_base& chart, const options& how = {}) { return dot(chart.view(), how); }

} // namespace hsm::draw
