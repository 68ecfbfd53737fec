/// Runs a machine from an SCXML document: an instance, with the processing that the standard requires.
///
///     hsm::scxml::session door{chart, context};
///     door.start();
///     door.process("open");
///     door.tick(100ms); // handles delayed events that are due, one after the other
///
/// Each call ends when the document is stable: all events that it sent to itself and to invoked sessions are handled. When a top-level <final> is
/// reached, the instance is stopped, which runs its exits. Chart and context must outlive the session; they and the session must not move. A session,
/// its invoked sessions and its host belong to one thread at a time.
#pragma once

#include <hsm/run/instance.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/host.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::scxml {

/// Limits of a session. They also apply to the sessions that it invokes.
struct session_options {
    instance_options instance = {.internal_queue = 100, .posted_queue = 16, .chain_limit = 1000};
    std::size_t max_macrosteps = 10000;           ///< per call; if a call needs more, it throws chain_error
    std::size_t max_queued = 10000;               ///< external events that wait
    session_limits most = {.max_sessions = 1000}; ///< limits of the session's own host, if `host` is null
    scxml::host* host = nullptr;
};

class session_base {
public:
    session_base(const session_base&) = delete;
    session_base& operator=(const session_base&) = delete;

    /// Starts the session. Returns taken or busy. `values` replace the initial values of <data> in this document, but not in documents that it
    /// invokes. Throws usage_error (HSM-209) if another session of the same host has the same id.
    result start(const named_values& values = {});
    /// Handles an external event. Returns the result of instance::process. In a callback (during a call to a session of the same host), returns
    /// queued or full.
    result process(std::string_view event);
    /// Does the same, with further fields of `_event`.
    result process(const incoming& event);
    /// Advances the time of the session and of invoked sessions, from one delayed event to the next. Returns refused for a negative time, or busy.
    result tick(time_span elapsed);
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    /// Handles events that services have sent outside of calls.
    result run();
    /// Exits all states, those of invoked sessions first.
    result stop();

    /// Returns whether a top-level <final> was reached.
    bool finished() const;
    /// Returns the id of the top-level <final> that was reached; empty if none was reached.
    const std::string& end() const;
    /// Returns all <data> with their values as JSON, in document order. A value is empty if it is undefined, or if JSON cannot express it.
    named_values values() const;
    /// Returns the data of the final <donedata> as JSON; can be empty.
    const std::string& done_data() const;
    /// Returns the ids of the active atomic states, in document order. After the end, returns the states in which the session ended.
    std::vector<std::string> configuration() const;
    /// Returns the number of external events that wait.
    std::size_t queued() const;
    /// Returns the time until the next delayed event of this session or of its invoked sessions.
    std::optional<time_span> next_delay() const;

    // Invoked sessions exist until the invoking state is exited, or they end.
    session_base* parent() const;                          ///< the invoking session; null if this session was not invoked
    const std::string& invoke_id() const;                  ///< this session's id in the parent
    std::vector<session_base*> children() const;           ///< in document order
    session_base* child(std::string_view invoke_id) const; ///< null if there is no such session

    /// These functions return the machine and the context, for queries and observers.
    instance_base& machine() const;
    context& data() const;

protected:
    session_base(const chart_base& chart, instance_base& machine, context& data, const session_options& options);
    session_base(const chart_base& chart, instance_base& machine, context& data, hsm::detail::scxml::session_core& parent);
    ~session_base();

private:
    friend class hsm::detail::scxml::session_core;
    owned<hsm::detail::scxml::session_core> core_;
};

namespace detail {
template <class Context> struct machine_of_session { hsm::instance<Context> instance; };
} // namespace detail

template <class Context = context> class session : detail::machine_of_session<Context>, public session_base {
    using held = detail::machine_of_session<Context>;

public:
    session(const chart<Context>& chart, std::type_identity_t<Context>& data, const session_options& options = {})
        : held{hsm::instance<Context>(chart, data, options.instance)}, session_base(chart, held::instance, data, options) {}
    /// Rejects a temporary chart: it would be destroyed before the session runs.
    session(chart<Context>&&, std::type_identity_t<Context>&, const session_options& = {}) = delete;

    /// Returns the instance, for queries and observers.
    hsm::instance<Context>& instance() { return held::instance; }
    const hsm::instance<Context>& instance() const { return held::instance; }

protected:
    session(const chart<Context>& chart, Context& data, const instance_options& options, hsm::detail::scxml::session_core& parent)
        : held{hsm::instance<Context>(chart, data, options)}, session_base(chart, held::instance, data, parent) {}
};

} // namespace hsm::scxml
