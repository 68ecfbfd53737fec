/// The trace file's bytes, as docs/reference/trace_format.md describes them. All numbers are little-endian.
///
///     file   = "HSMTRACE" version:4 zero:4, chunks
///     chunk  = kind:4 size:4 number:4 other:4, size bytes
#pragma once

#include <hsm/op/record.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace hsm::detail {

inline constexpr std::string_view trace_magic = "HSMTRACE";
inline constexpr std::uint32_t trace_version = 1;

enum class chunk_kind : std::uint32_t {
    chart = 1,   ///< number: of the chart, consecutive from 0; content: the names
    track = 2,   ///< number: of the track, consecutive from 0; other: its chart; content: agent:4 generation:4 name
    records = 3, ///< number: the track; content: the records
    end = 4,     ///< the file is complete; other and number: 0
};

struct chunk_head {
    std::uint32_t kind, size, number, other;
};
static_assert(sizeof(chunk_head) == sizeof(record), "a head may stand among records");

/// Limits for untrusted sizes, before memory is allocated.
inline constexpr std::uint32_t largest_names = 64u << 20;        ///< bytes of a chunk of names
inline constexpr std::uint64_t largest_definitions = 256u << 20; ///< bytes of all chunks of names

template <class Number> constexpr Number little_endian(Number n) {
    if constexpr (std::endian::native == std::endian::little) return n;
    Number swapped = 0;
    for (std::size_t i = 0; i < sizeof(n); ++i) swapped = static_cast<Number>(swapped << 8 | (n >> 8 * i & 0xff));
    return swapped;
}

constexpr chunk_head little_endian(const chunk_head& h) {
    return {little_endian(h.kind), little_endian(h.size), little_endian(h.number), little_endian(h.other)};
}

/// Converts between the byte orders of memory and file. `is_text`: the record continues a text.
inline record little_endian(const record& r, bool is_text) {
    if constexpr (std::endian::native == std::endian::little) return r;
    record in_file = r;
    if (r.kind != record_kind::more) {
        in_file.state = little_endian(r.state);
        in_file.number = little_endian(r.number);
        in_file.value = little_endian(r.value);
    } else if (!is_text) {
        auto* const bytes = reinterpret_cast<char*>(&in_file);
        for (std::size_t i = 2; i < sizeof(record); i += 2) std::swap(bytes[i], bytes[i + 1]);
    }
    return in_file;
}

} // namespace hsm::detail
