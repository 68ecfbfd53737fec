/// A machine from an SCXML document at work: an instance and what the standard wants around it.
///
///     hsm::scxml::session door{chart, context};
///     door.start();
///     door.process("open");
///     door.tick(100ms); // what was sent with a delay comes at its time, one after the other
///
/// Each call ends when the document has come to rest: events that it sends to itself have been handled, too. A plain hsm::instance does
/// the same, but hands these events on in its next tick or drain(). When a top-level <final> is reached, the instance is stopped, with the
/// exits that this means. Chart and context outlive the session; it belongs to one thread at a time.
#pragma once

#include <hsm/run/attachment.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/event_teller.hpp>

#include <string>
#include <vector>

namespace hsm::scxml {

/// Bounds of a session. With these queues it takes about 100 kB; a document that needs less can be given less.
struct session_options {
    instance_options instance = {.internal_queue = 1000, .posted_queue = 1000, .chain_limit = 1000};
    std::size_t max_macrosteps = 10000; ///< that one call may make; then it throws chain_error
};

class session_base {
public:
    session_base(const session_base&) = delete;
    session_base& operator=(const session_base&) = delete;

    result start();
    /// An external event. As instance::process: whether some transition took it.
    result process(std::string_view event);
    /// With what comes along: `_event`.
    result process(const incoming& event);
    /// Lets time pass, from one delayed event to the next. refused for negative time.
    result tick(time_span elapsed);
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    /// exits everything.
    result stop() { return machine_.stop(); }

    /// The document has come to its end: a top-level <final> was reached.
    bool finished() const { return !end_.empty(); }
    /// The id of that <final>; empty before.
    const std::string& end() const { return end_; }
    /// Ids of the active atomic states, in document order; of an ended session, those in which it ended.
    std::vector<std::string> configuration() const;

protected:
    session_base(const chart_base& chart, instance_base& machine, context& data, const session_options& options);
    ~session_base() = default;

private:
    result settle(result outcome);

    instance_base& machine_;
    context& data_;
    session_options options_;
    std::string end_;
    std::vector<std::string> last_;
    hsm::detail::scxml::event_teller teller_;
    attachment attached_; ///< only of a machine whose document has a data model
};

namespace detail {
template <class Context> struct machine_of_session { hsm::instance<Context> instance; };
} // namespace detail

template <class Context = context> class session : detail::machine_of_session<Context>, public session_base {
    using held = detail::machine_of_session<Context>;

public:
    session(const chart<Context>& chart, std::type_identity_t<Context>& data, const session_options& options = {})
        : held{hsm::instance<Context>(chart, data, options.instance)}, session_base(chart, held::instance, data, options) {}

    /// To look at, to observe, to save.
    hsm::instance<Context>& instance() { return held::instance; }
    const hsm::instance<Context>& instance() const { return held::instance; }
};

} // namespace hsm::scxml
