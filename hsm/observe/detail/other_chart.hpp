/// The error for adding the counts of two different charts.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/observe/coverage_error.hpp>

namespace hsm::detail {

/// `other` and `root` describe the other chart; `root` is empty if unknown.
coverage_error other_chart(const chart_view& known, const fingerprint& other, std::string_view root = {}, std::size_t line = 0);
inline coverage_error other_chart(const chart_view& known, const chart_view& other) {
    return other_chart(known, other.fingerprint(), other.root().path());
}

} // namespace hsm::detail
