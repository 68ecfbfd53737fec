/// Draws a chart as a PlantUML state diagram: `plantuml -tsvg hero.puml`.
///
/// For the losses, see drawing.hpp. For constant charts, draw their view: hsm/constant/constant_view.hpp. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

namespace hsm::draw {

/// Returns the drawing. Throws draw_error (HSM-381).
drawing plantuml(const chart_view& chart, const options& how = {});
inline drawing plantuml(const chart_base& chart, const options& how = {}) { return plantuml(chart.view(), how); }

} // namespace hsm::draw
