/// The terms that messages use for parts of a definition: those of C++, or of the format of the file that it was loaded from.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>

namespace hsm::detail {

/// A message about `s`, written in the terms of C++, in those of its file. Quoted text, such as names, stays as it is.
std::string in_terms_of(const state_base& s, std::string message);

} // namespace hsm::detail
