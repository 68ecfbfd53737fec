/// Parses untrusted JSON by RFC 8259.
#pragma once

#include <hsm/text/detail/read_real.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {

/// `Build` has the type `value` of a JSON value and the type `member`, a name and a value. It creates values: of(null, a bool, double or string),
/// list(values) and object(members).
template <class Build> class json_parser {
public:
    using value = typename Build::value;

    explicit json_parser(std::string_view text) : rest_(text) {}

    /// Returns false if the text is not JSON, or has more than 256 levels.
    bool read_all(value& to) { return read(to, 0) && (skip_space(), rest_.empty()); }

private:
    static constexpr int deepest = 256;

    void skip_space() {
        const auto at = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(at == rest_.npos ? rest_.size() : at);
    }
    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    bool take_after_space(std::string_view word) { return skip_space(), take(word); }

    bool read(value& to, int depth) {
        skip_space();
        if (rest_.empty() || depth > deepest) return false;
        if (take("null")) return to = Build::of(nullptr), true;
        if (take("true")) return to = Build::of(true), true;
        if (take("false")) return to = Build::of(false), true;
        if (rest_.front() == '"') return read_text(to);
        if (take("[")) return read_list(to, depth);
        if (take("{")) return read_object(to, depth);
        return read_number(to);
    }

    bool read_number(value& to) {
        double number = 0;
        const bool begins = rest_.front() == '-' || (rest_.front() >= '0' && rest_.front() <= '9'); // excludes "inf" and "nan"
        const auto length = begins ? read_real(rest_, number) : 0;
        if (length == 0) return false;
        rest_.remove_prefix(length);
        return to = Build::of(number), true;
    }

    bool read_text(value& to) {
        std::string text;
        if (!read_string(text)) return false;
        return to = Build::of(std::move(text)), true;
    }

    bool read_string(std::string& to) {
        if (!take("\"")) return false;
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c != '\\')
                to += c;
            else if (!read_escape(to))
                return false;
        }
        return false;
    }

    bool read_escape(std::string& to) {
        static constexpr std::string_view written = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (rest_.empty()) return false;
        const char c = rest_.front();
        rest_.remove_prefix(1);
        if (const auto known = written.find(c); known != written.npos) return to += meant[known], true;
        std::uint32_t code = 0;
        if (c != 'u' || !read_hex(code)) return false;
        if (code >= 0xd800 && code < 0xdc00) { // a high surrogate
            std::uint32_t second = 0;
            if (!take("\\u") || !read_hex(second) || second < 0xdc00 || second > 0xdfff) return false;
            code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        }
        if (code >= 0xdc00 && code < 0xe000) return false;
        return append_utf8(to, code), true;
    }

    bool read_hex(std::uint32_t& code) {
        if (rest_.size() < 4) return false;
        const auto end = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
        if (end.ptr != rest_.data() + 4) return false;
        rest_.remove_prefix(4);
        return true;
    }

    bool read_list(value& to, int depth) {
        std::vector<value> items;
        if (!take_after_space("]")) {
            do
                if (!read(items.emplace_back(), depth + 1)) return false;
            while (take_after_space(","));
            if (!take("]")) return false;
        }
        return to = Build::list(std::move(items)), true;
    }

    bool read_object(value& to, int depth) {
        std::vector<typename Build::member> members;
        if (!take_after_space("}")) {
            do {
                auto& [name, inside] = members.emplace_back();
                skip_space();
                if (!read_string(name) || !take_after_space(":") || !read(inside, depth + 1)) return false;
            } while (take_after_space(","));
            if (!take("}")) return false;
        }
        return to = Build::object(std::move(members)), true;
    }

    std::string_view rest_;
};

} // namespace hsm::detail
