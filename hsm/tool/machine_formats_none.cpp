// Replaces machine_formats.cpp in builds without pugixml.

#include <hsm/tool/detail/machine_file.hpp>

namespace hsm::detail::tool {

std::span<const machine_format> machine_formats() { return {}; }
owned<file_watch> watch_file(const std::string&) { return {}; }

} // namespace hsm::detail::tool
