#include <hsm/text/detail/read_real.hpp>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>

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
