/// Expressions in the language of a data model, and values that are passed between data models.
#pragma once

#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm::detail::scxml {

/// An expression, a location or a script, as written, without surrounding blanks.
struct expression {
    std::string text; ///< empty: there is none
    origin at;
    std::uint32_t number = 0; ///< consecutive in this document from 0; a model can use it to cache the compiled text

    explicit operator bool() const { return !text.empty(); }
};

/// The syntax of the text, which depends on its position.
enum class script_form : std::uint8_t {
    expression,
    script,
    location,
    name, ///< a variable's name, as in <data> and <foreach>
};

/// A value outside a data model: in an event, a log or a saved session. It is JSON, so it is copied and does not depend on the model.
struct value {
    std::string json; ///< empty for ECMAScript's undefined

    explicit operator bool() const { return !json.empty(); }
    friend bool operator==(const value&, const value&) = default;
};

/// All data of a model.
struct saved_data {
    std::string json;
    std::vector<std::string> functions; ///< the values that are functions, which are not saved: "f", "a.b[0]"
};

/// An error of an evaluation or action. It results in an error.execution of the document, not in an exception.
struct [[nodiscard]] failure {
    std::string what; ///< a description; empty if there is no error

    explicit operator bool() const { return !what.empty(); }
};

/// A result or an error.
template <class T> struct [[nodiscard]] outcome {
    T result{};
    failure wrong = {};

    explicit operator bool() const { return !wrong; }
};

} // namespace hsm::detail::scxml
