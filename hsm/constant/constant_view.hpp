/// The view of a constant chart, for output and tools: `hsm::view_of(lamp_chart).transitions()`.
///
/// The definition is compiled at the first call, and the result lives until the program ends. The result matches the constant chart, except for
/// labels and source locations, which a constant definition does not have.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/compile/compile.hpp>
#include <hsm/constant/constant_definition.hpp>

namespace hsm {

/// Returns the chart that traces, coverage and similar functions use for names. Throws std::bad_alloc.
template <class Context, class Define, constant_chart_options Options>
const chart<Context>& chart_of(const constant_chart_of<Context, Define, Options>& of) {
    static const auto compiled = compile(definition_of(of), {.order = Options.order, .remember_finals = Options.remember_finals});
    return compiled;
}

template <class Context, class Define, constant_chart_options Options> chart_view view_of(const constant_chart_of<Context, Define, Options>& of) {
    return chart_of(of).view();
}

} // namespace hsm
