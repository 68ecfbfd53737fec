/// Draws a chart as a Mermaid state diagram. GitHub, GitLab and many editors render the diagram in a block that begins with ```mermaid.
///
/// For the losses, see drawing.hpp. For constant charts, draw their view: hsm/constant/constant_view.hpp. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

namespace hsm::draw {

/// Returns the drawing. Throws draw_error (HSM-381).
drawing mermaid(const chart_view& chart, const options& how = {});
inline drawing mermaid(const chart_base& chart, const options& how = {}) { return mermaid(chart.view(), how); }

} // namespace hsm::draw
