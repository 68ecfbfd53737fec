/// The first exception of several functions, for calls that continue after an exception.
#pragma once

#include <exception>
#include <new>
#include <utility>

namespace hsm::detail {

class first_exception {
public:
    template <class Body> void of(Body body) {
        try {
            body();
        } catch (const std::bad_alloc&) {
            lacked_memory_ = true;
            store(std::current_exception());
        } catch (...) {
            store(std::current_exception());
        }
    }
    /// Moves the exception of functions that ran later.
    void take(first_exception& later) {
        store(std::exchange(later.first_, nullptr));
        lacked_memory_ |= std::exchange(later.lacked_memory_, false);
    }
    bool lacked_memory() const { return lacked_memory_; } ///< true if one of the functions threw std::bad_alloc
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    void store(std::exception_ptr thrown) {
        if (!first_) first_ = std::move(thrown);
    }

    std::exception_ptr first_;
    bool lacked_memory_ = false;
};

} // namespace hsm::detail
