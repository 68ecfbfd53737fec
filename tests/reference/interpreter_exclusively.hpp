/// The beginning and end of every call.
#pragma once

#include <tests/reference/interpreter.hpp>

namespace hsm::detail {

/// Runs `body`, which calls of hooks must not interrupt. A stop requested by a hook that then threw is still executed. Work that would follow the
/// last transition is discarded.
template <class Body> result interpreter::exclusively(Body body) {
    if (busy_ || looking_) return result::busy;
    busy_ = true;
    try {
        const auto outcome = body();
        if (over()) forget_due_requests();
        busy_ = false;
        return outcome;
    } catch (...) {
        transients_due_ = always_due_ = recall_due_ = false;
        just_entered_.clear();
        forget_due_requests();
        try {
            if (stop_requested_) stop_now();
        } catch (...) { // the first exception is reported
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
