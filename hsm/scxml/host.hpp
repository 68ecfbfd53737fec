/// Sessions that reach each other: what one sends to "#_scxml_ID" comes to that of this id, and what follows is done before a call ends.
///
///     hsm::scxml::host both;
///     hsm::scxml::session buyer{chart, one, {.host = &both}}, seller{other, two, {.host = &both}};
///
/// A session without a host has one of its own, for itself and what it invokes. A host outlives its sessions; all of them belong to one thread at
/// a time. It handles one event after the other, in the order in which they were sent.
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

/// Beyond these an <invoke> is an error.platform.
struct session_limits {
    std::size_t max_sessions = 10000; ///< of a host, invoked ones with the others
    std::size_t max_depth = 16;       ///< sessions that invoke sessions: how deep
};

class host {
public:
    explicit host(const session_limits& most = {});
    host(const host&) = delete;
    host& operator=(const host&) = delete;
    ~host();

    /// Null: no session of that id has been started. An id is a session's from its start to its end.
    session_base* find(std::string_view session_id) const;
    std::size_t sessions() const; ///< that run
    /// Handles what has been sent outside of any call, by services. taken; busy.
    result run();

private:
    friend class session_base;
    owned<hsm::detail::scxml::host_core> core_;
};

} // namespace hsm::scxml
