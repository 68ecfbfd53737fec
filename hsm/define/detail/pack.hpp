/// A minimal tuple. std::tuple is not used because including <tuple> takes about 5 % of the compile time of <hsm/hsm.hpp>.
#pragma once

#include <cstddef>
#include <utility>

namespace hsm::detail {

template <std::size_t I, class T> struct pack_part { [[no_unique_address]] T part; };

template <class Places, class... T> struct pack_at;

template <std::size_t... I, class... T> struct pack_at<std::index_sequence<I...>, T...> : pack_part<I, T>... {
    constexpr pack_at(T... parts) : pack_part<I, T>{static_cast<T&&>(parts)}... {}

    static constexpr std::size_t size() { return sizeof...(T); }
    /// Returns f(parts...).
    template <class F> constexpr decltype(auto) apply(F f) const { return f(static_cast<const pack_part<I, T>&>(*this).part...); }
    template <class F> constexpr decltype(auto) apply(F f) { return f(static_cast<pack_part<I, T>&>(*this).part...); }
};

template <class... T> using pack = pack_at<std::index_sequence_for<T...>, T...>;

} // namespace hsm::detail
