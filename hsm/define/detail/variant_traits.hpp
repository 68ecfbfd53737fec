/// Recognizes std::variant by its shape, so that <variant> is included only by programs that use it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace hsm::detail {

template <class... T> struct type_list {};

template <class T> struct variant_traits { static constexpr bool is_variant = false; };
/// Classes derived from a variant are not variants.
template <template <class...> class Variant, class... Alternatives>
requires requires(const Variant<Alternatives...>& v) {
    { v.index() } -> std::same_as<std::size_t>;
    { v.valueless_by_exception() } -> std::same_as<bool>;
}
struct variant_traits<Variant<Alternatives...>> {
    static constexpr bool is_variant = true;
    using alternatives = type_list<Alternatives...>;
    using indices = std::index_sequence_for<Alternatives...>;
};

template <class T> inline constexpr bool is_variant = variant_traits<std::remove_cvref_t<T>>::is_variant;

} // namespace hsm::detail
