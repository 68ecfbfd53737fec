/// What a document writes in the language of its data model, and values on their way from one place to another.
#pragma once

#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>

namespace hsm::detail::scxml {

/// An expression, a location or a script: as written, without the blanks around it.
struct expression {
    std::string text; ///< empty: there is none
    origin at;
    std::uint32_t number = 0; ///< of this document, from 0: where a model may keep what it has made of the text

    explicit operator bool() const { return !text.empty(); }
};

/// What is made of its text depends on where it stands.
enum class script_form : std::uint8_t {
    expression,
    script,
    location,
    name, ///< of a variable, as <data> and <foreach> have it
};

/// A value that leaves a data model: with an event, into a log, into a saved session. JSON, so that it is passed by value, and that
/// what it is does not depend on the model.
struct value {
    std::string json; ///< empty: there is none (ECMAScript's undefined)

    explicit operator bool() const { return !json.empty(); }
    friend bool operator==(const value&, const value&) = default;
};

/// Why something could not be evaluated or done: an error.execution of the document, and no exception.
struct [[nodiscard]] failure {
    std::string what; ///< for people; empty: nothing is wrong

    explicit operator bool() const { return !what.empty(); }
};

/// A result, unless something is wrong.
template <class T> struct [[nodiscard]] outcome {
    T result{};
    failure wrong = {};

    explicit operator bool() const { return !wrong; }
};

} // namespace hsm::detail::scxml
