/// A callable whose type has been forgotten: the op that calls it, and the object, if it has state.
/// One function per user lambda is all that the compiler has to make; the rest is shared.
#pragma once

#include <hsm/define/detail/agent_run.hpp>
#include <hsm/define/detail/shared_name.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/op/detail/machine.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hsm::detail {

/// What a hook's parameters ask for.
struct hook_needs {
    const local_type* const* locals = nullptr; ///< so that the check can tell when there are none
    std::uint32_t local_count = 0;
    bool hook_context = false;   ///< the step, a local, the elapsed time: what an instance has in a hook_context
    bool step = false;           ///< why it runs, and of which state it is
    bool event = false;          ///< the object of the event that is being handled
    bool answers = false;        ///< it is an update that may return the state to go to next
    run_function many = nullptr; ///< the same hook for many agents; null: it needs more than context and time, or is no update
};

/// What an `erased` is made of, on its way there. It owns nothing: where a callable is bound, nothing has to be cleaned up,
/// code that the compiler would otherwise make for each lambda.
template <class Function> struct erased_parts {
    Function call = nullptr;
    const void* self = nullptr; ///< the object; null if the callable has no state
    void (*release)(const void*) noexcept = nullptr;
    hook_needs needs;
    origin where = {};                  ///< the word that it was given to
    const std::string* label = nullptr; ///< handed over, as the object is
};

/// Begins the name of what was made by a class, or by that of a local, and so is named nowhere.
inline constexpr std::string_view mark_of_class = "\x1f";

template <class Function> class erased {
public:
    using function_type = Function;

    erased() = default;
    explicit erased(const erased_parts<Function>& parts) : parts_(parts) {}
    erased(erased&& other) noexcept : parts_(std::exchange(other.parts_, {})), name_(std::move(other.name_)) {}
    erased& operator=(erased&& other) noexcept {
        std::swap(parts_, other.parts_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~erased() {
        if (parts_.release) parts_.release(parts_.self);
        delete parts_.label;
    }

    explicit operator bool() const { return parts_.call != nullptr; }
    Function call() const { return parts_.call; }
    const void* self() const { return parts_.self; }
    const hook_needs& needs() const { return parts_.needs; }

    /// By which it is registered, for those who read or write definitions; empty if it has none.
    std::string_view name() const { return name_.view(); }
    void set_name(std::string_view name) { name_ = shared_name(name); }
    void set_name(shared_name name) { name_ = std::move(name); }

    /// What people call it: the label that `named` gave, or else the name by which it is registered; empty if it has neither.
    std::string_view label() const {
        if (parts_.label) return *parts_.label;
        return name().starts_with(mark_of_class) ? std::string_view() : name();
    }

    void set_label(std::string_view label) {
        delete std::exchange(parts_.label, nullptr);
        if (!label.empty()) parts_.label = new std::string(label);
    }

    /// The word that it was given to, or where a file names it; nowhere: that of its state.
    origin where() const { return parts_.where; }
    void set_where(origin where) { parts_.where = where; }

private:
    erased_parts<Function> parts_;
    shared_name name_;
};

using op_function = const op* (*)(const op* at, machine& m);
using op_parts = erased_parts<op_function>;

/// Runs the hook, then the next op.
using hook = erased<op_function>;
/// Asks the guard. If it holds, the op after the next; if not, the target of the next.
struct guard : erased<op_function> {
    using erased::erased;
};
/// Finds the part of a superstate's context that a nested machine works on.
using projection = erased<void* (*)(const void* self, void* context)>;

} // namespace hsm::detail
