/// The latest records of one machine, and its state before the first of them.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/observe/followed_states.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hsm::inspect::detail {

/// A chart that a listed machine has.
struct known_chart {
    explicit known_chart(const machine_added& of);

    const std::string key;           ///< the name of the chart in requests
    std::optional<chart_base> chart; ///< none for machines of a trace file
    std::shared_ptr<const chart_names> names;
    superstate_list superstates;
    std::vector<std::uint16_t> timer_states; ///< the state of each timer; empty without a chart
    std::string dictionary;                  ///< written when it is first requested
};

/// Returns the name of a chart in requests: the 32 digits of its fingerprint.
std::string key_of(const machine_added& of);
/// Returns as JSON the names of everything in a chart that records refer to, and the structure of its states.
std::string dictionary_of(const known_chart& known);

class history {
public:
    /// Stores at least `most` records, and drops older ones in blocks.
    history(std::shared_ptr<const known_chart> chart, const keyframe& start, std::size_t most);

    void add(const record& r);
    std::uint64_t first() const { return first_; } ///< the index of the first stored record; indices count from the beginning of the recording
    std::uint64_t end() const { return first_ + records_.size(); }
    const record& at(std::uint64_t index) const { return records_[static_cast<std::size_t>(index - first_)]; }
    /// Returns the state before the first record.
    keyframe start() const;
    /// Returns a trace file: docs/reference/trace_format.md.
    std::string trace(const std::string& name) const;
    /// Drops the older half of the records.
    void halve();
    std::size_t bytes() const { return records_.capacity() * sizeof(record); }

private:
    void drop(std::size_t count);
    void apply(const record& r); ///< to the state before the first record

    std::shared_ptr<const known_chart> chart_;
    std::size_t most_;
    std::vector<record> records_;
    std::uint64_t first_ = 0;
    followed_states active_;
    std::set<std::uint32_t> conditions_;
    std::map<std::uint32_t, std::int64_t> timers_;
    std::int64_t clock_;
};

} // namespace hsm::inspect::detail
