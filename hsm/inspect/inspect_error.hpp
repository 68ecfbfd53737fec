/// The exception that pages throw.
#pragma once

#include <hsm/define/code.hpp>

#include <stdexcept>
#include <string>

namespace hsm::inspect {

/// The errors HSM-401 to HSM-407. The program can continue without the page, or without the machine that could not be listed.
class inspect_error : public std::runtime_error {
public:
    inspect_error(hsm::code what, std::string problem, std::string hint);

    hsm::code number() const { return code_; }
    const std::string& problem() const { return problem_; }
    const std::string& hint() const { return hint_; }

private:
    hsm::code code_;
    std::string problem_, hint_;
};

} // namespace hsm::inspect
