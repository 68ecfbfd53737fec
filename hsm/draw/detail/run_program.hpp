/// Another program, without a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct program_end {
    int error = 0;  ///< of the system, why it could not be run; 0: it was
    int status = 0; ///< with which it has ended; below 0: by that signal
    std::string output, errors;
};

/// Runs a program that is looked for in PATH, gives it the input, and waits for its end.
program_end run_program(const std::vector<std::string>& command, std::string_view input);

/// Text for an error of the system.
std::string system_text(int error);

} // namespace hsm::detail
