/// An error in a coverage file (with its line), or insufficient coverage.
#pragma once

#include <hsm/define/code.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace hsm {

class coverage_error : public std::runtime_error {
public:
    coverage_error(hsm::code what, std::size_t line, std::string problem, std::string hint);

    hsm::code number() const { return code_; }
    std::size_t line() const { return line_; } ///< the line in the file, from 1; 0 if the error has no line
    const std::string& problem() const { return problem_; }
    const std::string& hint() const { return hint_; }

private:
    hsm::code code_;
    std::size_t line_;
    std::string problem_, hint_;
};

} // namespace hsm
