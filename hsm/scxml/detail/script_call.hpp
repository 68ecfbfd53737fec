/// The use of Duktape inside the engine. For .cpp files; requires script_engine's protected calls.
#pragma once

#include <hsm/scxml/detail/expression.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

struct duk_hthread;

namespace hsm::detail::scxml {

/// Pops the top value and returns it as JSON, or none if JSON cannot express it. Exceptions of its toJSON are passed on.
value pop_value(duk_hthread* c);
/// Pushes a value; undefined for none. Throws if it is not JSON.
void push_value(duk_hthread* c, const value& v);
void push_text(duk_hthread* c, std::string_view utf8);
/// Requires a string at this index.
std::string text_at(duk_hthread* c, int at);

/// Pushes a document. Returns false and pushes nothing if `xml` is not well-formed. Scripts have a read-only subset of DOM level 2: names,
/// attributes, text and navigation. As JSON, a document is {"#xml": "..."}.
bool push_xml(duk_hthread* c, std::string_view xml);
/// Replaces such objects in the top value by documents.
void revive_xml(duk_hthread* c);

/// Returns the variables of scripts: the enumerable properties of the global object without functions. Throws for values that cannot be written, and
/// if the limit is exceeded.
saved_data save_variables(duk_hthread* c, std::size_t limit, const std::vector<std::string>& without);
void restore_variables(duk_hthread* c, std::string_view json);

} // namespace hsm::detail::scxml
