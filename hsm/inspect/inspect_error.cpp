#include <hsm/inspect/inspect_error.hpp>

#include <hsm/chart/finding.hpp>

#include <utility>

namespace hsm::inspect {

inspect_error::inspect_error(hsm::code what, std::string problem, std::string hint)
    : std::runtime_error(finding{what, {}, problem, hint}.to_string()), code_(what), problem_(std::move(problem)), hint_(std::move(hint)) {}

} // namespace hsm::inspect
