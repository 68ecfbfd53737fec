#include <hsm/chart/detail/chart_text.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

std::string_view own_name(const chart_core& core, index s) { return core.states[s].node->name(); }

constexpr std::ptrdiff_t few = 64; ///< states with the same name, up to which they are compared with each other

/// Returns the number of names that the ends of their paths have in common.
index names_in_common(const chart_core& core, index a, index b) {
    index count = 0;
    for (; a != no_index && b != no_index && own_name(core, a) == own_name(core, b); ++count) {
        a = core.states[a].superstate;
        b = core.states[b].superstate;
    }
    return count;
}

} // namespace

std::string distinct_name(const chart_core& core, index s) {
    const auto name_at = [&](index i) { return own_name(core, i); };
    const auto first = std::ranges::lower_bound(core.by_name, own_name(core, s), {}, name_at);
    const auto last = std::ranges::upper_bound(first, core.by_name.end(), own_name(core, s), {}, name_at);
    if (last - first > few) return core.states[s].node->path();
    index alike = 0;
    for (auto other = first; other != last; ++other)
        if (*other != s) alike = std::max(alike, names_in_common(core, s, *other));
    std::string name(own_name(core, s));
    auto around = core.states[s].superstate;
    for (; alike > 0 && around != no_index; --alike, around = core.states[around].superstate) name = std::string(own_name(core, around)) + '/' + name;
    return name;
}

std::string common_form(std::string_view type) {
    std::string text(type);
    const auto replace = [&](std::string_view from, std::string_view to) {
        for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    };
    replace("{anonymous}", "(anonymous namespace)");
    replace(" >", ">");
    replace(", ", ",");
    replace("'\\000'", "0");
    return text;
}

} // namespace hsm::detail
