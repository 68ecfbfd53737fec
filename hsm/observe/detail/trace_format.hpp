/// The trace file's bytes, as docs/reference/trace_format.md describes them. All numbers are little-endian.
///
///     file   = "HSMTRACE" version:4 zero:4, chunks
///     chunk  = kind:4 size:4 number:4 other:4, size bytes
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/op/record.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
static_assert(sizeof(chunk_head) == sizeof(record), "a chunk head has the size of a record");

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

inline void make_little_endian(std::span<record> records) {
    bool is_text = false;
    for (auto& r : records) {
        if (r.kind != record_kind::more) is_text = r.kind == record_kind::event;
        r = little_endian(r, is_text);
    }
}

// A file with one machine. The numbers of its chart and its track are 0.
/// Returns the file's beginning, before the records.
std::string trace_head(const chart_names& chart, const std::string& name);
std::string trace_chunk(std::span<const record> records);
std::string trace_end();
/// Returns the records that report these active states, which are in preorder.
std::vector<record> configuration_of(const superstate_list& superstates, std::span<const std::uint16_t> active, std::int64_t clock);
/// Returns the states without active substates.
std::vector<std::uint16_t> leaves_of(const superstate_list& superstates, std::span<const std::uint16_t> active);

/// The definitions in a trace file: charts with their names, and tracks. Stores which of them were written.
class trace_definitions {
public:
    static constexpr std::uint32_t no_track = 0xffff'ffff;

    /// Returns the chunks to write: the chart, if it is new, then the track. If an allocation fails, nothing has changed.
    std::string add_track(const chart_base& c, agent_key who, const std::string& name, std::uint32_t& track);
    /// Adds an agent with its chart. If the agent had another chart, it is a new machine with its own track.
    std::string register_agent(agent_key who, const chart_base& c, const std::string& name);
    bool has_no_agents() const { return agents_.empty(); }
    /// Returns whether there is one agent, so that all records belong to it.
    bool knows_one() const { return agents_.size() == 1 && !missed_; }
    std::uint32_t track_of(std::span<const record> next);
    /// Returns the track of the next record. If calls are not recorded, it is that of the first attached agent. `no_track`: the writer could not be
    /// attached to the agent.
    std::uint32_t track_of(const record& next);
    bool is_of(std::uint32_t track, const chart_base& c) const { return &charts_[tracks_[track]].core() == &c.core(); }

private:
    turns whose_;
    std::pair<agent_key, std::uint32_t> latest_ = {{}, no_track}; ///< the latest result of track_of, with its agent
    std::vector<chart_base> charts_;
    std::vector<std::uint32_t> tracks_; ///< the chart of each track
    std::map<agent_key, std::uint32_t> agents_;
    bool missed_ = false; ///< there may be records of an agent that is not known
};

} // namespace hsm::detail
