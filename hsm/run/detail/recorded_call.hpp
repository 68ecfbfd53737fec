/// A call of a crowd or a manager that a log can record.
#pragma once

#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

/// Reports a call by tell(inputs) and makes it. Calls in progress are not reported. See crowd_inputs and manager_inputs.
template <class Inputs, class Tell, class Call> HSM_NOINLINE auto make_reported_call(Inputs& inputs, const Tell& trace, const Call& call) {
    struct end_of_call {
        Inputs* of = nullptr;
        ~end_of_call() {
            if (of) of->ends();
        }
    } at_the_end;
    if (inputs.begins()) {
        at_the_end.of = &inputs;
        trace(inputs);
    }
    try {
        return call();
    } catch (...) {
        inputs.call_failed();
        throw;
    }
}

/// `inputs` is null if inputs are not recorded.
template <class Inputs, class Tell, class Call> auto make_call(Inputs* inputs, const Tell& trace, const Call& call) {
    if (inputs) [[unlikely]]
        return make_reported_call(*inputs, trace, call);
    return call();
}

} // namespace hsm::detail
