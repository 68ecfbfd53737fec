#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::tool {

const machine_format* format_of_file(std::string_view path) {
    const auto formats = machine_formats();
    const auto found = std::ranges::find_if(formats, [&](const machine_format& f) { return path.ends_with(f.extension) || path == f.name; });
    return found == formats.end() ? nullptr : &*found;
}

namespace {

[[noreturn]] void refuse_format(const std::string& path, std::string text, std::string hint) {
    throw command_error({{.text = std::move(text), .hint = std::move(hint), .where = {path == "-" ? "(stdin)" : path, 0, 0}}}, exit_code::failed);
}

[[noreturn]] void refuse_scxml(const std::string& path) {
    refuse_format(path, "it is an SCXML document, and this program was built without SCXML", "build hsm with pugixml, and with -Dscxml=enabled");
}

} // namespace

const machine_format& format_for(const std::string& path) {
    if (const auto* const found = format_of_file(path)) return *found;
    const auto name = path.substr(path.rfind('/') + 1);
    const auto formats = machine_formats();
    if (!formats.empty() && (name == "-" || name.find('.') == name.npos)) return formats.front();
    if (name.ends_with(".scxml")) refuse_scxml(path);
    std::string known;
    for (const auto& f : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", f.extension);
    refuse_format(path, "its extension is not one of a machine file",
                  known.empty() ? "this program was built without pugixml and cannot read machines" : fmt::format("known extensions: {}", known));
}

const machine_format& format_to_read(const std::string& path, std::string_view text) {
    const auto* const named = format_of_file(path);
    if (named && is_scxml(*named)) return *named;
    if (!looks_like_scxml(text)) return format_for(path);
    if (const auto* const scxml = format_of_file("scxml")) return *scxml;
    refuse_scxml(path);
}

bool looks_like_scxml(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const auto pass = [&](std::string_view end) {
        const auto found = text.find(end);
        text.remove_prefix(found == text.npos ? text.size() : found + end.size());
    };
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (text.starts_with("<!--"))
            pass("-->");
        else if (text.starts_with("<?"))
            pass("?>");
        else if (text.starts_with("<!"))
            pass(">");
        else
            break;
    }
    if (!text.starts_with('<')) return false;
    auto name = text.substr(1, text.find_first_of(" \t\r\n/>") - 1);
    name.remove_prefix(std::min(name.find(':') + 1, name.size()));
    return name == "scxml";
}

namespace {

/// Replaces the names of library options in messages by the options of the command line.
constexpr std::pair<std::string_view, std::string_view> option_names[] = {
    {"pass one in scxml_options::data_models", "pass --scripts"},
    {"set scxml_options::include_folder to a folder that hsm can read", "pass --includes FOLDER to name a folder that hsm can read"},
};

} // namespace

std::vector<message> messages_of(const std::vector<load_problem>& problems) {
    std::vector<message> all;
    for (const auto& p : problems) {
        auto& made = all.emplace_back(message_of(p));
        for (const auto& [api, option] : option_names)
            if (const auto at = made.hint.find(api); at != made.hint.npos) made.hint.replace(at, api.size(), option);
    }
    return all;
}

} // namespace hsm::detail::tool
