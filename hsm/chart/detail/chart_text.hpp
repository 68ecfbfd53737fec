/// Names of states, events and types for output.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

/// Returns a name that distinguishes states with the same name: the shortest end of its path that is the end of no other state's path. If many
/// states have its name, returns the whole path.
std::string distinct_name(const chart_core& core, index s);

/// Returns "start", "game::hit", "go of game::signal", "any_event": the full name of a class, the name and type of an enumerator or a byte.
inline std::string event_text(std::string_view name, std::string_view type, bool is_name) {
    if (is_name || type == event_type_of<any_event_type>.name) return std::string(name);
    return std::string(type.ends_with(name) ? type : std::string(name) + " of " + std::string(type));
}

/// Returns the name of a type in a form that is the same with every compiler. Compilers differ in spaces, unnamed namespaces, and numbers in template
/// arguments.
std::string common_form(std::string_view type);

} // namespace hsm::detail
