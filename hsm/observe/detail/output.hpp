/// The output of exporters and reports.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/op/record.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// A buffer in front of a sink, for many small writes.
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

/// A cache of texts for records, because machines produce the same records repeatedly.
class recent_texts {
public:
    /// Returns the text of a record. make(text) appends it if it is not cached. Valid until the next call.
    template <class Make> const std::string& of(const record& r, std::uint32_t event, Make make) {
        auto& at = entries_[slot_of_text(r, event)];
        if (!at.known || at.what != r || at.event != event) {
            at.what = r;
            at.event = event;
            at.known = true;
            at.text.clear();
            make(at.text);
        }
        return at.text;
    }

private:
    struct entry {
        record what;
        std::uint32_t event = 0;
        bool known = false;
        std::string text;
    };
    struct halves {
        std::uint64_t first, second;
    };
    static constexpr unsigned bits = 9;

    static std::size_t slot_of_text(const record& r, std::uint32_t event) {
        const auto h = std::bit_cast<halves>(r);
        return (h.first ^ h.second * 0x9e3779b97f4a7c15 ^ event) * 0x9e3779b97f4a7c15 >> (64 - bits);
    }

    std::array<entry, std::size_t(1) << bits> entries_;
};

} // namespace hsm::detail
