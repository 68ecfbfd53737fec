#include <hsm/load/detail/misspelt.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <algorithm>
#include <array>

namespace hsm::detail {

namespace {

constexpr std::size_t shortest = 5, shortest_of_two_edits = 8, shortest_word = 4;
constexpr std::size_t most_compared = 1'000'000; ///< pairs; limits the time, because a file can have any number of names

bool is_upper(char c) { return ascii_lower(c) != c; }
bool is_letter(char c) { return is_ascii_letter(c) || !is_ascii(c); }

bool word_begins(std::string_view name, std::size_t i) { return i == 0 || !is_letter(name[i - 1]) || (is_upper(name[i]) && !is_upper(name[i - 1])); }

/// Returns the length of the word around name[begin, end), which can be empty. Non-letters and capital letters separate words.
std::size_t word_around(std::string_view name, std::size_t begin, std::size_t end) {
    while (begin > 0 && !word_begins(name, begin)) --begin;
    while (end < name.size() && is_letter(name[end]) && !word_begins(name, end)) ++end;
    return end - begin;
}

/// Returns the number of insertions, deletions, replacements and exchanges of neighbors.
std::size_t edits(std::string_view a, std::string_view b) {
    constexpr std::size_t longest = 4;
    if (a.size() > longest || b.size() > longest) return longest;
    std::array<std::array<std::size_t, longest + 1>, longest + 1> d{};
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

bool reads_like(std::string_view name, std::string_view other) {
    const auto most = std::size_t(name.size() < shortest_of_two_edits ? 1 : 2);
    if (name.size() > other.size() + most || other.size() > name.size() + most) return false;
    const auto shorter = std::min(name.size(), other.size());
    const auto front = static_cast<std::size_t>(std::ranges::mismatch(name, other).in1 - name.begin());
    std::size_t back = 0;
    while (back < shorter - front && name[name.size() - 1 - back] == other[other.size() - 1 - back]) ++back;
    if (front == 0 || back == 0) return false; // they differ by a prefix or a suffix
    const auto a = name.substr(front, name.size() - front - back), b = other.substr(front, other.size() - front - back);
    if (std::ranges::none_of(a, is_letter) && std::ranges::none_of(b, is_letter)) return false;
    if (word_around(name, front, front + a.size()) < shortest_word || word_around(other, front, front + b.size()) < shortest_word) return false;
    return edits(a, b) <= most;
}

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> find_misspelt(const std::vector<name_uses>& names) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].uses != 1 || names[i].is_known || names[i].name.size() < shortest) continue;
        for (std::size_t j = 0; j < names.size(); ++j) {
            if (++compared > most_compared) return found;
            if (names[j].uses <= 1 || !reads_like(names[i].name, names[j].name)) continue;
            found.emplace_back(i, j);
            break;
        }
    }
    return found;
}

std::string problem_of_misspelt(std::string_view kind, const name_uses& name, const name_uses& other) {
    return fmt::format("the {} \"{}\" is used once, and \"{}\" is used {} times", kind, shown(name.name), shown(other.name), other.uses);
}

} // namespace hsm::detail
