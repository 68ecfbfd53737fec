/// Finds in advance all classes of a chart's machines that cannot be saved.
///
///     for (const auto& f : hsm::check_saveable(chart, hsm::saving::document)) std::puts(f.to_string().c_str());
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/finding.hpp>

#include <vector>

namespace hsm {

/// The purpose of saving.
enum class saving {
    image,    ///< requires the fields of classes that are not trivially copyable
    document, ///< also requires the fields of classes that contain floating-point numbers or padding
    hash,     ///< for hashes and differences; has the same requirements as a document
};

/// Returns a finding (HSM-351) for each class of locals and events that cannot be saved. The finding names the first state that has the local, or the
/// first transition that waits for the event. Returns no findings if everything can be saved.
std::vector<finding> check_saveable(const chart_base& chart, saving purpose);

} // namespace hsm
