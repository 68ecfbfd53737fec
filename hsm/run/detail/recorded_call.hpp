/// Calls of a crowd or a manager that a log can record.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <string_view>

namespace hsm::detail {

/// The interface that records the inputs of a crowd or a manager. Each call is reported before it happens, unless another one is in progress.
class recorded_inputs {
public:
    virtual ~recorded_inputs() = default;
    virtual void object_gone() noexcept = 0; ///< the crowd or manager was destroyed

    virtual bool begins() = 0; ///< false: a call is in progress, and this one is not reported
    virtual void ends() noexcept = 0;
    virtual void call_failed() noexcept = 0; ///< the exception of a call is being handled
    /// Reports a change that no call describes: an image was restored, an instance was taken over or released, or memory was not available.
    virtual void jump() noexcept = 0;

    // A reload: an announcement while nothing has changed (an empty plan), begins_reload, the hooks, ends, and the plan.
    virtual void reload(std::string_view plan, bool failed) = 0;
    virtual void begins_reload() noexcept = 0;
};

/// Reports a call by report(inputs) and makes it. Calls in progress are not reported.
template <class Inputs, class Report, class Call> HSM_NOINLINE auto make_reported_call(Inputs& inputs, const Report& report, const Call& call) {
    struct end_of_call {
        Inputs* of = nullptr;
        ~end_of_call() {
            if (of) of->ends();
        }
    } at_the_end;
    if (inputs.begins()) {
        at_the_end.of = &inputs;
        report(inputs);
    }
    try {
        return call();
    } catch (...) {
        inputs.call_failed();
        throw;
    }
}

/// `inputs` is null if inputs are not recorded.
template <class Inputs, class Report, class Call> auto make_call(Inputs* inputs, const Report& report, const Call& call) {
    if (inputs) [[unlikely]]
        return make_reported_call(*inputs, report, call);
    return call();
}

} // namespace hsm::detail
