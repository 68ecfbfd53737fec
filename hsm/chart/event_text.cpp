#include <hsm/chart/detail/event_text.hpp>

namespace hsm {

std::string detail::common_form(std::string_view type) {
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

} // namespace hsm
