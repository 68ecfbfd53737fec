/// How events and types are named for people.
#pragma once

#include <string>
#include <string_view>

namespace hsm::detail {

/// "start", "game::hit", "go of game::signal": of a class all of its name, of an enumerator or a byte the type as well.
inline std::string event_text(std::string_view name, std::string_view type, bool is_name) {
    if (is_name) return std::string(name);
    return std::string(type.ends_with(name) ? type : std::string(name) + " of " + std::string(type));
}

/// The same name of a type, whichever compiler wrote it: they differ in spaces, the unnamed namespace, and numbers that are template arguments.
std::string common_form(std::string_view type);

} // namespace hsm::detail
