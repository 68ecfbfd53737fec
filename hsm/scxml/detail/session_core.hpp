/// A session: the main loop of the standard's appendix D, around a machine that executes macrosteps.
///
/// External events wait in the session's own queue. A host handles its sessions' events in the order of sending. Invocations are started by a hook of
/// the root when a macrostep is complete, and canceled by the last exit hook of the state.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/scxml/detail/document.hpp>
#include <hsm/scxml/detail/document_store.hpp>
#include <hsm/scxml/detail/fifo.hpp>
#include <hsm/scxml/detail/host_core.hpp>
#include <hsm/scxml/session.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

struct runner;
struct child_session;

/// Sets `_event` in a data model before its machine handles an event. The context has the additional fields of the events in the machine's queues, in
/// the same order.
class event_setter final : public observer {
public:
    explicit event_setter(hsm::scxml::context& c) : context_(c) {}
    void on_record(const record& r, const moment& when) override;

private:
    void show(event_info&& e) {
        if (context_.model_) context_.model_->set_event(e);
    }

    hsm::scxml::context& context_;
};

/// An active <invoke>.
struct invoked_session {
    const invoke_spec* spec = nullptr;
    std::string id;
    std::shared_ptr<const invoked_document> document; ///< of a session
    owned<child_session> session;                     ///< null if it has ended or is a service
    owned<hsm::scxml::service> service;
    owned<invoked_session> next; ///< see host_core::ended

    invoked_session();
    ~invoked_session();
};

class session_core {
public:
    session_core(hsm::scxml::session_base& face, instance_base& machine, hsm::scxml::context& data, const document* of,
                 const hsm::scxml::session_options& options, host_core* host, session_core* parent);
    session_core(const session_core&) = delete;
    ~session_core();

    // --- calls from outside
    result start(const hsm::scxml::named_values& values);
    result process(event_info event);
    result process(std::string_view name); ///< an event with a name only
    result tick(std::int64_t elapsed);
    result stop();
    result run();

    // --- for hooks of the machine
    void will_invoke(const state_base& s);
    void cancel_invoked(const state_base& s);
    void invoke_all(machine& m);
    /// Adds an event to the session's queue. Returns false if it is full.
    bool post(event_info event);
    /// Sends an event to another session, a service or the host. Returns false if the target does not exist.
    bool deliver(const hsm::scxml::outgoing& event, event_info info);
    /// Returns the context of the session at the top of the chain of invocations.
    hsm::scxml::context& outermost();
    std::size_t depth() const;

    // --- for services
    bool post_from(const hsm::scxml::service& by, std::string event, std::string json);

    // --- for the host
    void handle_next();
    /// All calls of the machine run in this function. If one throws, an invoked session ends; otherwise the exception is passed to the caller. A
    /// session that has used up the steps of the call ends, too.
    template <class F> void guarded(F f) {
        try {
            f();
            if (data.used_up_) [[unlikely]]
                throw_used_up();
        } catch (const std::exception& e) {
            if (!parent && data.used_up_) end_used_up();
            if (!parent) throw;
            parent->lose(*this, e.what());
        }
    }

    invoked_session* find(std::string_view invoke_id) const;
    std::optional<std::int64_t> next_delay() const; ///< including invoked sessions
    std::vector<std::string> leaves() const;
    const hsm::scxml::limits& most() const { return data.most_; }
    static session_core& of_face(hsm::scxml::session_base& s) { return *s.core_; }

    hsm::scxml::session_base& face;
    instance_base& machine_;
    hsm::scxml::context& data;
    const document* of; ///< null if the definition does not come from a document
    hsm::scxml::session_options options;
    session_core* parent;
    host_core* host;
    owned<host_core> own_host;
    std::string invoke_id;
    fifo<event_info> queue;
    std::vector<owned<invoked_session>> invoked;      ///< in document order
    std::vector<const state_base*> to_invoke;         ///< states entered in this macrostep and not exited
    std::uint64_t made_ids = 0;                       ///< number of generated ids of sessions and invocations
    const hsm::scxml::named_values* values = nullptr; ///< during start
    std::string end, done_data;
    std::vector<std::string> last; ///< the states in which it ended
    bool running = false;          ///< started and not ended
    bool canceled = false;         ///< its parent no longer receives events from it

private:
    friend class session_reload;
    // session_core.cpp
    struct until_stopped;
    engine& engine_of_machine() const;
    void forget_all();
    void open_call(machine& m, const event_info& event);
    void settle();
    void finish();
    void end_session();
    [[noreturn]] void throw_used_up() const;
    [[noreturn]] void end_used_up();
    void advance(std::int64_t elapsed);
    session_core* most_overdue(std::int64_t& by);
    void deliver_due();

    // invoke.cpp
    void invoke(const invoke_spec& spec, machine& m);
    invoked_session& store_session(owned<invoked_session> made);
    void begin_session(runner& r, owned<invoked_session> made, const hsm::scxml::named_values& given);
    void begin_service(runner& r, owned<invoked_session> made, hsm::scxml::invocation what);
    std::shared_ptr<const invoked_document> document_for(const invoke_spec& spec, runner& r, const std::string& src);
    invoked_session* find(const session_core& child) const;
    void child_done(session_core& child);
    void lose(session_core& child, const char* why);
    void end_child(session_core& child);
    bool pass_on(invoked_session& to, const event_info& event);

    event_setter event_setter_;
    attachment attached_;                ///< only if the document has a data model
    result outcome_ = result::unhandled; ///< of the last handled event
    bool taken_ = false;                 ///< in this tick
    std::size_t awaited_ = 0;            ///< number of events up to the one whose outcome a caller waits for
};

/// The context of an invoked session. The context of the outermost session handles its calls to the host.
class child_context final : public hsm::scxml::context {
public:
    child_context(const hsm::scxml::limits& most, session_core& parent) : context(most), parent_(parent) {}

    void on_log(std::string_view label, std::string_view text) override { outermost().on_child_log(*self, label, text); }
    void on_error(std::string_view event, std::string_view what) override { outermost().on_child_error(*self, event, what); }
    bool on_send(const hsm::scxml::outgoing& event) override { return outermost().on_send(event); }
    bool knows_processor(std::string_view type) const override { return parent_.outermost().knows_processor(type); }
    owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override { return outermost().on_invoke(what); }

    hsm::scxml::session_base* self = nullptr;

private:
    hsm::scxml::context& outermost() { return parent_.outermost(); }

    session_core& parent_;
};

/// An invoked session with its context.
struct child_session {
    using plain = hsm::scxml::session<hsm::scxml::context>;

    /// Makes the protected constructor accessible.
    struct as_child final : plain {
        as_child(const chart<hsm::scxml::context>& of, hsm::scxml::context& data, const instance_options& options, session_core& parent)
            : plain(of, data, options, parent) {}
    };

    child_session(const chart<hsm::scxml::context>& of, session_core& parent)
        : made_of(of), data(parent.most(), parent), face(made_of, data, parent.options.instance, parent) {
        data.self = &face;
    }
    session_core& core() { return session_core::of_face(face); }

    chart<hsm::scxml::context> made_of; ///< a reference to the shared chart
    child_context data;
    as_child face;
};

} // namespace hsm::detail::scxml
