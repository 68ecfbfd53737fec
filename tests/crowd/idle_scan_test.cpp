// Compares the idle test with vector instructions to the plain one, and the plain one to its definition.

#include <hsm/crowd/detail/idle_scan.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace {

/// All numbers of this file are sizes.
struct random_numbers : test::random_numbers {
    std::size_t below(std::size_t n) { return test::random_numbers::below(n); }
};

struct alignas(64) line {
    std::byte bytes[64];
};

/// An aligned column of numbers of `size` bytes each.
class column {
public:
    column(std::size_t count, std::size_t size) : size_(size), lines_((count * size + 63) / 64) {}
    void set(std::size_t i, std::uint64_t value) { std::memcpy(reinterpret_cast<std::byte*>(lines_.data()) + i * size_, &value, size_); }
    const void* data() const { return lines_.data(); }

private:
    std::size_t size_;
    std::vector<line> lines_;
};

std::uint64_t narrow(std::uint64_t value, std::size_t size) { return size == 8 ? value : value & ((std::uint64_t(1) << 8 * size) - 1); }

/// Mostly few bits, so that about as many agents are idle as must tick.
std::uint64_t mask(random_numbers& random, std::size_t size) {
    switch (random.below(4)) {
    case 0: return 0;
    case 1: return narrow(random.next() & random.next() & random.next(), size);
    case 2: return std::uint64_t(1) << random.below(8 * size);
    default: return narrow(random.next(), size);
    }
}

struct seen {
    int idle = 0, restless = 0;
};

void compare(std::size_t rows, std::size_t row_size, std::size_t bit_size, std::uint64_t seed, seen& all) {
    CAPTURE(rows);
    CAPTURE(row_size);
    CAPTURE(bit_size);
    random_numbers random{{seed * 0x9e37'79b9'7f4a'7c15 + 1}};
    hsm::detail::idle_tables tables(rows, row_size, bit_size);
    std::vector<std::uint64_t> unwanted(rows), watch(rows);
    for (std::size_t r = 0; r < rows; ++r) tables.set(r, unwanted[r] = mask(random, bit_size), watch[r] = mask(random, bit_size));
    const std::size_t groups = 1 + random.below(5), agents = 64 * groups;
    column row_column(agents, row_size), bit_column(agents, bit_size);
    std::vector<std::uint64_t> wanted(groups + 1), by_vectors(groups + 1, 42), plainly(groups + 1, 42);
    for (std::size_t i = 0; i < agents; ++i) {
        const auto row = random.below(8) == 0 ? rows - 1 : random.below(rows);
        const auto bits =
            random.below(2) ? unwanted[row] ^ (random.below(2) ? mask(random, bit_size) & mask(random, bit_size) : 0) : mask(random, bit_size);
        row_column.set(i, row);
        bit_column.set(i, bits);
        const bool restless = ((bits ^ unwanted[row]) & watch[row]) != 0;
        wanted[i / 64] |= std::uint64_t(restless) << i % 64;
        ++(restless ? all.restless : all.idle);
    }
    wanted[groups] = 42; // nothing after the groups is written
    hsm::detail::find_idle_scan(tables, true)(tables, row_column.data(), bit_column.data(), groups, by_vectors.data());
    hsm::detail::find_idle_scan(tables, false)(tables, row_column.data(), bit_column.data(), groups, plainly.data());
    REQUIRE(plainly == wanted);
    REQUIRE(by_vectors == wanted);
}

} // namespace

TEST_CASE("both scans find exactly the agents with a watched bit that differs") {
    seen all;
    std::vector<std::size_t> sizes{100, 200, 255, 256};
    for (std::size_t rows = 1; rows <= 70; ++rows) sizes.push_back(rows);
    for (const auto rows : sizes)
        for (const std::size_t row_size : {1u, 2u})
            for (const std::size_t bit_size : {1u, 4u, 8u})
                for (std::uint64_t seed = 1; seed <= 12; ++seed) compare(rows, row_size, bit_size, seed * 1000 + rows, all);
    for (const std::size_t rows : {257u, 300u, 4000u})
        for (const std::size_t bit_size : {1u, 4u, 8u})
            for (std::uint64_t seed = 1; seed <= 20; ++seed) compare(rows, 2, bit_size, seed, all);
    CHECK(all.idle > all.restless / 5);
    CHECK(all.restless > all.idle / 5);
}

TEST_CASE("the scan detects a change of any single bit of any agent of a group") {
    for (const std::size_t bit_size : {1u, 4u, 8u})
        for (const std::size_t rows : {3u, 20u, 40u, 60u, 90u})
            for (const bool vectors : {false, true}) {
                hsm::detail::idle_tables tables(rows, 1, bit_size);
                column row_column(128, 1), bit_column(128, bit_size);
                for (std::size_t r = 0; r < rows; ++r) tables.set(r, 0, ~std::uint64_t(0));
                for (std::size_t i = 0; i < 128; ++i) row_column.set(i, i % rows), bit_column.set(i, 0);
                const auto scan = hsm::detail::find_idle_scan(tables, vectors);
                for (std::size_t i = 0; i < 128; ++i)
                    for (std::size_t b = 0; b < 8 * bit_size; b += 7) {
                        bit_column.set(i, std::uint64_t(1) << b);
                        std::uint64_t found[2] = {};
                        scan(tables, row_column.data(), bit_column.data(), 2, found);
                        REQUIRE(found[i / 64] == std::uint64_t(1) << i % 64);
                        REQUIRE(found[1 - i / 64] == 0);
                        bit_column.set(i, 0);
                    }
            }
}

TEST_CASE("the scan finds exactly the due agents, and the earliest time") {
    random_numbers random{{17}};
    alignas(64) std::int64_t moments[65];
    const std::int64_t ends[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1, std::numeric_limits<std::int64_t>::max() - 1,
                                 std::numeric_limits<std::int64_t>::max()};
    for (int round = 0; round < 4000; ++round) {
        const auto spread = std::int64_t(1) << random.below(62);
        const auto some = [&] {
            const auto near = static_cast<std::int64_t>(random.next() >> 1) % spread;
            return random.below(8) == 0 ? ends[random.below(6)] : random.below(2) ? near : -near;
        };
        for (auto& m : moments) m = some();
        const auto now = random.below(4) == 0 ? moments[random.below(64)] : some();
        moments[64] = ends[0]; // nothing after the moments is read
        std::uint64_t wanted = 0;
        for (int i = 0; i < 64; ++i) wanted |= std::uint64_t(moments[i] <= now) << i;
        for (const bool vectors : {false, true}) {
            std::int64_t earliest = 42;
            REQUIRE(hsm::detail::find_due_scan(vectors)(moments, now, earliest) == wanted);
            REQUIRE(earliest == *std::min_element(moments, moments + 64));
        }
    }
}

TEST_CASE("the scan of rows finds exactly the rows of the range, also at the largest numbers") {
    random_numbers random{{23}};
    for (int round = 0; round < 2000; ++round)
        for (const std::size_t row_size : {1u, 2u}) {
            const std::size_t numbers = std::size_t(1) << 8 * row_size, groups = 1 + random.below(3);
            const auto first = random.below(4) ? random.below(6) : numbers - 1 - random.below(6);
            const auto more = random.below(4) == 0 ? numbers - 2 : random.below(5);
            column rows(64 * groups, row_size);
            std::vector<std::uint64_t> wanted(groups + 1);
            for (std::size_t i = 0; i < 64 * groups; ++i) {
                const auto row = random.below(2) ? (first + numbers - 2 + random.below(9)) % numbers : random.below(numbers);
                rows.set(i, row);
                wanted[i / 64] |= std::uint64_t((row + numbers - first) % numbers <= more) << i % 64;
            }
            wanted[groups] = 42; // nothing after the groups is written
            for (const bool vectors : {false, true}) {
                std::vector<std::uint64_t> found(groups + 1, 42);
                const auto scan = hsm::detail::find_row_scan(row_size, vectors);
                scan(rows.data(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(more), groups, found.data());
                REQUIRE(found == wanted);
            }
        }
}
