#include <hsm/crowd/detail/idle_scan.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <cstring>

#ifdef HSM_AVX2
#include <immintrin.h>
#endif

namespace hsm::detail {

idle_tables::idle_tables(std::size_t rows, std::size_t row_size, std::size_t bit_size)
    : rows_(rows), row_size_(row_size), bit_size_(bit_size), unwanted_((rows + 15) / 16 * 16 * bit_size), watch_(unwanted_.size()) {}

namespace {

template <class Bits> void put(std::vector<std::byte>& table, std::size_t row, std::uint64_t value) {
    const auto narrow = static_cast<Bits>(value);
    std::memcpy(table.data() + row * sizeof narrow, &narrow, sizeof narrow);
}

void put(std::vector<std::byte>& table, std::size_t bit_size, std::size_t row, std::uint64_t value) {
    switch (bit_size) {
    case 1: return put<std::uint8_t>(table, row, value);
    case 4: return put<std::uint32_t>(table, row, value);
    default: return put<std::uint64_t>(table, row, value);
    }
}

template <class Bits> std::uint64_t get(const std::vector<std::byte>& table, std::size_t row) {
    Bits value;
    std::memcpy(&value, table.data() + row * sizeof value, sizeof value);
    return value;
}

std::uint64_t get(const std::vector<std::byte>& table, std::size_t bit_size, std::size_t row) {
    return bit_size == 1 ? get<std::uint8_t>(table, row) : bit_size == 4 ? get<std::uint32_t>(table, row) : get<std::uint64_t>(table, row);
}

} // namespace

bool idle_tables::fails(std::size_t row, std::uint64_t bits) const {
    return ((bits ^ get(unwanted_, bit_size_, row)) & get(watch_, bit_size_, row)) != 0;
}

void idle_tables::set(std::size_t row, std::uint64_t unwanted, std::uint64_t watch) {
    put(unwanted_, bit_size_, row, unwanted);
    put(watch_, bit_size_, row, watch);
}

namespace {

template <class Row, class Bits>
void scan_plainly(const idle_tables& tables, const void* row_column, const void* bit_column, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const Row*>(row_column);
    const auto* bits = static_cast<const Bits*>(bit_column);
    const auto* const unwanted = reinterpret_cast<const Bits*>(tables.unwanted());
    const auto* const watch = reinterpret_cast<const Bits*>(tables.watch());
    for (std::size_t g = 0; g < groups; ++g, rows += 64, bits += 64) {
        std::uint64_t some = 0;
        for (int i = 0; i < 64; ++i) some |= std::uint64_t(((bits[i] ^ unwanted[rows[i]]) & watch[rows[i]]) != 0) << i;
        found[g] = some;
    }
}

std::uint64_t find_due_plainly(const std::int64_t* moments, std::int64_t now, std::int64_t& earliest) {
    std::uint64_t some = 0;
    auto least = moments[0];
    for (int i = 0; i < 64; ++i) {
        some |= std::uint64_t(moments[i] <= now) << i;
        least = std::min(least, moments[i]);
    }
    earliest = least;
    return some;
}

template <class Row>
void find_rows_plainly(const void* row_column, std::uint32_t first, std::uint32_t more, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const Row*>(row_column);
    for (std::size_t g = 0; g < groups; ++g, rows += 64) {
        std::uint64_t some = 0;
        for (int i = 0; i < 64; ++i) some |= std::uint64_t(static_cast<Row>(rows[i] - first) <= more) << i;
        found[g] = some;
    }
}

#ifdef HSM_AVX2

/// A table of 16 * Groups bytes, by byte.
template <int Groups> struct shuffled {
    __m256i parts[Groups];

    HSM_AVX2 HSM_ALWAYS_INLINE inline explicit shuffled(const std::byte* table) {
        for (int k = 0; k < Groups; ++k) parts[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * k)));
    }
    HSM_AVX2 HSM_ALWAYS_INLINE inline __m256i operator[](__m256i rows) const {
        if constexpr (Groups == 1) return _mm256_shuffle_epi8(parts[0], rows);
        auto all = _mm256_setzero_si256();
        const auto group = _mm256_and_si256(rows, _mm256_set1_epi8(0x70));
        for (int k = 0; k < Groups; ++k) {
            const auto here = _mm256_cmpeq_epi8(group, _mm256_set1_epi8(static_cast<char>(16 * k)));
            all = _mm256_or_si256(all, _mm256_and_si256(here, _mm256_shuffle_epi8(parts[k], rows)));
        }
        return all;
    }
};

template <int Groups>
HSM_AVX2 void scan_bytes(const idle_tables& tables, const void* row_column, const void* bit_column, std::size_t groups, std::uint64_t* found) {
    const shuffled<Groups> unwanted(tables.unwanted());
    const shuffled<Groups> watch(tables.watch());
    const auto* rows = static_cast<const __m256i*>(row_column);
    const auto* bits = static_cast<const __m256i*>(bit_column);
    for (std::size_t g = 0; g < groups; ++g) {
        std::uint64_t idle = 0;
        for (int half = 0; half < 2; ++half, ++rows, ++bits) {
            const auto r = _mm256_load_si256(rows);
            const auto test = _mm256_and_si256(_mm256_xor_si256(_mm256_load_si256(bits), unwanted[r]), watch[r]);
            const auto zero = _mm256_movemask_epi8(_mm256_cmpeq_epi8(test, _mm256_setzero_si256()));
            idle |= std::uint64_t(static_cast<std::uint32_t>(zero)) << (32 * half);
        }
        found[g] = ~idle;
    }
}

template <class Row> HSM_AVX2 HSM_ALWAYS_INLINE inline __m256i eight_rows(const Row* rows) {
    if constexpr (sizeof(Row) == 1)
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows)));
    else
        return _mm256_cvtepu16_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(rows)));
}

template <class Row>
HSM_AVX2 void scan_words(const idle_tables& tables, const void* row_column, const void* bit_column, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const Row*>(row_column);
    const auto* bits = static_cast<const __m256i*>(bit_column);
    const auto* const unwanted = reinterpret_cast<const int*>(tables.unwanted());
    const auto* const watch = reinterpret_cast<const int*>(tables.watch());
    for (std::size_t g = 0; g < groups; ++g) {
        std::uint64_t idle = 0;
        for (int i = 0; i < 64; i += 8, rows += 8, ++bits) {
            const auto r = eight_rows(rows);
            const auto u = _mm256_i32gather_epi32(unwanted, r, 4);
            const auto w = _mm256_i32gather_epi32(watch, r, 4);
            const auto test = _mm256_and_si256(_mm256_xor_si256(_mm256_load_si256(bits), u), w);
            const auto zero = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(test, _mm256_setzero_si256())));
            idle |= std::uint64_t(static_cast<std::uint32_t>(zero)) << i;
        }
        found[g] = ~idle;
    }
}

template <class Row>
HSM_AVX2 void scan_double_words(const idle_tables& tables, const void* row_column, const void* bit_column, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const Row*>(row_column);
    const auto* bits = static_cast<const __m256i*>(bit_column);
    const auto* const unwanted = reinterpret_cast<const long long*>(tables.unwanted());
    const auto* const watch = reinterpret_cast<const long long*>(tables.watch());
    for (std::size_t g = 0; g < groups; ++g) {
        std::uint64_t idle = 0;
        for (int i = 0; i < 64; i += 8, rows += 8) {
            const auto r = eight_rows(rows);
            const __m128i halves[2] = {_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1)};
            for (int half = 0; half < 2; ++half, ++bits) {
                const auto u = _mm256_i32gather_epi64(unwanted, halves[half], 8);
                const auto w = _mm256_i32gather_epi64(watch, halves[half], 8);
                const auto test = _mm256_and_si256(_mm256_xor_si256(_mm256_load_si256(bits), u), w);
                const auto zero = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(test, _mm256_setzero_si256())));
                idle |= std::uint64_t(static_cast<std::uint32_t>(zero)) << (i + 4 * half);
            }
        }
        found[g] = ~idle;
    }
}

idle_scan vector_scan(const idle_tables& tables) {
    const bool wide = tables.row_size() == 2;
    if (tables.bit_size() == 8) return wide ? &scan_double_words<std::uint16_t> : &scan_double_words<std::uint8_t>;
    if (tables.bit_size() == 4) return wide ? &scan_words<std::uint16_t> : &scan_words<std::uint8_t>;
    switch (wide ? 0 : (tables.rows() + 15) / 16) {
    case 1: return &scan_bytes<1>;
    case 2: return &scan_bytes<2>;
    case 3: return &scan_bytes<3>;
    case 4: return &scan_bytes<4>;
    default: return nullptr;
    }
}

HSM_AVX2 std::uint64_t find_due_by_vectors(const std::int64_t* moments, std::int64_t now, std::int64_t& earliest) {
    const auto* four = reinterpret_cast<const __m256i*>(moments);
    const auto limit = _mm256_set1_epi64x(now);
    auto least = _mm256_load_si256(four);
    std::uint64_t later = 0;
    for (int i = 0; i < 64; i += 4, ++four) {
        const auto m = _mm256_load_si256(four);
        later |= std::uint64_t(static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(m, limit))))) << i;
        least = _mm256_blendv_epi8(least, m, _mm256_cmpgt_epi64(least, m));
    }
    alignas(32) std::int64_t of_four[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(of_four), least);
    earliest = std::min({of_four[0], of_four[1], of_four[2], of_four[3]});
    return ~later;
}

due_scan vector_due_scan() { return &find_due_by_vectors; }

HSM_AVX2 void find_rows_in_bytes(const void* row_column, std::uint32_t first, std::uint32_t more, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const __m256i*>(row_column);
    const auto from = _mm256_set1_epi8(static_cast<char>(first));
    const auto most = _mm256_set1_epi8(static_cast<char>(more));
    for (std::size_t g = 0; g < groups; ++g) {
        found[g] = 0;
        for (int half = 0; half < 2; ++half, ++rows) {
            const auto behind = _mm256_sub_epi8(_mm256_load_si256(rows), from);
            const auto some = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(behind, most), behind));
            found[g] |= std::uint64_t(static_cast<std::uint32_t>(some)) << (32 * half);
        }
    }
}

HSM_AVX2 void find_rows_in_words(const void* row_column, std::uint32_t first, std::uint32_t more, std::size_t groups, std::uint64_t* found) {
    const auto* rows = static_cast<const __m256i*>(row_column);
    const auto from = _mm256_set1_epi16(static_cast<short>(first));
    const auto most = _mm256_set1_epi16(static_cast<short>(more));
    for (std::size_t g = 0; g < groups; ++g) {
        found[g] = 0;
        for (int half = 0; half < 2; ++half, rows += 2) {
            __m256i in[2];
            for (int i = 0; i < 2; ++i) {
                const auto behind = _mm256_sub_epi16(_mm256_load_si256(rows + i), from);
                in[i] = _mm256_cmpeq_epi16(_mm256_min_epu16(behind, most), behind);
            }
            const auto in_order = _mm256_permute4x64_epi64(_mm256_packs_epi16(in[0], in[1]), 0xd8);
            found[g] |= std::uint64_t(static_cast<std::uint32_t>(_mm256_movemask_epi8(in_order))) << (32 * half);
        }
    }
}

row_scan vector_row_scan(std::size_t row_size) { return row_size == 1 ? &find_rows_in_bytes : &find_rows_in_words; }

bool has_vectors() {
    static const bool has = HSM_CPU_HAS_AVX2();
    return has;
}

#else

idle_scan vector_scan(const idle_tables&) { return nullptr; }
due_scan vector_due_scan() { return nullptr; }
row_scan vector_row_scan(std::size_t) { return nullptr; }
bool has_vectors() { return false; }

#endif

template <class Row> idle_scan plain_scan(std::size_t bit_size) {
    switch (bit_size) {
    case 1: return &scan_plainly<Row, std::uint8_t>;
    case 4: return &scan_plainly<Row, std::uint32_t>;
    default: return &scan_plainly<Row, std::uint64_t>;
    }
}

} // namespace

idle_scan find_idle_scan(const idle_tables& tables, bool vector_code) {
    if (vector_code && has_vectors())
        if (const auto found = vector_scan(tables)) return found;
    return tables.row_size() == 1 ? plain_scan<std::uint8_t>(tables.bit_size()) : plain_scan<std::uint16_t>(tables.bit_size());
}

due_scan find_due_scan(bool vector_code) { return vector_code && has_vectors() ? vector_due_scan() : &find_due_plainly; }

row_scan find_row_scan(std::size_t row_size, bool vector_code) {
    if (vector_code && has_vectors()) return vector_row_scan(row_size);
    return row_size == 1 ? &find_rows_plainly<std::uint8_t> : &find_rows_plainly<std::uint16_t>;
}

} // namespace hsm::detail
