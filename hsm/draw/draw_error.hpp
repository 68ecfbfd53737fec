/// The exception that drawing functions throw.
#pragma once

#include <hsm/define/code.hpp>

#include <stdexcept>
#include <string>

namespace hsm {

class draw_error : public std::runtime_error {
public:
    draw_error(hsm::code what, std::string problem, std::string hint);

    hsm::code number() const { return code_; }
    const std::string& problem() const { return problem_; }
    const std::string& hint() const { return hint_; }

private:
    hsm::code code_;
    std::string problem_, hint_;
};

} // namespace hsm
