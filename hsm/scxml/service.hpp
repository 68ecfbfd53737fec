/// What a document can invoke that is no document: something of the host's.
///
///     class lamp : public hsm::scxml::service {
///         void receive(const hsm::scxml::incoming& event) override { if (event.event == "on") send("shines"); }
///     };
///     hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override { // of a context
///         return what.type == "lamp" ? hsm::make_owned<lamp>() : nullptr;
///     }
///
/// A service belongs to the session that has invoked it, which destroys it when the state is left that invoked it; in the session's thread.
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

/// An event on its way out of a machine.
struct outgoing {
    std::string event;
    std::string target; ///< as written
    std::string type;   ///< as written; empty: SCXML's own
    std::string sendid; ///< empty: the document has given none
    std::string data;   ///< JSON; empty: none
    std::string origin; ///< the session that sends it: "#_scxml_" and its id
};

/// An event on its way in: what `_event` shows of it.
struct incoming {
    std::string event;
    std::string data; ///< JSON; empty: none
    std::string sendid, origin, origintype, invokeid;
};

/// Names and JSON.
using named_values = std::vector<std::pair<std::string, std::string>>;

/// An <invoke> of a type that is not SCXML's own.
struct invocation {
    std::string type;    ///< as written
    std::string id;      ///< under which the document knows it
    std::string src;     ///< empty: it has none
    std::string content; ///< JSON of <content expr>, or else what stands in <content>
    named_values values; ///< of namelist and <param>
};

class service {
public:
    service() = default;
    service(const service&) = delete;
    service& operator=(const service&) = delete;
    virtual ~service() = default;

    /// It can send from now on.
    virtual void begin();
    /// What the document sends to `#_ID`, and, with autoforward, all that it gets. In the midst of the document's step: it may send, and must
    /// not call the session.
    virtual void receive(const incoming& event);

    const std::string& id() const { return id_; }
    /// To the document, which sees that it comes from here (`_event.invokeid`). False: it has no room. Handled before the call ends in which it
    /// is sent; sent outside of any, in the session's next process, tick or run.
    bool send(std::string event, std::string json = {});
    /// done.invoke.ID: nothing goes to it any more.
    bool done(std::string json = {});

private:
    friend class hsm::detail::scxml::session_core;
    hsm::detail::scxml::session_core* by_ = nullptr;
    std::string id_;
    bool over_ = false;
};

} // namespace hsm::scxml
