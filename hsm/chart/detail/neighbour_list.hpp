/// The latest few instances of a chart whose contexts are near them, with the distances of these. Only builds with assertions use it, to find errors
/// of users: see run/memory.cpp.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

/// All threads may call it. Concurrent calls can store mixed entries; then an error is not found.
class neighbour_list {
public:
    void note(std::uintptr_t place, std::uintptr_t distance) {
        const auto i = atomic_view(next_).fetch_add<order::relaxed>(1) % length;
        atomic_view(places_[i]).store<order::relaxed>(place);
        atomic_view(distances_[i]).store<order::relaxed>(distance);
    }
    /// Returns whether `ask(place, distance)` is true for one of the entries.
    template <class Ask> bool any(const Ask& ask) const {
        for (std::size_t i = 0; i < length; ++i) {
            const auto place = atomic_load<order::relaxed>(places_[i]);
            if (place && ask(place, atomic_load<order::relaxed>(distances_[i]))) return true;
        }
        return false;
    }

private:
    static constexpr std::size_t length = 8;
    std::uintptr_t places_[length] = {};
    std::uintptr_t distances_[length] = {};
    std::uint32_t next_ = 0;
};

} // namespace hsm::detail
