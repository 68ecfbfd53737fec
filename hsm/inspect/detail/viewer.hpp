/// A browser or terminal that shows the page. The hub's thread writes, and a thread of the server reads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace hsm::inspect::detail {

class viewer {
public:
    viewer(std::uint32_t its_number, bool commands) : number(its_number), may_command(commands) {}

    /// Appends an event of the stream. Does nothing if the viewer has fallen behind.
    void put(std::string_view event, std::string_view data) {
        const std::lock_guard lock(mutex_);
        if (behind_) return;
        behind_ = waiting_.size() + data.size() > most_waiting && !waiting_.empty();
        if (behind_) return;
        waiting_.reserve(waiting_.size() + event.size() + data.size() + 32); // all of the event or nothing
        waiting_.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
        arrived_.notify_one();
    }
    /// Returns whether the viewer did not read what was sent, and forgets it: the hub must send everything again.
    bool fell_behind() {
        const std::lock_guard lock(mutex_);
        return waiting_.empty() && std::exchange(behind_, false); // it reads again
    }
    /// Returns whether it has read most of what was sent.
    bool has_room() {
        const std::lock_guard lock(mutex_);
        return !behind_ && waiting_.size() < most_waiting / 4;
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        arrived_.notify_one();
    }
    /// Waits for events. Returns false if the viewer was closed. The text is empty if nothing happened in that time.
    bool take(std::string& text, std::chrono::milliseconds wait) {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, wait, [&] { return closed_ || !waiting_.empty(); });
        text.clear();
        text.swap(waiting_);
        return !closed_;
    }

    const std::uint32_t number;
    const bool may_command;

    // Used only by the hub's thread.
    /// The machines that it shows, with the index of the next record to send; `unsent`: from the beginning, with a keyframe.
    std::map<std::uint32_t, std::uint64_t> open;
    static constexpr std::uint64_t unsent = UINT64_MAX;
    bool greeted = false; ///< it has received the list of machines

private:
    static constexpr std::size_t most_waiting = 4u << 20; ///< bytes

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::string waiting_;
    bool behind_ = false;
    bool closed_ = false;
};

} // namespace hsm::inspect::detail
