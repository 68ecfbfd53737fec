/// A callable whose type has been forgotten: the op that calls it, and the object, if it has state.
/// One function per user lambda is all that the compiler has to make; the rest is shared.
#pragma once

#include <hsm/define/machine.hpp>

#include <cstdint>
#include <utility>

namespace hsm {

/// What a hook's parameters ask for.
struct hook_needs {
    const local_type* const* locals = nullptr; ///< so that the check can tell when there are none
    std::uint32_t local_count = 0;
    bool moment = false; ///< the step, a local, the elapsed time: what an instance keeps in a `moment`
};

template <class Function> class erased {
public:
    using function_type = Function;

    erased() = default;
    erased(Function function, const void* object, void (*release)(const void*) noexcept, hook_needs needs = {})
        : call_(function), self_(object), release_(release), needs_(needs) {}
    erased(erased&& other) noexcept
        : call_(other.call_), self_(other.self_), release_(std::exchange(other.release_, nullptr)),
          needs_(other.needs_) {}
    erased& operator=(erased&& other) noexcept {
        std::swap(call_, other.call_);
        std::swap(self_, other.self_);
        std::swap(release_, other.release_);
        std::swap(needs_, other.needs_);
        return *this;
    }
    ~erased() {
        if (release_) release_(self_);
    }

    explicit operator bool() const { return call_ != nullptr; }
    Function call() const { return call_; }
    const void* self() const { return self_; }
    const hook_needs& needs() const { return needs_; }

private:
    Function call_ = nullptr;
    const void* self_ = nullptr;
    void (*release_)(const void*) noexcept = nullptr;
    hook_needs needs_;
};

using op_function = const op* (*)(const op* at, machine& m);

/// Runs the hook, then the next op.
using hook = erased<op_function>;
/// Asks the guard. If it holds, the op after the next; if not, the target of the next.
struct guard : erased<op_function> {
    using erased::erased;
};
/// Finds the part of a superstate's context that a nested machine works on.
using projection = erased<void* (*)(const void* self, void* context)>;

} // namespace hsm
