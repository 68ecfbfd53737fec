/// An observer that keeps the latest records in memory, as many as it was made for. It takes memory when it is made, and some for each
/// machine that it is attached to; none for records.
///
///     hsm::recorder seen(10'000);
///     auto attached = agent.attach(seen);
///     …
///     std::puts(seen.text().c_str());
///
/// What it holds can be read from its own beginning: of what it forgets it keeps what was active then. Attach it to one instance, one crowd or
/// one manager; for several instances make a lane for each, with a number of its own. It belongs to the thread of what it is attached to.
#pragma once

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

/// What was active before the first record that a recorder holds.
struct start_configuration {
    bool known = false;                ///< false: nothing was forgotten yet, or `state_records` were not asked for, or of another agent
    std::int64_t clock = 0;            ///< nanoseconds, of the last call that was forgotten
    std::vector<std::uint16_t> active; ///< numbers of states, in preorder
};

class recorder final : public observer {
public:
    /// It holds at least `most` of the latest records, and up to an eighth more: they are forgotten in blocks.
    explicit recorder(std::size_t most);
    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;
    ~recorder() override;

    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;
    record_buffer* buffer() override { return std::addressof(room_); }

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    std::uint64_t lost() const { return lost_; }   ///< overwritten since it was made, or cleared
    const record& operator[](std::size_t i) const; ///< 0: the oldest
    /// Forgets all of them. What is active at the start is then what is active now.
    void clear();

    class iterator;
    iterator begin() const; ///< the oldest first
    iterator end() const;

    /// Of an instance, or of an agent of a crowd, the place of a machine of a manager, a lane. Of one number the latest is meant. Allocates.
    start_configuration configuration_at_start(std::uint32_t agent = 0) const;
    /// The same, to apply the records to it. Valid as long as the recorder; what it knows is that of the moment. Throws as chart().
    followed_states states_at_start(std::uint32_t agent = 0) const;
    /// Of that agent, or, if nothing is known of him, of the first one. Throws usage_error (HSM-206) if there was no record yet.
    const chart_base& chart(std::uint32_t agent = 0) const;

    /// A line for each record, under a heading for each call.
    std::string text() const;

    /// Attached in its place, for one of several machines: its calls are told with that number as the agent.
    class lane;

private:
    friend class expectation;

    void put(const record& r);
    void make_room();
    std::size_t first() const; ///< where the oldest stands

    record_buffer room_; ///< in the block that is being filled
    std::vector<record> ring_;
    std::size_t block_;
    bool full_ = false; ///< behind the room stands the oldest one
    std::uint64_t lost_ = 0;
    /// How many of all that came expectations have consumed, by agent.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> expected_;
    detail::recorder_past* past_;
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

/// It must not outlive the recorder. Records without calls, because those were not asked for, it puts between calls of its own.
class recorder::lane final : public observer {
public:
    lane(recorder& to, std::uint32_t number) : to_(to), number_(number) {}
    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;

private:
    void put_frame(record_kind kind, const moment& when);

    recorder& to_;
    std::uint32_t number_;
    unsigned calls_ = 0; ///< in progress
};

} // namespace hsm
