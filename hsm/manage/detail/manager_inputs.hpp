/// The interface that records the inputs of a manager.
#pragma once

#include <cstdint>
#include <string_view>

namespace hsm {
class chart_base;
class time_span;
struct event_ref;
} // namespace hsm

namespace hsm::detail {

struct machine_slot;

/// Each call is reported before it happens, unless another one is in progress. Calls to machines are reported by observers of the machines.
class manager_inputs {
public:
    virtual ~manager_inputs() = default;
    virtual void manager_gone() noexcept = 0;

    virtual bool begins() = 0; ///< false: a call is in progress, and this one is not reported
    virtual void ends() noexcept = 0;

    virtual void create(std::string_view name, const chart_base& chart, void* context) = 0;
    virtual void remove(const machine_slot& p) = 0;
    virtual void shutdown() = 0;
    virtual void update(time_span elapsed, time_span real_elapsed) = 0;
    virtual void broadcast(const event_ref& event) = 0;
    virtual void use_real_time(const machine_slot& p, bool yes) = 0;
    virtual void jump() noexcept = 0; ///< an image was restored
};

/// Reports a call from outside, if inputs are recorded.
class told_manager_call {
public:
    template <class Tell> told_manager_call(manager_inputs* inputs, const Tell& tell) {
        if (!inputs || !inputs->begins()) return;
        try {
            tell(*inputs);
        } catch (...) {
            inputs->ends();
            throw;
        }
        to_ = inputs;
    }
    told_manager_call(const told_manager_call&) = delete;
    ~told_manager_call() {
        if (to_) to_->ends();
    }

private:
    manager_inputs* to_ = nullptr;
};

} // namespace hsm::detail
