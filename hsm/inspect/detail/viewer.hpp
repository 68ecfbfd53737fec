/// A browser or terminal that shows the page. The hub's thread writes, and a thread of the server reads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace hsm::inspect::detail {

class viewer {
public:
    viewer(std::uint32_t number, bool may_command) : number_(number), may_command_(may_command) {}

    std::uint32_t number() const { return number_; }
    bool may_command() const { return may_command_; }

    /// Appends an event of the stream. Does nothing if the viewer has fallen behind.
    void put(std::string_view event, std::string_view data);
    /// Returns whether the viewer did not read what was sent, and forgets it: the hub must send everything again.
    bool fell_behind();
    /// Returns whether it has read most of what was sent.
    bool has_room();
    void close();

    /// Waits for events. Returns false if the viewer was closed. The text is empty if nothing happened in that time.
    bool take(std::string& text, std::chrono::milliseconds wait);

    // Used only by the hub's thread.
    /// The machines that it shows, with the index of the next record to send; `unsent`: from the beginning, with a keyframe.
    std::map<std::uint32_t, std::uint64_t> open;
    static constexpr std::uint64_t unsent = UINT64_MAX;
    bool greeted = false; ///< it has received the list of machines

private:
    static constexpr std::size_t most_waiting = 4u << 20; ///< bytes

    const std::uint32_t number_;
    const bool may_command_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::string waiting_;
    bool behind_ = false;
    bool closed_ = false;
};

} // namespace hsm::inspect::detail
