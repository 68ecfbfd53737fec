/// The whole program, but for what is the process's.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

/// What main returns. Does not throw for what its user did.
int run_tool(const std::vector<std::string>& words, surroundings& here);

} // namespace hsm::detail::tool
