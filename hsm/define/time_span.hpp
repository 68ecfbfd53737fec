/// A length of time in whole nanoseconds. Any std::chrono duration converts to it and back; <chrono> itself is not
/// included here, durations are recognised by their `period` and `rep`.
#pragma once

#include <compare>
#include <cstdint>
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
    template <duration_like D> constexpr time_span(const D& d) : ns_(from(d)) {}

    static constexpr time_span from_nanoseconds(std::int64_t ns) {
        time_span span;
        span.ns_ = ns;
        return span;
    }
    /// Rounded to the nearest nanosecond; saturates.
    static constexpr time_span from_seconds(double s) { return from_nanoseconds(rounded(s * 1e9)); }

    constexpr std::int64_t nanoseconds() const { return ns_; }
    constexpr double seconds() const { return static_cast<double>(ns_) / 1e9; }

    /// Truncates where D is coarser than a nanosecond, as std::chrono::duration_cast does.
    template <duration_like D> constexpr operator D() const {
        using rep = typename D::rep;
        if constexpr (std::is_floating_point_v<rep>)
            return D(static_cast<rep>(static_cast<double>(ns_) * D::period::den / (1e9 * D::period::num)));
        else if constexpr (billion % D::period::den == 0)
            return D(static_cast<rep>(ns_ / (billion / D::period::den * D::period::num)));
        else
            return D(static_cast<rep>(static_cast<double>(ns_) * D::period::den / (1e9 * D::period::num)));
    }

    friend constexpr auto operator<=>(time_span, time_span) = default;
    friend constexpr time_span operator+(time_span a, time_span b) { return from_nanoseconds(a.ns_ + b.ns_); }
    friend constexpr time_span operator-(time_span a, time_span b) { return from_nanoseconds(a.ns_ - b.ns_); }

private:
    static constexpr std::int64_t billion = 1'000'000'000;
    static constexpr std::int64_t most = std::int64_t(~(std::uint64_t(1) << 63));

    /// Saturates; what is not a number is less than every time.
    static constexpr std::int64_t rounded(double ns) {
        if (!(ns < 9.2e18 && ns > -9.2e18)) return ns > 0 ? most : -most;
        return static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5);
    }

    template <class D> static constexpr std::int64_t from(const D& d) {
        if constexpr (std::is_floating_point_v<typename D::rep>)
            return rounded(static_cast<double>(d.count()) * (1e9 * D::period::num / D::period::den));
        else if constexpr (billion % D::period::den == 0)
            return static_cast<std::int64_t>(d.count()) * (billion / D::period::den * D::period::num);
        else
            return rounded(static_cast<double>(d.count()) * (1e9 * D::period::num / D::period::den));
    }

    std::int64_t ns_ = 0;
};

} // namespace hsm
