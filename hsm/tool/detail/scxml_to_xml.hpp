/// A definition from an SCXML document in the words that XML files have.
#pragma once

#include <hsm/define/state_base.hpp>
#include <hsm/load/load_error.hpp>

#include <vector>

namespace hsm::detail::tool {

/// Elements of hsm's namespace become hooks and actions by name, conditions that ask for states `in` and `unless_in`. What is returned, XML has no
/// words for: it is taken out. Definitions that came from elsewhere stay as they are.
std::vector<load_problem> put_in_words_of_xml(state_base& root);
/// Of an SCXML document: attributes that the standard does not have, or elements of other namespaces in a place where they are not executed.
bool has_unknown_markup(const state_base& root);

} // namespace hsm::detail::tool
