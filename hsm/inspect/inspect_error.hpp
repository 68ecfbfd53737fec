/// The exception that pages throw.
#pragma once

#include <hsm/run/error.hpp>

#include <string>
#include <utility>

namespace hsm::inspect {

/// The errors HSM-401 to HSM-407. The program can continue without the page, or without the machine that could not be listed.
class inspect_error : public run_error {
public:
    inspect_error(hsm::code what, std::string problem, std::string hint) : run_error({what, {}, std::move(problem), std::move(hint)}) {}
};

} // namespace hsm::inspect
