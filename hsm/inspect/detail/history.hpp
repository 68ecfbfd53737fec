/// The latest records of one machine, and its state before the first of them.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/observe/followed_states.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace hsm::inspect::detail {

/// The parts of a chart that a history needs.
struct chart_tree {
    superstate_list superstates;
    std::vector<std::uint16_t> timer_states; ///< the state of each timer; empty if it is not known
};

class history {
public:
    /// Stores at least `most` records, and drops older ones in blocks.
    history(std::shared_ptr<const chart_tree> shape, const keyframe& start, std::size_t most);

    void add(const record& r);
    std::uint64_t first() const { return first_; } ///< the index of the first stored record; indices count from the beginning of the recording
    std::uint64_t end() const { return first_ + records_.size(); }
    const record& at(std::uint64_t index) const { return records_[static_cast<std::size_t>(index - first_)]; }
    /// Returns the state before the first record.
    keyframe start() const;
    /// Drops the older half of the records.
    void halve();
    std::size_t bytes() const { return records_.capacity() * sizeof(record); }

private:
    void drop(std::size_t count);
    void apply(const record& r); ///< to the state before the first record

    std::shared_ptr<const chart_tree> shape_;
    std::size_t most_;
    std::vector<record> records_;
    std::uint64_t first_ = 0;
    followed_states active_;
    std::set<std::uint32_t> conditions_;
    std::map<std::uint32_t, std::int64_t> timers_;
    std::int64_t clock_;
};

/// Returns the records that report the active states of a keyframe.
std::vector<record> configuration_of(const superstate_list& superstates, const keyframe& state);

// A trace file of one machine: docs/reference/trace_format.md.
/// Returns the beginning of the file, before the records.
std::string trace_head(const chart_names& chart, const std::string& name);
/// Returns the chunk with these records.
std::string trace_chunk(std::span<const record> records);
std::string trace_of(const history& records, const chart_names& chart, const std::string& name);

} // namespace hsm::inspect::detail
