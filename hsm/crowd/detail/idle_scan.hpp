/// Scans over the agents of a page. They find agents that may have something to do: those for which ((bits ^ unwanted[row]) & watch[row]) != 0, and
/// those whose time has come. They also find agents in given rows.
///
/// A scan reads each agent's row and bits once, without a branch. With AVX2, which is detected once, byte shuffles look up tables of up to 64 rows of
/// 8 bits, 32 agents at a time, and larger tables are gathered. Without AVX2 it is plain code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hsm::detail {

/// The watched conditions of each row, in the type of the column of bits.
class idle_tables {
public:
    /// The sizes are bytes: of a row's number (1, 2), and of the bits (1, 4, 8).
    idle_tables(std::size_t rows, std::size_t row_size, std::size_t bit_size);

    void set(std::size_t row, std::uint64_t unwanted, std::uint64_t watch);
    bool fails(std::size_t row, std::uint64_t bits) const; ///< the test of one agent

    std::size_t rows() const { return rows_; }
    std::size_t row_size() const { return row_size_; }
    std::size_t bit_size() const { return bit_size_; }
    const std::byte* unwanted() const { return unwanted_.data(); }
    const std::byte* watch() const { return watch_.data(); }

private:
    std::size_t rows_;
    std::size_t row_size_;
    std::size_t bit_size_;
    std::vector<std::byte> unwanted_; ///< padded to groups of 16 rows
    std::vector<std::byte> watch_;
};

/// Sets a bit of `found` for each of 64 * groups agents that fails the test. Both columns must be aligned to 64 bytes.
using idle_scan = void (*)(const idle_tables& tables, const void* rows, const void* bits, std::size_t groups, std::uint64_t* found);
idle_scan find_idle_scan(const idle_tables& tables, bool vector_code);

/// Returns a bit for each of 64 agents that is due by `now`, and sets `earliest` to the first of their times. Requires alignment to 64 bytes.
using due_scan = std::uint64_t (*)(const std::int64_t* moments, std::int64_t now, std::int64_t& earliest);
due_scan find_due_scan(bool vector_code);

/// Sets a bit of `found` for each of 64 * groups agents whose row is in `first` .. `first + more`, modulo the range of row numbers. The rows must
/// be aligned to 64 bytes.
using row_scan = void (*)(const void* rows, std::uint32_t first, std::uint32_t more, std::size_t groups, std::uint64_t* found);
row_scan find_row_scan(std::size_t row_size, bool vector_code);

} // namespace hsm::detail
