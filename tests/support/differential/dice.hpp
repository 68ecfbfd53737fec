/// Random numbers for the generator: the same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace differential {

/// splitmix64, because the library's distributions differ between implementations.
class dice {
public:
    /// Mixes the seed, because otherwise consecutive seeds would give the same numbers, shifted by one.
    explicit dice(std::uint64_t seed) : state_(seed) { state_ = roll(); }

    std::uint64_t roll() {
        auto z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    int below(int n) { return static_cast<int>(roll() % static_cast<std::uint64_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    template <class T> T one_of(std::initializer_list<T> choices) { return choices.begin()[below(static_cast<int>(choices.size()))]; }

private:
    std::uint64_t state_;
};

} // namespace differential
