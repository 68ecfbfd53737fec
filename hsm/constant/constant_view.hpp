/// A constant chart as one at run time, for people and tools: `hsm::view_of(lamp_chart).transitions()`.
///
/// The definition is compiled when it is first asked for, and what comes of it stays until the program ends. All that is said of it is true of
/// the constant chart, but for labels, and places in code: a constant definition does not know them.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/compile/compile.hpp>
#include <hsm/constant/constant_definition.hpp>

namespace hsm {

/// What traces, coverage and others take that name what they say by a chart. Throws std::bad_alloc.
template <class Context, class Define, decision_order Order> const chart<Context>& chart_of(const constant_chart_of<Context, Define, Order>& of) {
    static const auto compiled = compile(definition_of(of), {.order = Order});
    return compiled;
}

template <class Context, class Define, decision_order Order> chart_view view_of(const constant_chart_of<Context, Define, Order>& of) {
    return chart_of(of).view();
}

} // namespace hsm
