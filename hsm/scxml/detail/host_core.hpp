/// The sessions of a host, and the order in which their events are handled.
#pragma once

#include <hsm/scxml/detail/fifo.hpp>
#include <hsm/scxml/detail/step_budget.hpp>
#include <hsm/scxml/host.hpp>

#include <map>
#include <string>
#include <vector>

namespace hsm::detail::scxml {

class session_core;
struct invoked_session;

struct host_core {
    explicit host_core(const hsm::scxml::session_limits& limits);
    ~host_core();

    hsm::scxml::session_limits most;
    std::map<std::string, session_core*, std::less<>> by_id; ///< the running sessions
    fifo<session_core*> turns;                               ///< one for each waiting event, in the order of sending
    owned<invoked_session> ended;                            ///< ended sessions, linked; callers may still use them
    step_budget budget;                                      ///< of the current call
    bool in_call = false;

    session_core* find(std::string_view id) const {
        const auto found = by_id.find(id);
        return found == by_id.end() ? nullptr : found->second;
    }
    void forget(const session_core& s);
    /// Takes an ended session, and destroys it when none of its code can be running.
    void destroy_later(owned<invoked_session> one) noexcept;
    void destroy_ended() noexcept;
    /// Handles events until none waits. Throws chain_error after `most_macrosteps`.
    void run(std::size_t most_macrosteps);

    /// During its lifetime, calls from outside are treated as callbacks.
    class call_scope {
    public:
        explicit call_scope(host_core& h) : host_(h), outer_(std::exchange(h.in_call, true)) {}
        call_scope(const call_scope&) = delete;
        ~call_scope();

    private:
        host_core& host_;
        bool outer_;
    };
};

} // namespace hsm::detail::scxml
