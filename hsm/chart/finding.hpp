/// Errors and warnings that the check finds in a definition.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

enum class severity : std::uint8_t { error, warning };

struct finding {
    hsm::code code;
    std::string path;         ///< the path of the affected state
    std::string problem;      ///< a sentence that describes the problem
    std::string hint;         ///< how to fix it; can be empty
    file_position where = {}; ///< the position in code or in a loaded file; empty if unknown

    hsm::severity severity() const;
    std::string to_string() const; ///< the position, if it is known, and "HSM-007 error at character/idle: ...; hint: ..."
};

std::string describe(const std::vector<finding>& findings); ///< one finding per line

} // namespace hsm
