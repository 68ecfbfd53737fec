// Replaces machine_formats.cpp in builds without pugixml.

#include <hsm/tool/detail/machine_file.hpp>

namespace hsm::detail::tool {

std::span<const machine_format> machine_formats() { return {}; }

} // namespace hsm::detail::tool
