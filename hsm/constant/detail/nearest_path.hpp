/// Suggests a state for a name that does not exist. Only used for errors.
#pragma once

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// Returns the edit distance (Levenshtein); for texts longer than `most`, more than any distance.
constexpr std::size_t letters_between(std::string_view a, std::string_view b) {
    constexpr std::size_t most = 64;
    if (a.size() > most || b.size() > most) return 2 * most;
    std::size_t row[most + 1] = {};
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            const auto least = row[j] < row[j + 1] ? row[j] : row[j + 1];
            row[j + 1] = changed < least + 1 ? changed : least + 1;
        }
    }
    return row[b.size()];
}

/// Returns the index of the path that ends with the last name of `wanted`, or with a similar name. If there is none, returns the index of the longest
/// path to a superstate of `wanted`; otherwise N.
template <std::size_t N> constexpr std::size_t nearest_path(std::string_view wanted, const std::string_view (&paths)[N]) {
    const auto last_name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    const auto name = last_name(wanted);
    std::size_t best = N, least = 1 + name.size() / 3;
    for (std::size_t i = 0; i < N; ++i) {
        const auto distance = letters_between(name, last_name(paths[i]));
        if (distance < least || (distance == 0 && paths[i] == wanted)) {
            least = distance;
            best = i;
        }
    }
    if (best != N) return best;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const bool leads_there = wanted.size() > paths[i].size() && wanted.starts_with(paths[i]) && wanted[paths[i].size()] == '/';
        if (leads_there && paths[i].size() > longest) {
            longest = paths[i].size();
            best = i;
        }
    }
    return best;
}

} // namespace hsm::detail
