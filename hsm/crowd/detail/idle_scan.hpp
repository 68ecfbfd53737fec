/// Which agents of a page may have something to do: those for which ((bits ^ unwanted[row]) & watch[row]) != 0, and those whose
/// moment has come; and which are in certain rows.
///
/// One look at each agent's row and bits, without a branch. Where the processor has AVX2, which is asked once, tables of up to 64
/// rows of 8 bits are looked up by byte shuffles, 32 agents at a time, and others are gathered; elsewhere it is plain code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hsm::detail {

/// What is watched, by row, in the type of the column of bits.
class idle_tables {
public:
    /// Sizes in bytes: of a row's number (1, 2), of the bits (1, 4, 8).
    idle_tables(std::size_t rows, std::size_t row_size, std::size_t bit_size);

    void set(std::size_t row, std::uint64_t unwanted, std::uint64_t watch);
    bool fails(std::size_t row, std::uint64_t bits) const; ///< of one

    std::size_t rows() const { return rows_; }
    std::size_t row_size() const { return row_size_; }
    std::size_t bit_size() const { return bit_size_; }
    const std::byte* unwanted() const { return unwanted_.data(); }
    const std::byte* watch() const { return watch_.data(); }

private:
    std::size_t rows_;
    std::size_t row_size_;
    std::size_t bit_size_;
    std::vector<std::byte> unwanted_; ///< to full groups of 16
    std::vector<std::byte> watch_;
};

/// A bit of `found` for each of 64 * groups agents. Both columns are aligned to 64 bytes.
using idle_scan = void (*)(const idle_tables& tables, const void* rows, const void* bits, std::size_t groups, std::uint64_t* found);
idle_scan find_idle_scan(const idle_tables& tables, bool vector_code);

/// A bit for each of 64 agents whose moment has come by `now`; `earliest` is then that of all of them. Aligned to 64 bytes.
using due_scan = std::uint64_t (*)(const std::int64_t* moments, std::int64_t now, std::int64_t& earliest);
due_scan find_due_scan(bool vector_code);

/// A bit of `found` for each of 64 * groups agents whose row is one of `first` .. `first + more`, counted around the end of the numbers. Aligned
/// to 64 bytes.
using row_scan = void (*)(const void* rows, std::uint32_t first, std::uint32_t more, std::size_t groups, std::uint64_t* found);
row_scan find_row_scan(std::size_t row_size, bool vector_code);

} // namespace hsm::detail
