/// The terms for parts of a definition in messages: C++ terms, or those of the loaded file's format.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>

namespace hsm::detail {

/// Converts a message about `s` from C++ terms to those of its file. Quoted text, such as names, is unchanged.
std::string in_terms_of(const state_base& s, std::string message);

} // namespace hsm::detail
