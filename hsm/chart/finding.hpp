/// What the check finds in a definition.
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
    std::string path;         ///< of the state it is about
    std::string problem;      ///< what is wrong, a sentence
    std::string hint;         ///< what to do; may be empty
    file_position where = {}; ///< if the definition was loaded from a file

    hsm::severity severity() const;
    std::string to_string() const; ///< "HSM-007 error at character/idle: ...; hint: ...", the position in front
};

std::string describe(const std::vector<finding>& findings); ///< a line each

} // namespace hsm
