/// A machine that runs, together with what it works on: what the commands `run` and `replay` play.
///
/// A program derives its own where a context cannot be made by itself, or where more than events and ticks comes in. It owns machine and context.
#pragma once

#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/run/instance.hpp>

#include <string>

namespace hsm::tool {

class session {
public:
    session() = default;
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    virtual ~session() = default;

    /// Not started yet when the session is made.
    virtual instance_base& machine() = 0;
    /// As the program attaches its logs and its replays: what is noted, and what reads the notes.
    virtual void attach(input_log& log) = 0;
    virtual void attach(replay& log) = 0;
    /// A frame. What the program does before or after a tick belongs here.
    virtual void tick(time_span elapsed) { machine().tick(elapsed); }
    /// What people want to see of the context, in a line or several; may be empty.
    virtual std::string describe() const { return {}; }
};

/// Over a context that is made as `Context{}`.
template <class Context> class session_over : public session {
public:
    explicit session_over(const chart<Context>& chart) : machine_(chart, context_) {}

    instance_base& machine() override { return machine_; }
    void attach(input_log& log) override { log.attach(machine_, context_); }
    void attach(replay& log) override { log.attach(machine_, context_); }

    Context& context() { return context_; }

private:
    Context context_{};
    instance<Context> machine_;
};

} // namespace hsm::tool
