/// An error in a trace file, with its position.
#pragma once

#include <hsm/define/code.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hsm {

class trace_error : public std::runtime_error {
public:
    trace_error(hsm::code what, std::uint64_t offset, std::string problem, std::string hint);

    hsm::code number() const { return code_; }
    std::uint64_t offset() const { return offset_; } ///< in bytes from the beginning of the file
    const std::string& problem() const { return problem_; }
    const std::string& hint() const { return hint_; }

private:
    hsm::code code_;
    std::uint64_t offset_;
    std::string problem_, hint_;
};

} // namespace hsm
