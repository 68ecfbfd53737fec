// Replaces scxml_format.cpp in builds without SCXML.

#include <hsm/tool/detail/machine_file.hpp>

namespace hsm::detail::tool {

const machine_format* scxml_format() { return nullptr; }
std::vector<load_problem> lower_to_xml(state_base&) { return {}; }
bool has_unknown_markup(const state_base&) { return false; }

} // namespace hsm::detail::tool
