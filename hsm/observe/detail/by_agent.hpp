/// Stores an object for each machine that an observer is notified of.
#pragma once

#include <hsm/observe/detail/turns.hpp>

#include <cstdint>
#include <unordered_map>

namespace hsm::detail {

template <class T> class by_agent {
public:
    /// Returns the object of the machine of the next record. Creates it with make() if needed.
    template <class Make> T& next(const record& r, Make make) {
        turns_.reserve(agents_.size() + 1);
        const auto number = turns_.next(r).number;
        if (!last_ || last_number_ != number) {
            last_ = &agents_.try_emplace(number, make()).first->second;
            last_number_ = number;
        }
        return *last_;
    }
    template <class Visit> void each(Visit visit) {
        for (auto& [number, one] : agents_) visit(one);
    }
    std::size_t size() const { return agents_.size(); }

private:
    turns turns_;
    std::unordered_map<std::uint32_t, T> agents_;
    T* last_ = nullptr;
    std::uint32_t last_number_ = 0;
};

} // namespace hsm::detail
