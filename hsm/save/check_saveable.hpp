/// What of a chart's machines cannot be saved, all at once, before somebody needs it.
///
///     for (const auto& f : hsm::check_saveable(chart, hsm::saving::document)) std::puts(f.to_string().c_str());
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/finding.hpp>

#include <vector>

namespace hsm {

/// What for.
enum class saving {
    image,    ///< of classes that are not trivially copyable the fields must be known
    document, ///< and of those that contain floating-point numbers or padding
    hash,     ///< the same as for a document: for hashes and differences
};

/// A finding (HSM-351) for each class of locals and of events that lacks something, at the first state that has it, or transition that waits for it.
/// Empty: all can be saved.
std::vector<finding> check_saveable(const chart_base& chart, saving purpose);

} // namespace hsm
