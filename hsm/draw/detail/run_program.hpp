/// Runs other programs without a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct program_end {
    int error = 0;          ///< the system's error if the program could not be run; otherwise 0
    int status = 0;         ///< the exit status; negative: the signal that ended it
    bool timed_out = false; ///< it did not end in time and was killed
    std::string output, errors;
};

/// Runs a program from PATH with this input, and waits until it ends, or until that many milliseconds have passed; -1: without a limit.
program_end run_program(const std::vector<std::string>& command, std::string_view input, int limit_ms = -1);

/// Returns the text of a system error.
std::string system_text(int error);

} // namespace hsm::detail
