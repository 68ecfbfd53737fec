/// A chart as an SVG picture, by the program `dot` of Graphviz: `std::ofstream("hero.svg") << hsm::draw::svg(chart);`
///
/// The program is looked for in PATH and gets the text of `hsm::draw::dot` by a pipe; no shell is involved, and no file. On systems
/// that are not POSIX there is no way to run it yet. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/draw/options.hpp>

#include <string>
#include <string_view>

namespace hsm::draw {

/// Throws draw_error: HSM-381 as `dot`; HSM-382, there is no such program; HSM-383, it has failed, with what it says.
std::string svg(const chart_view& chart, const options& how = {});
inline std::string svg(const chart_base& chart, const options& how = {}) { return svg(chart.view(), how); }

/// The same for a text in the language of Graphviz. `format`: what its option -T takes, for instance "png", "pdf".
std::string rendered(std::string_view dot_text, std::string_view format = "svg");

/// Is there such a program? It is looked for anew each time.
bool can_render();

} // namespace hsm::draw
