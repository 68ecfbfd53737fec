/// Draws a chart as an SVG picture, with the program `dot` of Graphviz: `std::ofstream("hero.svg") << hsm::draw::svg(chart);`
///
/// The program is found in PATH and receives the text of `hsm::draw::dot` through a socket, without a shell or a file. This requires a POSIX system;
/// elsewhere, HSM-382 is thrown. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/options.hpp>

#include <string>
#include <string_view>

namespace hsm::draw {

/// Returns the SVG text. Throws draw_error: HSM-381 as hsm::draw::dot does; HSM-382 if the program cannot be run; HSM-383, with the program's error
/// output, if the program fails.
std::string svg(const chart_view& chart, const options& how = {});
inline std::string svg(const chart_base& chart, const options& how = {}) { return svg(chart.view(), how); }

/// Renders a text in the language of Graphviz. `format` is a value of Graphviz's option -T, for instance "png" or "pdf". Throws draw_error (HSM-382
/// or HSM-383) as svg does.
std::string rendered(std::string_view dot_text, std::string_view format = "svg");

/// Returns whether the program can be run. Each call searches for the program.
bool can_render();

} // namespace hsm::draw
