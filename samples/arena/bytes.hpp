/// Values and blocks of bytes, one after the other, for the same program.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace arena {

class writer {
public:
    void bytes(std::span<const std::byte> of) {
        value(of.size());
        all.insert(all.end(), of.begin(), of.end());
    }
    template <class T> void value(const T& of) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* first = reinterpret_cast<const std::byte*>(&of);
        all.insert(all.end(), first, first + sizeof of);
    }

    std::vector<std::byte> all;
};

/// Throws std::out_of_range after the end.
class reader {
public:
    explicit reader(std::span<const std::byte> from) : rest_(from) {}

    std::span<const std::byte> bytes() {
        std::size_t size = 0;
        value(size);
        return take(size);
    }
    template <class T> void value(T& to) { std::memcpy(&to, take(sizeof to).data(), sizeof to); }

private:
    std::span<const std::byte> take(std::size_t size) {
        if (size > rest_.size()) throw std::out_of_range("the saved bytes are incomplete");
        const auto taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }

    std::span<const std::byte> rest_;
};

} // namespace arena
