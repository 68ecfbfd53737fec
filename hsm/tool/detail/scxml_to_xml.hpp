/// Converts a definition from an SCXML document to what XML files can express.
#pragma once

#include <hsm/define/state_base.hpp>
#include <hsm/load/load_error.hpp>

#include <vector>

namespace hsm::detail::tool {

/// Converts elements of hsm's namespace to named hooks and actions, and conditions about active states to `in` and `unless_in`. Removes everything
/// that XML cannot express, and returns it. Definitions that do not come from a document are unchanged.
std::vector<load_problem> put_in_words_of_xml(state_base& root);
/// Returns whether a document has attributes that are not part of the standard, or elements of other namespaces that are not executed.
bool has_unknown_markup(const state_base& root);

} // namespace hsm::detail::tool
