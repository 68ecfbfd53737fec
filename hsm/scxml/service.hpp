/// Services: objects of your program that a document can invoke instead of another document.
///
///     class lamp : public hsm::scxml::service {
///         void receive(const hsm::scxml::incoming& event) override { if (event.event == "on") send("shines"); }
///     };
///     hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override { // of a context
///         return what.type == "lamp" ? hsm::make_owned<lamp>() : nullptr;
///     }
///
/// A service belongs to the session that has invoked it, and to the session's thread. It is destroyed when the invoking state is exited.
#pragma once

#include <hsm/define/owned.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {
class session_core;
}

namespace hsm::scxml {

/// An event that a machine sends.
struct outgoing {
    std::string event;
    std::string target; ///< as written in the document
    std::string type;   ///< as written in the document; empty: SCXML's own
    std::string sendid; ///< empty if the document specifies none
    std::string data;   ///< JSON; empty: none
    std::string origin; ///< the sending session: "#_scxml_" and its id
};

/// An event that a machine receives: the content of `_event`.
struct incoming {
    std::string event;
    std::string data; ///< JSON; empty: none
    std::string sendid, origin, origintype, invokeid;
};

/// Names and JSON values.
using named_values = std::vector<std::pair<std::string, std::string>>;

/// An <invoke> of another type than SCXML.
struct invocation {
    std::string type;    ///< as written in the document
    std::string id;      ///< its id in the document
    std::string src;     ///< empty if there is none
    std::string content; ///< JSON of <content expr>, or the content of <content>
    named_values values; ///< the values of namelist and <param>
};

class service {
public:
    service() = default;
    service(const service&) = delete;
    service& operator=(const service&) = delete;
    virtual ~service() = default;

    /// Called first. The service can send events from now on.
    virtual void begin();
    /// Receives events that the document sends to `#_ID` and, with autoforward, all external events of the document. Called during the document's
    /// step: this function may send events, but must not call the session.
    virtual void receive(const incoming& event);

    const std::string& id() const { return id_; }
    /// Sends an event to the document, with `_event.invokeid`. Returns false if the queue is full. If events are sent during a call of the session,
    /// they are handled before the call ends. Other events are handled in the session's next process, tick or run.
    bool send(std::string event, std::string json = {});
    /// Sends done.invoke.ID. The service receives no more events.
    bool done(std::string json = {});

private:
    friend class hsm::detail::scxml::session_core;
    hsm::detail::scxml::session_core* invoker_ = nullptr;
    std::string id_;
    bool ended_ = false;
};

} // namespace hsm::scxml
