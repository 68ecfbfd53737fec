#include <hsm/define/detail/read_real.hpp>
#include <hsm/define/event_data.hpp>

#include <hsm/define/detail/read_real.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <cctype>
#include <cerrno>

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace hsm::detail {

namespace {

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t n = 0;
    while (at + n < text.size() && std::isdigit(static_cast<unsigned char>(text[at + n]))) ++n;
    return n;
}

bool has_word(std::string_view text, std::size_t at, std::string_view word) {
    if (text.size() - at < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(text[at + i])) != word[i]) return false;
    return true;
}

/// Returns the length of the number at the beginning of the text; 0 if there is none.
std::size_t end_of_number(std::string_view text) {
    const std::size_t begin = text.starts_with('-');
    for (const std::string_view word : {"infinity", "inf", "nan"})
        if (has_word(text, begin, word)) return begin + word.size();
    auto end = begin + digits_at(text, begin);
    auto digits = end - begin;
    if (end < text.size() && text[end] == '.') {
        const auto more = digits_at(text, end + 1);
        digits += more;
        if (digits > 0) end += 1 + more;
    }
    if (digits == 0) return 0;
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
        if (const auto exponent = digits_at(text, end + 1 + sign)) end += 1 + sign + exponent;
    }
    return end;
}

} // namespace

std::size_t read_real_by_strtod(std::string_view text, double& to) {
    const auto end = end_of_number(text);
    if (end == 0) return 0;
    std::string number(text.substr(0, end)); // for strtod: with the locale's decimal point, and a terminator
    if (const auto point = number.find('.'); point != number.npos) number.replace(point, 1, std::localeconv()->decimal_point);
    errno = 0;
    const double read = std::strtod(number.c_str(), nullptr);
    if (errno == ERANGE && (read == 0 || std::isinf(read))) return 0; // ERANGE is also reported for subnormal results, which are valid
    to = read;
    return end;
}

#ifdef __cpp_lib_to_chars
std::size_t read_real(std::string_view text, double& to) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
}
#else
std::size_t read_real(std::string_view text, double& to) { return read_real_by_strtod(text, to); }
#endif

} // namespace hsm::detail

namespace hsm {

namespace {

/// Parses untrusted text by RFC 8259.
class json_text {
public:
    explicit json_text(std::string_view text) : rest_(text) {}

    bool read_all(event_data& to) { return read(to, 0) && (skip_space(), rest_.empty()); }

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

    bool read(event_data& to, int depth) {
        skip_space();
        if (rest_.empty() || depth > deepest) return false;
        if (take("null")) return to = nullptr, true;
        if (take("true")) return to = true, true;
        if (take("false")) return to = false, true;
        if (rest_.front() == '"') return read_text(to);
        if (take("[")) return read_list(to, depth);
        if (take("{")) return read_object(to, depth);
        return read_number(to);
    }

    bool read_number(event_data& to) {
        double number = 0;
        const bool begins = rest_.front() == '-' || (rest_.front() >= '0' && rest_.front() <= '9'); // excludes "inf" and "nan"
        const auto length = begins ? detail::read_real(rest_, number) : 0;
        if (length == 0) return false;
        rest_.remove_prefix(length);
        return to = number, true;
    }

    bool read_text(event_data& to) {
        std::string text;
        if (!read_string(text)) return false;
        return to = text, true;
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
        return detail::append_utf8(to, code), true;
    }

    bool read_hex(std::uint32_t& code) {
        if (rest_.size() < 4) return false;
        const auto end = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
        if (end.ptr != rest_.data() + 4) return false;
        rest_.remove_prefix(4);
        return true;
    }

    bool read_list(event_data& to, int depth) {
        std::vector<event_data> items;
        if (!take_after_space("]")) {
            do
                if (!read(items.emplace_back(), depth + 1)) return false;
            while (take_after_space(","));
            if (!take("]")) return false;
        }
        return to = event_data::list(std::move(items)), true;
    }

    bool read_object(event_data& to, int depth) {
        std::vector<data_member> members;
        if (!take_after_space("}")) {
            do {
                auto& m = members.emplace_back();
                skip_space();
                if (!read_string(m.name) || !take_after_space(":") || !read(m.value, depth + 1)) return false;
            } while (take_after_space(","));
            if (!take("}")) return false;
        }
        return to = event_data::object(std::move(members)), true;
    }

    std::string_view rest_;
};

} // namespace

bool read_json(std::string_view text, event_data& to) {
    event_data made;
    if (!text.empty() && !json_text(text).read_all(made)) return false;
    to = std::move(made);
    return true;
}

} // namespace hsm
