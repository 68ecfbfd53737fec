/// A callable whose type has been forgotten: one function that knows how to call it, and the object, if it has state.
/// One captureless function per user lambda is all that the compiler has to make; the rest is shared.
#pragma once

#include <hsm/define/frame.hpp>
#include <hsm/define/local.hpp>

#include <cstdint>
#include <utility>

namespace hsm {

/// The locals that a hook's parameters ask for, so that the check can tell when there are none.
struct wanted_locals {
    const local_type* const* types = nullptr;
    std::uint32_t count = 0;
};

template <class Signature> class erased;

template <class R, class Argument> class erased<R(Argument)> {
public:
    using function_type = R (*)(const void* self, Argument argument);

    erased() = default;
    erased(function_type function, const void* object, void (*release)(const void*) noexcept, wanted_locals locals)
        : call_(function), self_(object), release_(release), wants_(locals) {}
    erased(erased&& other) noexcept
        : call_(other.call_), self_(other.self_), release_(std::exchange(other.release_, nullptr)),
          wants_(other.wants_) {}
    erased& operator=(erased&& other) noexcept {
        std::swap(call_, other.call_);
        std::swap(self_, other.self_);
        std::swap(release_, other.release_);
        std::swap(wants_, other.wants_);
        return *this;
    }
    ~erased() {
        if (release_) release_(self_);
    }

    R operator()(Argument argument) const { return call_(self_, argument); }
    explicit operator bool() const { return call_ != nullptr; }

    function_type call() const { return call_; }
    const void* self() const { return self_; }
    wanted_locals wants() const { return wants_; }

private:
    function_type call_ = nullptr;
    const void* self_ = nullptr;
    void (*release_)(const void*) noexcept = nullptr;
    wanted_locals wants_;
};

using hook = erased<void(frame&)>;
using guard = erased<bool(frame&)>;
/// Finds the part of a superstate's context that a nested machine works on.
using projection = erased<void*(void*)>;

} // namespace hsm
