/// The results of one event that many machines processed.
#pragma once

#include <hsm/op/result.hpp>

#include <cstddef>

namespace hsm {

/// Counts the machines that returned each result: `result_counts[hsm::result::taken]`.
struct result_counts {
    std::size_t counts[16] = {};

    std::size_t operator[](result r) const { return counts[static_cast<std::size_t>(r)]; }
    /// Returns the number of machines that handled the event or will handle it: taken, internal, deferred, held and queued.
    std::size_t accepted() const {
        return (*this)[result::taken] + (*this)[result::internal] + (*this)[result::deferred] + (*this)[result::held] + (*this)[result::queued];
    }
};

using answers [[deprecated("renamed to result_counts")]] = result_counts;

} // namespace hsm
