/// Executable content (SCXML, section 4) as the loader prepares it, with everything resolved that does not depend on a session.
#pragma once

#include <hsm/define/state_base.hpp>
#include <hsm/scxml/detail/data_model.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace hsm::detail::scxml {

/// Comments and unknown markup of an element, as XML.
struct extra_markup {
    std::string before = {};     ///< comments before the element
    std::string attributes = {}; ///< unknown attributes, and those of other namespaces; each begins with a blank
    std::string inside = {};     ///< comments and foreign elements inside, after its known content

    bool empty() const { return before.empty() && attributes.empty() && inside.empty(); }
};

/// Constants and In() are evaluated without a data model.
struct condition {
    enum class form : std::uint8_t { constant, in, all, any, negation, computed };

    form asks = form::constant;
    bool holds = true;                 ///< for a constant
    const state_base* state = nullptr; ///< for `in`; null if no state has the id, so that it is never active
    std::vector<condition> parts;
    expression e; ///< as written; for `computed`: evaluated by the data model
};

/// A literal text or a computed one, or neither.
struct text_value {
    std::string text;
    expression computed;

    bool empty() const { return text.empty() && !computed; }
};

/// A <param>, or a name in a namelist, which is also the location.
struct parameter {
    std::string name;
    expression e; ///< its expr or location
    value fixed;  ///< a constant value instead
    bool is_location = false;
    extra_markup extra = {};
};

/// The data of an event, an invocation or a final state: parameters or a <content>.
struct payload {
    std::vector<parameter> parameters;
    bool has_content = false;
    expression computed;     ///< <content expr>
    std::string content;     ///< otherwise <content> as text; XML as written
    extra_markup extra = {}; ///< for <content>

    bool empty() const { return parameters.empty() && !has_content; }
};

struct action;
using block = std::vector<action>; ///< the content of an onentry, onexit, transition, ...; an error ends it

struct raise_action {
    std::string event;
};
struct log_action {
    std::string label;
    text_value text;
};
struct assign_action {
    expression location;
    expression e;
    std::string content; ///< if there is no expression
};
struct script_action {
    expression script;
};
struct send_action {
    text_value event, target, type;
    text_value delay;       ///< as text only if computed
    std::int64_t after = 0; ///< in nanoseconds
    std::string id;
    expression id_location;
    payload data;
};
struct cancel_action {
    text_value sendid;
};
struct choose_action { ///< <if>
    struct branch {
        std::optional<condition> when; ///< empty for <else>
        block then;
        extra_markup extra = {}; ///< for <elseif> and <else>
    };
    std::vector<branch> branches;
};
struct foreach_action {
    iteration loop;
    block body;
};
/// An element of another namespace. It does nothing unless behavior is registered for it.
struct foreign_action {
    hook behavior;
    std::string markup; ///< as written
    std::vector<std::pair<std::string, std::string>> attributes = {};
};

struct action {
    std::variant<raise_action, log_action, assign_action, script_action, send_action, cancel_action, choose_action, foreach_action, foreign_action>
        what;
    origin at;
    extra_markup extra = {};
};

class document_of_invoke;

/// <invoke>.
struct invoke_spec {
    const state_base* state = nullptr;
    std::uint32_t number = 0; ///< in document order
    text_value type, source;
    std::string id; ///< empty: an id is generated
    expression id_location;
    payload data;
    std::shared_ptr<document_of_invoke> document; ///< the document in <content>, if it is one
    bool autoforward = false;
    bool finalizes = false; ///< whether there is a <finalize>; an empty one updates the locations of the parameters
    block finalize;
    origin at;
    extra_markup extra = {}, finalize_markup = {};
};

} // namespace hsm::detail::scxml
