/// Who notes what comes into a crowd from outside.
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

/// Each call is told before it happens, unless another one is in progress.
class crowd_inputs {
public:
    virtual ~crowd_inputs() = default;
    virtual void crowd_gone() noexcept = 0;

    virtual bool begins() = 0; ///< false: another one is in progress, and nothing is told
    virtual void ends() noexcept = 0;

    virtual void frame(input_kind what, std::int64_t elapsed) = 0; ///< tick, decide, update
    virtual void add(std::uint32_t position) = 0;                  ///< its context is there
    virtual void remove(agent_id id) = 0;
    virtual void clear() = 0;
    virtual void change(std::span<const agent_id> ids, std::uint32_t condition, condition_change to) = 0;
    virtual void change_all(std::uint32_t condition, bool on) = 0;
    virtual void set_rate(agent_id id, std::uint16_t ticks) = 0;
    virtual void give(const event_ref& event, bool is_posted, const state_key* state) = 0;
    virtual void give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) = 0;
    /// Something that no call leads to: an image was restored, an instance has come or gone.
    virtual void jump() noexcept = 0;

    // Whatever the agent is asked in between is told by observing it.
    virtual void load(agent_id id) = 0;
    virtual void store(std::uint32_t position) noexcept = 0;
};

} // namespace hsm::detail
