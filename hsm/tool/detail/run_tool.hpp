/// The program, independent of the process's streams and arguments.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

/// Runs a command and returns the exit status. Does not throw for mistakes of the user.
int run_tool(const std::vector<std::string>& words, surroundings& here);

} // namespace hsm::detail::tool
