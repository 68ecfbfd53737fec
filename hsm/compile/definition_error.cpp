#include <hsm/compile/definition_error.hpp>

namespace hsm {

definition_error::definition_error(std::vector<finding> findings)
    : findings_(std::move(findings)), text_("the definition has errors:\n" + describe(findings_)) {}

} // namespace hsm
