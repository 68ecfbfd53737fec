#include <hsm/define/detail/shown.hpp>

#include <vector>

namespace hsm::detail {

std::string shown(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string shown_path(const state_base& s) {
    std::vector<std::string_view> names; // innermost first
    std::size_t length = 0;
    const auto* at = &s;
    for (; at && length <= longest_shown_path; at = at->superstate()) {
        names.push_back(at->name());
        length += at->name().size() + 1;
    }
    const bool whole = !at && length <= longest_shown_path + 1;
    if (!whole && names.size() > 1) names.pop_back(); // the one that was too much
    std::string path = whole ? "" : at || names.size() > 1 ? ".../" : "";
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (name != names.rbegin()) path += '/';
        path += whole ? std::string(*name) : shown(*name, longest_shown_path);
    }
    return path;
}

std::string shown_target(const target_spec& t) { return t.node ? shown_path(*t.node) : shown(t.written()); }

} // namespace hsm::detail
