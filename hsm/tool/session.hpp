/// A running machine and its context, as played by the commands `run` and `replay`.
///
/// Derive a class from session if a context needs more than `Context{}`, or if there are inputs other than events and ticks. A session owns its
/// machine and context.
#pragma once

#include <hsm/reload/reload_plan.hpp>
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
class session_base;
template <class Context> class session;
reload_report reload_session(session_base& session, const reload_plan& plan);
} // namespace hsm::scxml

namespace hsm::tool {

class session {
public:
    session() = default;
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    virtual ~session() = default;

    /// Returns the machine, which is not started when the session is created.
    virtual instance_base& machine() = 0;
    /// These functions attach the machine and its context to a log that records inputs, or to a replay. Attach them in the same way as your program
    /// does.
    virtual void attach(input_log& log) = 0;
    virtual void attach(replay& log) = 0;
    virtual result start() { return machine().start(); }
    virtual result stop() { return machine().stop(); }
    virtual result restart() { return machine().restart(); }
    /// Runs a frame. Override this function if your program does more before or after a tick.
    virtual void tick(time_span elapsed) { machine().tick(elapsed); }
    /// Completes the effects of direct calls to the machine. Called before the machine's state is displayed.
    virtual void settle() {}

    /// Returns whether the machine accepts any event name. Events are then passed to process().
    virtual bool takes_any_name() const { return false; }
    virtual result process(std::string_view event, const event_data& data) { return machine().process(event, data); }

    /// Gives the machine another chart, as reload_plan::apply does.
    virtual reload_report reload(const reload_plan& plan) { return plan.apply(machine()); }

    virtual bool finished() { return machine().finished(); }
    /// Returns the name of the final state of a machine that has ended and is no longer active, otherwise an empty text.
    virtual std::string end() const { return {}; }
    /// Returns the names and values of an SCXML document's data. The values are JSON; an empty value means undefined.
    virtual std::vector<std::pair<std::string, std::string>> data() const { return {}; }
    /// Returns a description of the context for display, one or more lines; can be empty.
    virtual std::string describe() const { return {}; }
};

/// A session whose context is created as `Context{}`.
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

/// A session for an SCXML document. After each step, it runs until the document is stable, as hsm::scxml::session does. The context is created from
/// `args`.
template <class Context> class document_session : public session {
public:
    template <class... Args>
    explicit document_session(const chart<Context>& chart, Args&&... args) : context_{std::forward<Args>(args)...}, document_(chart, context_) {}

    instance_base& machine() override { return document_.instance(); }
    void attach(input_log& log) override { log.attach(document_.instance(), context_); }
    void attach(replay& log) override { log.attach(document_.instance(), context_); }
    result start() override { return document_.start(); }
    result stop() override { return document_.stop(); }
    result restart() override { return document_.stop(), document_.start(); }
    void tick(time_span elapsed) override { document_.tick(elapsed); }
    void settle() override { document_.tick(time_span()); }
    bool takes_any_name() const override { return true; }
    result process(std::string_view event, const event_data& data) override {
        return document_.process({std::string(event), to_string(data), {}, {}, {}, {}});
    }
    reload_report reload(const reload_plan& plan) override { return scxml::reload_session(document_, plan); }
    bool finished() override { return document_.finished(); }
    std::string end() const override { return document_.end(); }
    std::vector<std::pair<std::string, std::string>> data() const override { return document_.values(); }
    std::string describe() const override {
        const auto next = context_.next_delay();
        if (!next) return {};
        const auto count = context_.delayed();
        return std::to_string(count) + (count == 1 ? " delayed event, due in " : " delayed events, the next is due in ") + to_string(*next);
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
        static_assert(known, "hsm: to play a machine over hsm::scxml::context, include <hsm/scxml/session.hpp>");
        if constexpr (known) return make_owned<document_session<Context>>(chart);
    } else {
        return make_owned<session_over<Context>>(chart);
    }
}
} // namespace detail

} // namespace hsm::tool
