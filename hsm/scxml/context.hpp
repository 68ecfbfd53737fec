/// What a machine from an SCXML document works on: the context of its instances.
///
///     const auto chart = hsm::compile(hsm::load_scxml("door.scxml"));
///     hsm::scxml::context door;
///     hsm::instance agent{chart, door};
///
/// It has what the document does besides changing states: events that are sent with a delay, the log. Derive from it to hear of
/// that, or to add data of your own: `hsm::load_scxml<my_context>(...)`. It belongs to one instance, and to its thread; it is saved with
/// `serialize`, as any context.
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
class event_teller;
class session_core;
class session_restorer;
struct session_saver;
} // namespace hsm::detail::scxml

namespace hsm::scxml {

class session_base;

/// How much a document may want while it runs.
struct limits {
    std::size_t max_delayed = 1000; ///< events that wait for their time
    /// Steps that one call from outside may use for everything that it sets off, in all sessions of its host: executable content, iterations,
    /// expressions (script_options::steps bounds each of them). If they are used up, the document gets one error.execution; if it does not come
    /// to rest after that, the session ends, and the call throws chain_error (HSM-364).
    std::int64_t max_steps = 20'000'000;
    /// The same for time, which is read between expressions; 0: none. With it, a replay on a slower machine can differ.
    std::int64_t max_milliseconds = 0;
};

class context : private hsm::detail::scxml::data_model_host {
public:
    explicit context(limits most = {}) : most_(most) {}
    context(context&&) = default;
    context& operator=(context&&) = default;
    virtual ~context() = default;

    /// <log>. By default nothing happens.
    virtual void on_log(std::string_view label, std::string_view text);
    /// What went wrong in executable content, once the document has been told by an error event.
    virtual void on_error(std::string_view event, std::string_view what);
    /// An event for somebody else than the machine itself. False: nobody is there, and the document gets an error.communication.
    virtual bool on_send(const outgoing& event);
    /// Is that a kind of processor that on_send knows? If not, the document gets an error.execution.
    virtual bool knows_processor(std::string_view type) const;
    /// An <invoke> of a type that is not SCXML's own. Null: nobody knows it, and the document gets an error.execution.
    virtual owned<service> on_invoke(const invocation& what);

    // Of sessions that this one has invoked, and those that they have. What they send to somebody else comes to on_send.
    /// It has been made, and begins when this returns: here it can be observed.
    virtual void on_invoked(session_base& child);
    virtual void on_child_log(const session_base& child, std::string_view label, std::string_view text);   ///< as on_log, unless it is overridden
    virtual void on_child_error(const session_base& child, std::string_view event, std::string_view what); ///< as on_error

    std::string_view session_id() const { return session_id_; }
    void set_session_id(std::string id) { session_id_ = std::move(id); }
    /// Of an element of another namespace, while the behaviour runs that is registered for it: the value of an attribute; empty if it has none.
    std::string_view attribute(std::string_view name) const;

    std::size_t delayed() const { return delayed_.size(); } ///< events that wait for their time
    /// Until the next of them is due.
    std::optional<time_span> next_delay() const;

private:
    friend struct hsm::detail::scxml::runner;
    friend class hsm::detail::scxml::event_teller;
    friend class hsm::detail::scxml::session_core;
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

    limits most_;
    std::string session_id_ = "session";
    std::int64_t now_ = 0;              ///< nanoseconds of its machine's ticks
    std::deque<delayed_event> delayed_; ///< the next first; of the same time, in the order of sending
    std::uint64_t sent_ = 0;            ///< that the machine has given ids to
    const std::vector<std::pair<std::string, std::string>>* element_ = nullptr;
    owned<hsm::detail::scxml::data_model> model_;            ///< null: the null model
    hsm::detail::machine* machine_ = nullptr;                ///< for which the model works
    const hsm::detail::scxml::document* document_ = nullptr; ///< which has the model
    std::string shown_name_, shown_data_;                    ///< `_event`
    // What `_event` is to show of those events in the machine's queues that have more than a name and data, in their order; of one that is
    // handled at once.
    std::deque<event_info> internal_, posted_;
    std::vector<const state_base*> bound_;                ///< late binding: whose data have been given their values
    bool told_ = false;                                   ///< its session shows the model each event, with all fields
    bool used_up_ = false;                                ///< it has used all steps, and does nothing any more
    hsm::detail::scxml::step_budget own_budget_;          ///< of a plain instance
    hsm::detail::scxml::session_core* session_ = nullptr; ///< null: a plain instance
};

template <class A> void serialize(A& archive, context& c) {
    std::vector<context::delayed_event> delayed(c.delayed_.begin(), c.delayed_.end());
    archive("session", c.session_id_)("now", c.now_)("delayed", delayed)("sent", c.sent_);
    c.delayed_.assign(delayed.begin(), delayed.end());
}

} // namespace hsm::scxml
