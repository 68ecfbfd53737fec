/// Loads XML files with simulated behavior for all names.
#pragma once

#include <hsm/load/xml.hpp>
#include <hsm/tool/detail/open_names.hpp>

namespace hsm::detail::tool {

struct open_machine {
    owned<fsm<simulated_context>> root; ///< empty if there are problems
    std::vector<load_problem> problems;
    std::vector<used_name> names;
};
/// The machine must not outlive `world`.
open_machine load_open_xml(const std::string& path, simulation& world, const load_options& options = {});
/// The same for text in memory. `name` is the file's name in messages.
open_machine load_open_xml_text(std::string text, std::string name, simulation& world, const load_options& options = {});

} // namespace hsm::detail::tool
