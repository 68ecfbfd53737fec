/// Loads XML files with simulated behavior for all names.
#pragma once

#include <hsm/load/xml.hpp>
#include <hsm/tool/detail/open_names.hpp>

#include <string>
#include <vector>

namespace test {

struct open_machine {
    hsm::owned<hsm::fsm<hsm::detail::tool::simulated_context>> root; ///< empty if there are problems
    std::vector<hsm::load_problem> problems;
    std::vector<hsm::detail::tool::used_name> names;
};

/// `name` is the file's name in messages. The machine must not outlive `world`.
inline open_machine load_open_xml(std::string text, std::string name, hsm::detail::tool::simulation& world) {
    hsm::registry<hsm::detail::tool::simulated_context> names;
    hsm::detail::tool::open_names open(world);
    const hsm::detail::tool::open_names::listening to(open, names);
    auto result = hsm::try_load_xml_text(std::move(text), names, std::move(name));
    return {std::move(result.root), std::move(result.problems), open.names()};
}

} // namespace test
