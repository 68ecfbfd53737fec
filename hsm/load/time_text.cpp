#include <hsm/load/detail/time_text.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <cstdint>

namespace hsm::detail {

namespace {

struct unit {
    std::string_view name;
    std::int64_t nanoseconds;
};

constexpr unit units[] = {
    {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}, {"h", 3'600'000'000'000}, {"", 1'000'000'000}};

/// Sets n to n * factor + more. Returns false if that overflows.
bool scale(std::int64_t& n, std::int64_t factor, std::int64_t more) { return detail::multiply(n, factor, n) && detail::add_up(n, more, n); }

} // namespace

bool looks_like_time(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (text.starts_with('.')) text.remove_prefix(1);
    return !text.empty() && is_ascii_digit(text.front());
}

std::optional<time_span> time_from_text(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    std::int64_t whole = 0, fraction = 0, parts = 1;
    std::size_t i = 0;
    for (; i < text.size() && is_ascii_digit(text[i]); ++i)
        if (!scale(whole, 10, text[i] - '0')) return {};
    std::size_t digits = i;
    if (i < text.size() && text[i] == '.')
        for (++i; i < text.size() && is_ascii_digit(text[i]); ++i, ++digits) {
            if (parts == 1'000'000'000) continue;
            fraction = fraction * 10 + (text[i] - '0');
            parts *= 10;
        }
    if (digits == 0) return {};
    while (i < text.size() && text[i] == ' ') ++i;
    for (const auto& u : units) {
        if (text.substr(i) != u.name) continue;
        const std::int64_t coarser = u.nanoseconds > 1'000'000'000 && parts > 1'000'000 ? 1000 : 1; // prevents an overflow
        if (!scale(whole, u.nanoseconds, fraction / coarser * u.nanoseconds / (parts / coarser))) return {};
        return time_span::from_nanoseconds(negative ? -whole : whole);
    }
    return {};
}

} // namespace hsm::detail
