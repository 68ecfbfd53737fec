#include <hsm/tool/detail/machine_file.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace hsm::detail::tool {

const machine_format* format_of_file(std::string_view path) {
    const auto formats = machine_formats();
    const auto found = std::ranges::find_if(formats, [&](const machine_format& f) { return path.ends_with(f.extension) || path == f.name; });
    return found == formats.end() ? nullptr : &*found;
}

const machine_format& format_to_read(const std::string& path) {
    if (const auto* const found = format_of_file(path)) return *found;
    const auto name = path.substr(path.rfind('/') + 1);
    const auto formats = machine_formats();
    if (!formats.empty() && (name == "-" || name.find('.') == name.npos)) return formats.front();
    std::string known;
    for (const auto& f : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", f.extension);
    throw command_error(
        {{.text = "the end of its name is none of a machine's file",
          .hint = known.empty() ? "this program was built without pugixml, and reads no machines" : fmt::format("there are {}", known),
          .where = {path, 0, 0}}},
        exit_code::failed);
}

} // namespace hsm::detail::tool
