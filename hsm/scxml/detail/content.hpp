/// Executable content (SCXML, section 4), as the loader leaves it: what there is to find out before a session runs has been found out.
#pragma once

#include <hsm/define/state_base.hpp>
#include <hsm/scxml/detail/data_model.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace hsm::detail::scxml {

/// Comments and unknown markup of an element, as XML.
struct kept_markup {
    std::string before = {};     ///< comments in front of the element
    std::string attributes = {}; ///< unknown ones, and those of other namespaces; each begins with a blank
    std::string inside = {};     ///< comments and foreign elements in it, behind its known content

    bool empty() const { return before.empty() && attributes.empty() && inside.empty(); }
};

/// Constants and In() are asked without a data model.
struct condition {
    enum class form : std::uint8_t { constant, in, all, any, negation, computed };

    form asks = form::constant;
    bool holds = true;                 ///< of a constant
    const state_base* state = nullptr; ///< of in; null: there is none of that id, so that it is never active
    std::vector<condition> parts;
    expression e; ///< as written; of `computed`: what the data model is asked
};

/// A text that is written, or computed. Neither: there is none.
struct text_value {
    std::string text;
    expression computed;

    bool empty() const { return text.empty() && !computed; }
};

/// <param>, and the words of a namelist, whose name is their location.
struct parameter {
    std::string name;
    expression e; ///< its expr, or location
    value fixed;  ///< a constant, instead
    bool is_location = false;
    kept_markup kept = {};
};

/// What goes with an event, a session, the end of a state: params, or a <content>.
struct payload {
    std::vector<parameter> parameters;
    expression computed; ///< of <content expr>
    std::string content; ///< of <content>, as text; XML as it is written
    bool has_content = false;
    kept_markup kept = {}; ///< of <content>

    bool empty() const { return parameters.empty() && !computed && !has_content; }
};

struct action;
using block = std::vector<action>; ///< what stands in one onentry, onexit, transition, ...: an error ends it

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
    text_value delay;       ///< as text only if it is computed
    std::int64_t after = 0; ///< nanoseconds
    std::string id;
    expression id_location;
    payload data;
};
struct cancel_action {
    text_value sendid;
};
struct choose_action { ///< <if>
    struct branch {
        std::optional<condition> when; ///< none: <else>
        block then;
        kept_markup kept = {}; ///< of <elseif> and <else>
    };
    std::vector<branch> branches;
};
struct foreach_action {
    iteration loop;
    block body;
};
/// An element of another namespace, for which something is registered; else it does nothing.
struct foreign_action {
    hook behaviour;
    std::string markup; ///< as it is written
    std::vector<std::pair<std::string, std::string>> attributes = {};
};

struct action {
    std::variant<raise_action, log_action, assign_action, script_action, send_action, cancel_action, choose_action, foreach_action, foreign_action>
        what;
    origin at;
    kept_markup kept = {};
};

class document_of_invoke;

/// <invoke>.
struct invoke_spec {
    const state_base* state = nullptr;
    std::uint32_t number = 0; ///< of the document's, in document order
    text_value type, source;
    std::string id; ///< empty: one is made
    expression id_location;
    std::vector<parameter> parameters;
    expression computed;                          ///< of <content expr>
    std::string content;                          ///< of <content>, as text; XML as it is written
    std::shared_ptr<document_of_invoke> document; ///< that <content> is, if it is one
    bool has_content = false;
    bool autoforward = false;
    bool finalizes = false; ///< there is a <finalize>: an empty one updates the locations of the parameters
    block finalize;
    origin at;
    kept_markup kept = {}, kept_content = {}, kept_finalize = {};
};

} // namespace hsm::detail::scxml
