/// How every call begins and ends: nothing else comes in between.
#pragma once

#include <tests/reference/interpreter.hpp>

namespace hsm::detail {

/// Runs what must not be interrupted by another call from a hook. A stop asked for by a hook that then threw still counts.
/// What would have followed from the last transition is given up.
template <class Body> result interpreter::exclusively(Body body) {
    if (busy_ || looking_) return result::busy;
    busy_ = true;
    try {
        const auto outcome = body();
        busy_ = false;
        return outcome;
    } catch (...) {
        transients_due_ = always_due_ = recall_due_ = false;
        just_entered_.clear();
        try {
            if (stop_requested_) stop_now();
        } catch (...) { // the first exception is the one that is told
        }
        if (active_.empty()) {
            internal_.clear();
            posted_.clear();
            deferred_.clear();
        }
        busy_ = false;
        throw;
    }
}

} // namespace hsm::detail
