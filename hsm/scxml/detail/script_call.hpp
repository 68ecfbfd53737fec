/// How the parts of the engine use Duktape. For .cpp files; all of it within script_engine's protected calls.
#pragma once

#include <hsm/scxml/detail/expression.hpp>

#include <cstddef>
#include <string>
#include <string_view>

struct duk_hthread;

namespace hsm::detail::scxml {

/// The value at the end of the stack, which is taken away, as JSON; none for what JSON has no word for. What its toJSON throws is thrown.
value pop_value(duk_hthread* c);
/// Leaves a value; undefined for none. Throws if it is not JSON.
void push_value(duk_hthread* c, const value& v);
void push_text(duk_hthread* c, std::string_view utf8);
/// Of a string.
std::string text_at(duk_hthread* c, int at);

/// Leaves a document, or nothing and false, if it is not well-formed XML. Scripts see what they need of DOM level 2: names, attributes, text, and
/// the ways from node to node; none of it can be changed. As JSON a document is {"#xml": "..."}.
bool push_xml(duk_hthread* c, std::string_view xml);
/// The value at the end, with such objects in it, becomes one with documents in their place.
void revive_xml(duk_hthread* c);

/// The variables of scripts: what the global object lists, but for functions. Throws for what cannot be written, and beyond the limit.
std::string save_variables(duk_hthread* c, std::size_t limit);
void restore_variables(duk_hthread* c, std::string_view json);

} // namespace hsm::detail::scxml
