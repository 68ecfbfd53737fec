/// A buffer in front of a sink, for many small writes.
#pragma once

#include <hsm/observe/byte_stream.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

class output {
public:
    explicit output(byte_sink& to) : to_(to) {}

    void put(std::string_view text) {
        if (text.size() > buffer_.size() - size_) return put_slowly(text);
        std::memcpy(buffer_.data() + size_, text.data(), text.size());
        size_ += text.size();
    }
    void put(char c) { put(std::string_view(&c, 1)); }
    template <class Number> void put_number(Number n) {
        reserve(24);
        const auto end = std::to_chars(buffer_.data() + size_, buffer_.data() + buffer_.size(), n);
        size_ = static_cast<std::size_t>(end.ptr - buffer_.data());
    }
    /// Returns false if a write failed.
    bool flush() {
        if (size_ > 0 && !failed_) failed_ = !to_.write(buffer_.data(), size_);
        size_ = 0;
        return !failed_;
    }

private:
    void reserve(std::size_t count) {
        if (buffer_.size() - size_ < count) flush();
    }
    void put_slowly(std::string_view text) {
        flush();
        if (text.size() > buffer_.size()) {
            failed_ = failed_ || !to_.write(text.data(), text.size());
            return;
        }
        put(text);
    }

    byte_sink& to_;
    std::size_t size_ = 0;
    bool failed_ = false;
    std::vector<char> buffer_ = std::vector<char>(1 << 18);
};

} // namespace hsm::detail
