/// The context of instances whose definition comes from an SCXML document.
///
///     const auto chart = hsm::compile(hsm::load_scxml("door.scxml"));
///     hsm::scxml::context door;
///     hsm::instance agent{chart, door};
///
/// A context stores the document's delayed events, and receives the document's log, errors and events for other targets. Derive a class from context
/// to handle these, or to add data: `hsm::load_scxml<my_context>(...)`. A context belongs to one instance and to the instance's thread. It is saved
/// with `serialize`, like any context.
#pragma once

#include <hsm/define/time_span.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/scxml/detail/data_model.hpp>
#include <hsm/scxml/detail/step_budget.hpp>
#include <hsm/scxml/service.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {
struct machine;
}
namespace hsm::detail::scxml {
struct runner;
class document;
class event_setter;
class session_core;
class session_reload;
class session_restorer;
struct session_saver;
} // namespace hsm::detail::scxml

namespace hsm::scxml {

class session_base;

/// Limits of a running document.
struct limits {
    std::size_t max_delayed = 1000; ///< delayed events that wait
    /// The number of steps that one call may use for all its effects, in all sessions of the host. Executable content, iterations and expressions use
    /// steps. script_options::steps limits each single expression. When the steps are used up, the document gets one error.execution. If the document
    /// does not become stable after that, the session ends, and the call throws chain_error (HSM-364).
    std::int64_t max_steps = 20'000'000;
    /// A time limit for the same work, in milliseconds. The clock is read between expressions only. 0: no limit. With a limit, a replay on a slower
    /// computer can differ.
    std::int64_t max_milliseconds = 0;
};

class context : private hsm::detail::scxml::data_model_host {
public:
    explicit context(limits most = {}) : most_(most) {}
    context(context&&) = default;
    context& operator=(context&&) = default;
    virtual ~context() = default;

    /// Called for <log>. Does nothing by default.
    virtual void on_log(std::string_view label, std::string_view text);
    /// Called for an error in executable content, after the document received an error event.
    virtual void on_error(std::string_view event, std::string_view what);
    /// Sends an event to a target other than the machine itself. Return false if the target does not exist; the document then gets an
    /// error.communication.
    virtual bool on_send(const outgoing& event);
    /// Returns whether on_send supports this type of processor. If not, the document gets an error.execution.
    virtual bool knows_processor(std::string_view type) const;
    /// Creates a service for an <invoke> of another type than SCXML. Return null for an unknown type; the document then gets an error.execution.
    virtual owned<service> on_invoke(const invocation& what);

    // These functions are called for sessions that this session has invoked, directly or indirectly. on_send also receives events that the invoked
    // sessions send to other targets.
    /// Called when a session was created. The session begins when this function returns. Attach observers in this function.
    virtual void on_invoked(session_base& child);
    virtual void on_child_log(const session_base& child, std::string_view label, std::string_view text);   ///< calls on_log by default
    virtual void on_child_error(const session_base& child, std::string_view event, std::string_view what); ///< calls on_error by default

    std::string_view session_id() const { return session_id_; }
    void set_session_id(std::string id) { session_id_ = std::move(id); }
    /// Call this function in behavior that is registered for an element of another namespace. Returns an attribute of that element; empty if the
    /// element does not have the attribute.
    std::string_view attribute(std::string_view name) const;

    std::size_t delayed() const { return delayed_.size(); } ///< delayed events that wait
    /// Returns the time until the next delayed event is due.
    std::optional<time_span> next_delay() const;

private:
    friend struct hsm::detail::scxml::runner;
    friend class hsm::detail::scxml::event_setter;
    friend class hsm::detail::scxml::session_core;
    friend class hsm::detail::scxml::session_reload;
    friend class hsm::detail::scxml::session_restorer;
    friend struct hsm::detail::scxml::session_saver;
    friend class session_base;
    template <class A> friend void serialize(A& archive, context& c);

    struct delayed_event {
        std::int64_t due = 0;
        std::string event, sendid, data, target, type;

        template <class A> friend void serialize(A& archive, delayed_event& e) {
            archive("due", e.due)("event", e.event)("sendid", e.sendid)("data", e.data)("target", e.target)("type", e.type);
        }
    };

    using event_info = hsm::detail::scxml::event_info;

    static hsm::detail::scxml::system_variables system_of(const hsm::detail::scxml::document& d, const std::string& id);
    void begin_data(const hsm::detail::scxml::document& d);
    bool is_active(std::string_view state_id) override;
    std::int64_t* steps() override { return std::addressof(budget().left); }
    hsm::detail::scxml::step_budget& budget();
    /// The time `span` after now, in nanoseconds; saturates, because a restored time can be any number.
    std::int64_t after(std::int64_t span) const { return (time_span::from_nanoseconds(now_) + time_span::from_nanoseconds(span)).nanoseconds(); }

    limits most_;
    std::string session_id_ = "session";
    std::int64_t now_ = 0;              ///< in nanoseconds, sum of its machine's ticks
    std::deque<delayed_event> delayed_; ///< sorted by time, then by order of sending
    std::uint64_t sent_ = 0;            ///< number of ids created for the machine's events
    const std::vector<std::pair<std::string, std::string>>* element_ = nullptr;
    owned<hsm::detail::scxml::data_model> model_;            ///< null for the null model
    hsm::detail::machine* machine_ = nullptr;                ///< the machine that uses the model
    const hsm::detail::scxml::document* document_ = nullptr; ///< the document of the model
    std::string shown_name_, shown_data_;                    ///< `_event`
    // The data for `_event`, for events that have more than a name and data: the events in the machine's queues, in order, and the event being
    // handled.
    std::deque<event_info> internal_, posted_;
    std::vector<const state_base*> bound_;                ///< late binding: states with initialized data
    bool sets_event_ = false;                             ///< the session sets each event in the model, with all fields
    bool used_up_ = false;                                ///< it has used all steps, so it is inactive
    hsm::detail::scxml::step_budget own_budget_;          ///< for an instance without a session
    hsm::detail::scxml::session_core* session_ = nullptr; ///< null for an instance without a session
};

template <class A> void serialize(A& archive, context& c) {
    std::vector<context::delayed_event> delayed(c.delayed_.begin(), c.delayed_.end());
    archive("session", c.session_id_)("now", c.now_)("delayed", delayed)("sent", c.sent_);
    c.delayed_.assign(delayed.begin(), delayed.end());
}

} // namespace hsm::scxml

namespace hsm::detail::scxml {
/// Returns the SCXML part of a machine's context.
using find_context = hsm::scxml::context& (*)(void* context);
} // namespace hsm::detail::scxml
