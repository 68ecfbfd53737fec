/// Values and blocks of bytes, one after the other, for the same program.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace arena {

struct writer {
    std::vector<std::byte> all;

    template <class T> void value(const T& of) {
        static_assert(std::is_trivially_copyable_v<T>);
        add(std::as_bytes(std::span(&of, 1)));
    }
    void bytes(std::span<const std::byte> of) {
        value(of.size());
        add(of);
    }
    void add(std::span<const std::byte> of) { all.insert(all.end(), of.begin(), of.end()); }
};

/// Throws std::out_of_range after the end.
struct reader {
    std::span<const std::byte> rest;

    template <class T> void value(T& to) { std::memcpy(&to, take(sizeof to).data(), sizeof to); }
    std::span<const std::byte> bytes() {
        std::size_t size = 0;
        value(size);
        return take(size);
    }
    std::span<const std::byte> take(std::size_t size) {
        if (size > rest.size()) throw std::out_of_range("the saved bytes are incomplete");
        const auto taken = rest.first(size);
        rest = rest.subspan(size);
        return taken;
    }
};

} // namespace arena
