#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/script_call.hpp>

#include <duktape.h>

#include <functional>

namespace hsm::detail::scxml {

namespace {

constexpr std::size_t forms = 3; // the forms that are compiled

/// Adds parentheses, so that {} is an object. Line numbers are unchanged.
std::string enclosed(std::string_view before, std::string_view text, std::string_view after) {
    const auto last = text.find_last_not_of("; \t\r\n");
    text = text.substr(0, last == text.npos ? 0 : last + 1);
    const bool comment = text.find("//") != text.npos; // it would hide the text after it
    return fmt::format("{}{}{}{}", before, text, comment ? "\n" : "", after);
}

} // namespace

bool script_engine::context::try_compile(std::string_view text, unsigned flags) {
    push_text(c, text);
    duk_push_string(c, name_of_source);
    return duk_pcompile(c, flags) == DUK_EXEC_SUCCESS;
}

void script_engine::context::compile(const expression& e, script_form f) {
    if (f == script_form::location) {
        // Strict mode: an assignment does not declare variables, and one to a read-only property fails.
        if (!try_compile(enclosed("(function($hsm){'use strict';", e.text, "=$hsm})"), DUK_COMPILE_EVAL)) duk_throw(c);
        return;
    }
    if (f == script_form::expression) {
        if (try_compile(enclosed("(", e.text, ")"), DUK_COMPILE_EVAL)) return;
        duk_pop(c);
    }
    if (!try_compile(e.text, f == script_form::expression ? DUK_COMPILE_EVAL : 0)) duk_throw(c);
}

void script_engine::context::push_function(const expression& e, script_form f) {
    const auto slot = e.number * forms + static_cast<std::size_t>(f);
    const auto hash = std::hash<std::string_view>()(e.text) | 1; // 0: none
    if (slot < compiled.size() && compiled[slot] == hash) {
        duk_get_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
        return;
    }
    compile(e, f);
    if (f == script_form::location) duk_call(c, 0); // returns the assigning function
    if (slot >= compiled.size()) compiled.resize(slot + 1);
    duk_dup_top(c);
    duk_put_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
    compiled[slot] = hash;
}

void script_engine::context::evaluate(const expression& e) {
    push_function(e, script_form::expression);
    duk_call(c, 0);
}

} // namespace hsm::detail::scxml
