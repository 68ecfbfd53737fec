/// Names of types and enumerators, as the compiler spells them.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hsm::detail {

constexpr int nesting(char c) { return c == '<' || c == '(' || c == '[' || c == '{' ? 1 : c == '>' || c == ')' || c == ']' || c == '}' ? -1 : 0; }

/// Returns `X` from "... [with T = X; ...]" (g++), "... [T = X]" (clang) or "... f<struct X>(void)" (MSVC). `with_known` is the same text for the
/// argument `known`; it determines the text around the argument.
constexpr std::string_view template_argument(std::string_view pretty, std::string_view with_known, std::string_view known) {
    const auto sign = with_known.find("T = ");
    const auto begin = sign == with_known.npos ? with_known.rfind(known) : sign + 4;
    auto argument = pretty.substr(begin, pretty.size() - (with_known.size() - known.size()));
    for (const std::string_view keyword : {"struct ", "class ", "enum ", "union "})
        if (argument.starts_with(keyword)) argument.remove_prefix(keyword.size());
    return argument;
}

/// Returns where the character literal begins that ends before `end`.
constexpr std::size_t literal_before(std::string_view name, std::size_t end) {
    const auto begin = end < 3 ? name.npos : name.rfind('\'', end - 3); // a literal is not empty
    return begin == name.npos ? end - 1 : begin;
}

constexpr std::string_view unqualified(std::string_view name) {
    int depth = 0;
    for (auto i = name.size(); i > 1; --i) {
        if (name[i - 1] == '\'') i = literal_before(name, i) + 1;
        if (i < 2) break;
        depth += nesting(name[i - 1]);
        if (depth == 0 && name[i - 1] == ':' && name[i - 2] == ':') return name.substr(i);
    }
    return name;
}

template <class T> constexpr std::string_view pretty_type() { return HSM_FUNCTION_NAME; }
template <auto T> constexpr std::string_view pretty_value() { return HSM_FUNCTION_NAME; }

/// Returns "game::hit" for `struct game::hit`.
template <class T> constexpr std::string_view type_name() {
    return detail::template_argument(detail::pretty_type<T>(), detail::pretty_type<int>(), "int");
}

/// Returns "idle" for `pose::idle`. A value without an enumerator is a compile error.
template <auto Value>
requires std::is_enum_v<decltype(Value)>
constexpr std::string_view enumerator_name() {
    constexpr auto name = detail::unqualified(detail::template_argument(detail::pretty_value<Value>(), detail::pretty_value<0>(), "0"));
    static_assert(name.front() != '(' && (name.front() < '0' || name.front() > '9'),
                  "hsm: this value is not a named enumerator, so it cannot name a state");
    return name;
}

template <class E, E... Values> constexpr const char* pretty_values() { return HSM_FUNCTION_NAME; }
template <class E, std::size_t... I> constexpr const char* pretty_first_values(std::index_sequence<I...>) {
    return detail::pretty_values<E, static_cast<E>(I)...>();
}

/// An enumeration that can have every value of its underlying type.
template <class E>
concept open_enumeration = std::is_enum_v<E> && requires {
    E{0};
};

/// Returns the compiler's spelling of the values 0 to 63 of an enumeration; null for other types. For enumerator_named.
template <class T> constexpr const char* pretty_enumerators() {
    if constexpr (open_enumeration<T>)
        return detail::pretty_first_values<T>(std::make_index_sequence < std::is_same_v<std::underlying_type_t<T>, bool> ? 2 : 64 > ());
    else
        return nullptr;
}

/// Returns "idle" for the value of `pose::idle`, from the text of pretty_enumerators; empty if it has no name there.
std::string_view enumerator_named(const char* pretty, std::int64_t value);

} // namespace hsm::detail
