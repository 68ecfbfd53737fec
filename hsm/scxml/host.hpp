/// A group of sessions that can send events to each other, with the target "#_scxml_ID". A call ends when all events that result from it are handled.
///
///     hsm::scxml::host both;
///     hsm::scxml::session buyer{chart, one, {.host = &both}}, seller{other, two, {.host = &both}};
///
/// A session without a host has its own host, which it shares with its invoked sessions. A host must outlive its sessions. A host and its sessions
/// belong to one thread at a time. A host handles one event after the other, in the order of sending.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/op/result.hpp>

#include <cstddef>
#include <string_view>

namespace hsm::detail::scxml {
struct host_core;
}

namespace hsm::scxml {

class session_base;

/// If an <invoke> exceeds these limits, the document gets an error.platform.
struct session_limits {
    std::size_t max_sessions = 10000; ///< per host, including invoked ones
    std::size_t max_depth = 16;       ///< nesting of invoked sessions
};

class host {
public:
    explicit host(const session_limits& most = {});
    host(const host&) = delete;
    host& operator=(const host&) = delete;
    ~host();

    /// Returns the running session with this id, or null. A session is found only from its start to its end.
    session_base* find(std::string_view session_id) const;
    std::size_t sessions() const; ///< number of running sessions
    /// Handles events that services have sent outside of calls. Returns taken or busy.
    result run();

private:
    friend class session_base;
    owned<hsm::detail::scxml::host_core> core_;
};

} // namespace hsm::scxml
