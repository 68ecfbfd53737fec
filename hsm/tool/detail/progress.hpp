/// A progress line for long operations. It is printed to stderr if that is a terminal, after one second.
#pragma once

#include <hsm/tool/detail/console.hpp>

#include <cstdint>
#include <string>

namespace hsm::detail::tool {

class progress {
public:
    /// Returns nanoseconds of a monotonic clock.
    using clock = std::int64_t (*)();
    static std::int64_t steady_clock();

    /// A `total` of 0 means unknown.
    progress(console& terminal, std::string what, std::uint64_t total, clock now = &steady_clock);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    /// Removes the line.
    ~progress();

    /// Reports progress. Cheap: reads the clock once in 1024 calls, unless `done` has moved far.
    void reach(std::uint64_t done);

    /// Returns "converting  [######              ]  31%  5 s left".
    static std::string line(std::string_view what, std::uint64_t done, std::uint64_t total, std::int64_t elapsed);

private:
    void show(std::uint64_t done);

    console& terminal_;
    std::string what_;
    std::uint64_t total_;
    clock now_;
    std::int64_t began_, shown_;
    std::uint32_t calls_ = 0;
    bool visible_ = false;
};

} // namespace hsm::detail::tool
