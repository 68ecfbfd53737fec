/// A cache of texts for records, because machines produce the same records repeatedly.
#pragma once

#include <hsm/op/record.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <string>

namespace hsm::detail {

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
