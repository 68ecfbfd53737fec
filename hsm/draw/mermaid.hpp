/// A chart as a Mermaid state diagram, which GitHub, GitLab and many editors show by themselves, in a block that begins with ```mermaid.
///
/// What the language cannot say is in the list of losses, with what stands for it. Constant charts are drawn by their view:
/// hsm/constant/constant_view.hpp. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

namespace hsm::draw {

/// Throws draw_error (HSM-381).
drawing mermaid(const chart_view& chart, const options& how = {});
inline drawing mermaid(const chart_base& chart, const options& how = {}) { return mermaid(chart.view(), how); }

} // namespace hsm::draw
