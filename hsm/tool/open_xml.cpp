#include <hsm/tool/detail/open_xml.hpp>

namespace hsm::detail::tool {

namespace {

template <class Load> open_machine loaded(simulation& world, Load load) {
    registry<simulated_context> names;
    open_names open(world);
    const open_names::listening to(open, names);
    auto result = load(names);
    return {std::move(result.root), std::move(result.problems), open.names()};
}

} // namespace

open_machine load_open_xml(const std::string& path, simulation& world, const load_options& options) {
    return loaded(world, [&](const auto& names) { return try_load_xml(path, names, options); });
}

open_machine load_open_xml_text(std::string text, std::string name, simulation& world, const load_options& options) {
    return loaded(world, [&](const auto& names) { return try_load_xml_text(std::move(text), names, std::move(name), options); });
}

} // namespace hsm::detail::tool
