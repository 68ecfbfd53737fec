/// In which places the instances of a chart have their contexts, as far as that is near: the last few. Only for finding a mistake of the
/// user's in builds with assertions, see run/memory.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

/// Any thread may call it. What several threads write at once may be mixed up: then a mistake is not found.
class neighbour_list {
public:
    void note(std::uintptr_t place, std::uintptr_t distance) {
        const auto i = __atomic_fetch_add(&next_, 1, __ATOMIC_RELAXED) % length;
        __atomic_store_n(&places_[i], place, __ATOMIC_RELAXED);
        __atomic_store_n(&distances_[i], distance, __ATOMIC_RELAXED);
    }
    /// Does `ask(place, distance)` say yes to one of them?
    template <class Ask> bool any(const Ask& ask) const {
        for (std::size_t i = 0; i < length; ++i) {
            const auto place = __atomic_load_n(&places_[i], __ATOMIC_RELAXED);
            if (place && ask(place, __atomic_load_n(&distances_[i], __ATOMIC_RELAXED))) return true;
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
