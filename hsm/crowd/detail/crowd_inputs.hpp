/// The interface that records the inputs of a crowd.
#pragma once

#include <hsm/crowd/agent_id.hpp>
#include <hsm/op/input.hpp>
#include <hsm/run/detail/calls.hpp>

#include <cstdint>
#include <span>

namespace hsm {
struct state_key;
struct event_ref;
} // namespace hsm

namespace hsm::detail {

/// Each call is reported before it happens, unless another one is in progress.
class crowd_inputs {
public:
    virtual ~crowd_inputs() = default;
    virtual void crowd_gone() noexcept = 0;

    virtual bool begins() = 0; ///< false: a call is in progress, and this one is not reported
    virtual void ends() noexcept = 0;

    virtual void frame(input_kind what, std::int64_t elapsed) = 0; ///< tick, decide, update
    virtual void add(std::uint32_t position) = 0;                  ///< its context already exists
    virtual void remove(agent_id id) = 0;
    virtual void clear() = 0;
    virtual void change(std::span<const agent_id> ids, std::uint32_t condition, condition_change to) = 0;
    virtual void change_all(std::uint32_t condition, bool on) = 0;
    virtual void set_rate(agent_id id, std::uint16_t ticks) = 0;
    virtual void give(const event_ref& event, bool is_posted, const state_key* state) = 0;
    virtual void give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) = 0;
    /// Reports a change that no call describes: an image was restored, or an instance was taken over or released.
    virtual void jump() noexcept = 0;

    // Calls between these two are reported by an observer of the agent.
    virtual void load(agent_id id) = 0;
    virtual void store(std::uint32_t position) noexcept = 0;
};

} // namespace hsm::detail
