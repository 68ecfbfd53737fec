/// An observer that stores a fixed number of the latest records in memory. It allocates when it is created, and for each machine that it is attached
/// to, but not for records.
///
///     hsm::recorder seen(10'000);
///     auto attached = agent.attach(seen);
///     …
///     std::puts(seen.text().c_str());
///
/// The active states before the oldest record remain known. Attach a recorder to one instance, one crowd or one manager. For several instances,
/// create a channel for each instance, with a different number. A recorder belongs to the thread of the observed machine.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace hsm {

class chart_base;

namespace detail {
class recorder_past;
}

/// The active states before the first stored record.
struct start_configuration {
    bool known = false;                ///< false if no record was dropped yet, `state_records` are not recorded, or the agent does not exist
    std::int64_t clock = 0;            ///< in nanoseconds, at the last dropped call
    std::vector<std::uint16_t> active; ///< state numbers in preorder
};

class recorder final : public observer {
public:
    /// Stores at least the latest `most` records. Because records are dropped in blocks, stores up to an eighth more.
    explicit recorder(std::size_t most);
    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;
    ~recorder() override;

    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;
    record_buffer* buffer() override { return std::addressof(room_); }

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    std::uint64_t lost() const { return lost_; }   ///< records overwritten since construction or clear()
    const record& operator[](std::size_t i) const; ///< 0: the oldest
    /// Removes all records. Afterwards, configuration_at_start() returns the states that are active now.
    void clear();

    class iterator;
    iterator begin() const; ///< the oldest first
    iterator end() const;

    /// Returns the active states before the oldest record. `agent` is 0 for an instance. For other machines, it is the number of the agent (in
    /// a crowd), of the channel, or of the slot (in a manager). If a number was reused, the latest agent with this number counts. Allocates memory.
    start_configuration configuration_at_start(std::uint32_t agent = 0) const;
    /// Returns the configuration at the start as an object to which you can apply records. The object does not change with the recorder, but must not
    /// outlive it. Throws as chart() does.
    followed_states states_at_start(std::uint32_t agent = 0) const;
    /// Returns the agent's chart. If the agent is unknown, returns the chart of the first agent. Throws usage_error (HSM-206) before the first
    /// record.
    const chart_base& chart(std::uint32_t agent = 0) const;

    /// Returns a line for each record, with a heading for each call.
    std::string text() const;

    /// An observer for one of several machines. Attach the channel instead of the recorder. The records have the channel's number as agent.
    class channel;
    using lane [[deprecated("renamed to channel")]] = channel;

private:
    friend class expectation;

    void put(const record& r);
    void make_room();
    std::size_t first() const; ///< position of the oldest record

    record_buffer room_; ///< the free part of the current block
    std::vector<record> ring_;
    std::size_t block_;
    bool full_ = false; ///< the oldest record follows the room
    std::uint64_t lost_ = 0;
    /// The number of records that expectations have consumed, by agent.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> expected_;
    owned<detail::recorder_past> past_;
};

class recorder::iterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = record;
    using difference_type = std::ptrdiff_t;
    using pointer = const record*;
    using reference = const record&;

    iterator() = default;
    iterator(const recorder& of, std::size_t at) : of_(std::addressof(of)), at_(at) {}
    reference operator*() const { return (*of_)[at_]; }
    pointer operator->() const { return std::addressof((*of_)[at_]); }
    iterator& operator++() {
        ++at_;
        return *this;
    }
    iterator operator++(int) { return {*of_, at_++}; }
    friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

private:
    const recorder* of_ = nullptr;
    std::size_t at_ = 0;
};
inline recorder::iterator recorder::begin() const { return {*this, 0}; }
inline recorder::iterator recorder::end() const { return {*this, size()}; }

/// A channel must not outlive the recorder. If calls are not recorded, the channel adds call records around its records.
class recorder::channel final : public observer {
public:
    channel(recorder& to, std::uint32_t number) : to_(to), number_(number) {}
    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;

private:
    void put_frame(record_kind kind, const moment& when);

    recorder& to_;
    std::uint32_t number_;
    unsigned calls_ = 0; ///< calls in progress
};

} // namespace hsm
