/// A machine from an SCXML document at work: an instance and what the standard wants around it.
///
///     hsm::scxml::session door{chart, context};
///     door.start();
///     door.process("open");
///     door.tick(100ms); // what was sent with a delay comes at its time, one after the other
///
/// Each call ends when the document has come to rest: events that it sends to itself have been handled, too, and so has what it invokes. When a
/// top-level <final> is reached, the instance is stopped, with the exits that this means. Chart and context outlive the session, and stay where
/// they are; so does the session. With all that it invokes, and all of its host, it belongs to one thread at a time.
#pragma once

#include <hsm/run/instance.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/host.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::scxml {

/// Bounds of a session, which those that it invokes have, too.
struct session_options {
    instance_options instance = {.internal_queue = 100, .posted_queue = 16, .chain_limit = 1000};
    std::size_t max_macrosteps = 10000;           ///< that one call may make; then it throws chain_error
    std::size_t max_queued = 10000;               ///< external events that wait
    session_limits most = {.max_sessions = 1000}; ///< of its own host, if it is given none
    scxml::host* host = nullptr;
};

class session_base {
public:
    session_base(const session_base&) = delete;
    session_base& operator=(const session_base&) = delete;

    /// taken; busy. Values: of <data> of the document itself, in place of what it says. Throws usage_error (HSM-209) if another session of
    /// its host has its id.
    result start(const named_values& values = {});
    /// An external event. As instance::process: whether some transition took it. queued: its host is at work, for this is a callback; full.
    result process(std::string_view event);
    /// With what comes along: `_event`.
    result process(const incoming& event);
    /// Lets time pass, for what it has invoked, too, from one delayed event to the next. refused for negative time; busy.
    result tick(time_span elapsed);
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    /// Handles what services have sent outside of any call.
    result run();
    /// exits everything, in what it has invoked first.
    result stop();

    /// The document has come to its end: a top-level <final> was reached.
    bool finished() const;
    /// The id of that <final>; empty before.
    const std::string& end() const;
    /// All <data> with their values as JSON, in document order. An empty text: it has no value, or none that JSON can express.
    named_values values() const;
    /// What its <donedata> says, as JSON; empty: nothing.
    const std::string& done_data() const;
    /// Ids of the active atomic states, in document order; of an ended session, those in which it ended.
    std::vector<std::string> configuration() const;
    /// External events that wait.
    std::size_t queued() const;
    /// Until the next delayed event, of it or of what it has invoked.
    std::optional<time_span> next_delay() const;

    // Sessions that it has invoked are there until the state is left that has, or they end.
    session_base* parent() const;                          ///< null: nobody has invoked it
    const std::string& invoke_id() const;                  ///< by which its parent knows it
    std::vector<session_base*> children() const;           ///< in document order
    session_base* child(std::string_view invoke_id) const; ///< null: there is none

    /// To look at, to observe.
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
    /// A temporary chart would be destroyed before the session runs.
    session(chart<Context>&&, std::type_identity_t<Context>&, const session_options& = {}) = delete;

    /// To look at, to observe.
    hsm::instance<Context>& instance() { return held::instance; }
    const hsm::instance<Context>& instance() const { return held::instance; }

protected:
    session(const chart<Context>& chart, Context& data, const instance_options& options, hsm::detail::scxml::session_core& parent)
        : held{hsm::instance<Context>(chart, data, options)}, session_base(chart, held::instance, data, parent) {}
};

} // namespace hsm::scxml
