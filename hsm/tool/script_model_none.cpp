// Replaces script_model.cpp in builds without Duktape.

#include <hsm/tool/detail/machine_file.hpp>

namespace hsm::detail::tool {

const scxml::data_model_kind* script_model() { return nullptr; }

} // namespace hsm::detail::tool
