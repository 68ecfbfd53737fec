/// The number of occurrences of each item of a chart. Plain data: a map of keys to numbers for each kind.
///
/// A key is a pair of numbers:
/// - a state or transition, and 0;
/// - a guard and its answer; groups of conditions are numbered after the guards;
/// - two transitions;
/// - a state and the first row that waits for an event, or no_number if there is none.
#pragma once

#include <hsm/observe/coverage.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace hsm::detail {

constexpr std::uint64_t coverage_key(std::uint32_t first, std::uint32_t second = 0) { return std::uint64_t(first) << 32 | second; }
constexpr std::uint32_t first_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
constexpr std::uint32_t second_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

struct coverage_counts {
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, coverage_kind_count> of;

    auto& at(coverage_kind kind) { return of[static_cast<std::size_t>(kind)]; }
    const auto& at(coverage_kind kind) const { return of[static_cast<std::size_t>(kind)]; }
    std::uint64_t count(coverage_kind kind, std::uint64_t key) const {
        const auto found = at(kind).find(key);
        return found == at(kind).end() ? 0 : found->second;
    }
    /// Saturates.
    void add(coverage_kind kind, std::uint64_t key, std::uint64_t times = 1) {
        auto& n = at(kind)[key];
        n = times > std::numeric_limits<std::uint64_t>::max() - n ? std::numeric_limits<std::uint64_t>::max() : n + times;
    }
    void add(const coverage_counts& other) {
        for (std::size_t k = 0; k < of.size(); ++k)
            for (const auto& [key, times] : other.of[k]) add(static_cast<coverage_kind>(k), key, times);
    }
};

} // namespace hsm::detail
