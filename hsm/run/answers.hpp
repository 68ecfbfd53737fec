/// What many machines made of the same event.
#pragma once

#include <hsm/op/result.hpp>

#include <cstddef>

namespace hsm {

/// How many machines answered what: `answers[hsm::result::taken]`.
struct answers {
    std::size_t counts[16] = {};

    std::size_t operator[](result r) const { return counts[static_cast<std::size_t>(r)]; }
    /// Of those that have done, or will do, something about it: taken, internal, deferred, held, queued.
    std::size_t accepted() const {
        return (*this)[result::taken] + (*this)[result::internal] + (*this)[result::deferred] + (*this)[result::held] + (*this)[result::queued];
    }
};

} // namespace hsm
