/// A type-erased callable: the op that calls it, and the object, if it has state. The compiler generates only one function for each lambda; the rest
/// is shared.
#pragma once

#include <hsm/define/detail/owned_text.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hsm::detail {

/// Agents of a crowd that have only an update hook to run. One loop, into which the hook is inlined, runs them instead of one op for each agent. A
/// hook that calls its own agent through the crowd interrupts the loop.
struct agent_run {
    void* contexts; ///< an array of contexts
    time_span elapsed;
    std::size_t at; ///< initially the first element; then the element whose hook runs or threw
    std::size_t end;
    std::size_t interrupted = 0;           ///< nonzero: the hook of `at` called its own agent, and the loop ends after it
    const std::uint16_t* listed = nullptr; ///< the elements in order, the last is end - 1; null: all from `at` to `end`
    double* scores = nullptr;              ///< of a score: the results, by element; `listed` then has `end` elements
};

using run_function = void (*)(const void* self, agent_run& run);

/// What a hook's parameters need.
struct hook_needs {
    const local_type* const* locals = nullptr; ///< for the check that these locals exist
    std::uint32_t local_count = 0;
    bool hook_context = false;   ///< it takes the step, a local or the elapsed time, which are in the hook_context of an instance
    bool step = false;           ///< it needs the cause and its state
    bool event = false;          ///< it needs the object of the event
    bool answers = false;        ///< an update that can return a successor
    run_function many = nullptr; ///< the same hook for many agents; null: not an update or score, or it needs more than context and time
};

/// The parts from which an `erased` is made. It owns nothing, so binding a callable needs no cleanup code for each lambda.
template <class Function> struct bound_call {
    Function call = nullptr;
    const void* self = nullptr; ///< the object; null if the callable has no state
    void (*release)(const void*) noexcept = nullptr;
    hook_needs needs;
    origin where = {};                  ///< the definition call
    const std::string* label = nullptr; ///< ownership passes with the parts, as for `self`
};

/// The prefix of names of parts that a class, or the class of a local, added. They have no name of their own in files.
inline constexpr std::string_view mark_of_class = "\x1f";
/// The label of hooks and guards that a loader adds and that the file does not contain. Views mark them as hidden.
inline constexpr std::string_view mark_of_loader = "(loader)";

template <class Function> class erased {
public:
    using function_type = Function;

    erased() = default;
    explicit erased(const bound_call<Function>& parts) : parts_(parts) {}
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

    /// Returns the name by which it is registered; empty if it has none.
    std::string_view name() const { return name_.view(); }
    void set_name(std::string_view name) { name_ = shared_name(name); }
    void set_name(shared_name name) { name_ = std::move(name); }

    /// Returns the label set by `named`, or else the registered name; empty if it has neither.
    std::string_view label() const {
        if (parts_.label) return *parts_.label;
        return name().starts_with(mark_of_class) ? std::string_view() : name();
    }

    void set_label(std::string_view label) {
        delete std::exchange(parts_.label, nullptr);
        if (!label.empty()) parts_.label = new std::string(label);
    }

    /// Returns the place of the definition call, or of its name in a file; empty: use the place of its state.
    origin where() const { return parts_.where; }
    void set_where(origin where) { parts_.where = where; }

private:
    bound_call<Function> parts_;
    shared_name name_;
};

using op_function = const op* (*)(const op* at, machine& m);
using bound_op = bound_call<op_function>;

/// Runs the hook, then the next op.
using hook = erased<op_function>;
/// Calls the guard. If it holds, continues with the op after the next op; if not, with the target of the next op.
struct guard : erased<op_function> {
    using erased::erased;
};
/// Returns the part of the context that a nested machine works on.
using projection = erased<void* (*)(const void* self, void* context)>;

} // namespace hsm::detail
