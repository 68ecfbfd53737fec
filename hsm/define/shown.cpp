#include <hsm/define/detail/shown.hpp>

#include <hsm/define/detail/lookup.hpp>

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
    if (!whole && names.size() > 1) names.pop_back(); // the last one exceeds the limit
    std::string path = whole ? "" : at || names.size() > 1 ? ".../" : "";
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (name != names.rbegin()) path += '/';
        path += whole ? std::string(*name) : shown(*name, longest_shown_path);
    }
    return path;
}

namespace {

/// Returns the name of the enumerator from a state below `s` that has it; empty if there is none.
std::string_view enumerator_in(const state_base& s, const enum_id& id) {
    std::vector<const state_base*> rest{&s};
    while (!rest.empty()) {
        const auto& at = *rest.back();
        rest.pop_back();
        if (at.id() == id && !at.enumerator().empty()) return at.enumerator();
        for (const auto& sub : at.substates()) rest.push_back(sub.get());
    }
    return {};
}

} // namespace

std::string shown_target(const target_spec& t, const state_base& from) {
    if (t.node) return shown_path(*t.node);
    if (t.id && enumerator_named(t.id.type->enumerators, t.id.value).empty())
        if (const auto name = enumerator_in(root_of(from), t.id); !name.empty())
            return shown(std::string(unqualified(t.id.type->name)) + "::" + std::string(name));
    return shown(t.written());
}

} // namespace hsm::detail
