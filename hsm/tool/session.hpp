/// A machine that runs, together with what it works on: what the commands `run` and `replay` play.
///
/// A program derives its own where a context cannot be made by itself, or where more than events and ticks comes in. It owns machine and context.
#pragma once

#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/run/instance.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::scxml {
class context;
template <class Context> class session;
} // namespace hsm::scxml

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
    virtual result start() { return machine().start(); }
    virtual result restart() { return machine().restart(); }
    /// A frame. What the program does before or after a tick belongs here.
    virtual void tick(time_span elapsed) { machine().tick(elapsed); }
    /// What has to follow before people look at it, once something was done to the machine itself.
    virtual void settle() {}

    /// Are names all that events have, whichever they are? Then they come by process().
    virtual bool takes_any_name() const { return false; }
    virtual result process(std::string_view event, const event_data& data) { return machine().process(event, data); }

    virtual bool finished() { return machine().finished(); }
    /// The name of the state in which a machine has ended that is no longer active since; else empty.
    virtual std::string end() const { return {}; }
    /// Names and values of the data of an SCXML document. The values are JSON; one that is empty stands for none.
    virtual std::vector<std::pair<std::string, std::string>> data() const { return {}; }
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

/// A machine from an SCXML document, played as hsm::scxml::session does: it comes to rest after each step. The context is made of `args`.
template <class Context> class document_session : public session {
public:
    template <class... Args>
    explicit document_session(const chart<Context>& chart, Args&&... args) : context_{std::forward<Args>(args)...}, document_(chart, context_) {}

    instance_base& machine() override { return document_.instance(); }
    void attach(input_log& log) override { log.attach(document_.instance(), context_); }
    void attach(replay& log) override { log.attach(document_.instance(), context_); }
    result start() override { return document_.start(); }
    result restart() override { return document_.stop(), document_.start(); }
    void tick(time_span elapsed) override { document_.tick(elapsed); }
    void settle() override { document_.tick(time_span()); }
    bool takes_any_name() const override { return true; }
    result process(std::string_view event, const event_data& data) override {
        return document_.process({std::string(event), to_string(data), {}, {}, {}, {}});
    }
    bool finished() override { return document_.finished(); }
    std::string end() const override { return document_.end(); }
    std::vector<std::pair<std::string, std::string>> data() const override { return document_.values(); }
    std::string describe() const override {
        const auto next = context_.next_delay();
        if (!next) return {};
        const auto count = context_.delayed();
        return std::to_string(count) + (count == 1 ? " event waits for its time: " : " events wait for their time, the next: ") + to_string(*next);
    }

    Context& context() { return context_; }

private:
    Context context_;
    hsm::scxml::session<Context> document_;
};

namespace detail {
template <class Session>
concept is_complete = requires {
    sizeof(Session);
};

template <class Context> owned<session> session_for(const chart<Context>& chart) {
    if constexpr (std::is_base_of_v<hsm::scxml::context, Context>) {
        constexpr bool known = is_complete<hsm::scxml::session<Context>>;
        static_assert(known, "hsm: a machine over a hsm::scxml::context is played by a hsm::scxml::session: include <hsm/scxml/session.hpp>");
        if constexpr (known) return make_owned<document_session<Context>>(chart);
    } else {
        return make_owned<session_over<Context>>(chart);
    }
}
} // namespace detail

} // namespace hsm::tool
