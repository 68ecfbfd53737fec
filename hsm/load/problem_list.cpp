#include <hsm/load/problem_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hsm {

void problem_list::add(hsm::code code, origin where, std::string problem, std::string hint) {
    if (full())
        ++further_;
    else
        problems_.push_back({code, {file_, where.line, where.column}, std::move(problem), std::move(hint)});
}

std::vector<load_problem> problem_list::take() {
    std::ranges::stable_sort(problems_, {}, [](const load_problem& p) { return std::tie(p.where.line, p.where.column); });
    if (further_ > 0 && !problems_.empty()) problems_.back().hint += fmt::format(" (and {} more errors in this file)", further_);
    return std::move(problems_);
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 80;
    if (text.size() <= longest) return fmt::format("\"{}\"", text);
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end; // not in the midst of a character
    return fmt::format("\"{}...\"", text.substr(0, end));
}

} // namespace hsm
