/// A time in whole nanoseconds. std::chrono durations convert to it and back. <chrono> is not included: durations are recognized by their `period`
/// and `rep`.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <type_traits>

namespace hsm {

template <class D>
concept duration_like = requires(const D& d) {
    typename D::rep;
    D::period::num;
    D::period::den;
    d.count();
};

class time_span {
public:
    constexpr time_span() = default;
    /// Converts a duration; saturates.
    template <duration_like D> constexpr time_span(const D& d) : ns_(from(d)) {}

    static constexpr time_span from_nanoseconds(std::int64_t ns) {
        time_span span;
        span.ns_ = ns;
        return span;
    }
    /// Rounds to the nearest nanosecond; saturates.
    static constexpr time_span from_seconds(double s) { return from_nanoseconds(rounded(s * 1e9)); }

    constexpr std::int64_t nanoseconds() const { return ns_; }
    constexpr double seconds() const { return static_cast<double>(ns_) / 1e9; }

    /// Truncates if D is coarser than a nanosecond, like std::chrono::duration_cast. Saturates if the time exceeds the range of D.
    template <duration_like D> constexpr operator D() const {
        using rep = typename D::rep;
        if constexpr (!std::is_floating_point_v<rep> && whole<typename D::period>)
            return D(fitted<rep>(ns_ / (billion / D::period::den * D::period::num)));
        else
            return D(fitted<rep>(static_cast<double>(ns_) * D::period::den / (1e9 * D::period::num)));
    }

    friend constexpr auto operator<=>(time_span, time_span) = default;
    // Saturating arithmetic.
    friend constexpr time_span operator+(time_span a, time_span b) {
        std::int64_t sum = 0;
        return from_nanoseconds(detail::add_up(a.ns_, b.ns_, sum) ? sum : a.ns_ < 0 ? -most : most);
    }
    friend constexpr time_span operator-(time_span a, time_span b) {
        std::int64_t difference = 0;
        return from_nanoseconds(detail::subtract(a.ns_, b.ns_, difference) ? difference : a.ns_ < 0 ? -most : most);
    }

private:
    static constexpr std::int64_t billion = 1'000'000'000;
    static constexpr std::int64_t most = std::int64_t(~(std::uint64_t(1) << 63));

    /// True if a unit of Period is a whole number of nanoseconds that fits into 64 bits.
    template <class Period> static constexpr bool whole = billion % Period::den == 0 && Period::num <= most / (billion / Period::den);

    template <class Number> static constexpr std::int64_t end_towards(Number n) { return n > 0 ? most : -most; }

    /// Rounds; saturates. NaN becomes the smallest time.
    static constexpr std::int64_t rounded(double ns) {
        if (!(ns < 0x1p63 && ns > -0x1p63)) return end_towards(ns);
        return static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5);
    }

    /// Converts; saturates if Rep is an integer.
    template <class Rep, class Number> static constexpr Rep fitted(Number n) {
        if constexpr (std::is_integral_v<Rep> && !std::is_same_v<Rep, bool>) {
            constexpr auto end = static_cast<Rep>(static_cast<std::make_unsigned_t<Rep>>(-1) >> (std::is_signed_v<Rep> ? 1 : 0));
            constexpr auto begin = static_cast<Rep>(std::is_signed_v<Rep> ? -end - 1 : 0);
            if constexpr (std::is_floating_point_v<Number>) {
                constexpr auto beyond = (static_cast<double>(end / 2) + 1) * 2; // a power of two, because `end` may not be representable as a double
                if (!(n < beyond)) return end;
                if (n <= static_cast<double>(begin)) return begin;
            } else {
                if (!detail::holds_number<Rep>(n)) return n > 0 ? end : begin;
            }
        }
        return static_cast<Rep>(n);
    }

    template <class D> static constexpr std::int64_t from(const D& d) {
        using rep = typename D::rep;
        if constexpr (std::is_floating_point_v<rep> || !whole<typename D::period>) {
            return rounded(static_cast<double>(d.count()) * (1e9 * D::period::num / D::period::den));
        } else {
            const auto count = static_cast<std::conditional_t<std::is_class_v<rep>, std::int64_t, rep>>(d.count());
            std::int64_t ns = 0;
            return detail::multiply(count, billion / D::period::den * D::period::num, ns) ? ns : end_towards(count);
        }
    }

    std::int64_t ns_ = 0;
};

/// Returns the time in the largest unit without a fraction, for example "16ms" or "1500us".
std::string to_string(time_span time);

namespace detail {
template <class> inline constexpr bool has_a_unit = false;
/// Rejects whole numbers, whose unit is unknown.
template <class N> constexpr time_span without_unit(N) {
    static_assert(has_a_unit<N>, "hsm: a time needs a unit: 16ms (with <chrono> and its literals), or seconds as in 0.016f");
    return {};
}
} // namespace detail

} // namespace hsm
