/// Functions of C++ as scripts call them.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/scxml/detail/expression.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::scxml {

/// What passes between scripts and functions as it is: JSON; empty: undefined.
struct json_text {
    std::string text;
};

} // namespace hsm::scxml

namespace hsm::detail::scxml {

/// A function of the host's.
class script_function {
public:
    virtual ~script_function() = default;
    virtual outcome<value> call(const std::vector<value>& arguments) const = 0;
};

/// What is no such value throws std::invalid_argument.
void from_json(const std::string& json, bool& to);
void from_json(const std::string& json, double& to);
void from_json(const std::string& json, std::string& to);
template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, double> && !std::is_same_v<T, bool>)
void from_json(const std::string& json, T& to) {
    double number = 0;
    from_json(json, number);
    bool fits = true;
    if constexpr (std::is_integral_v<T>) {
        const double end = 2.0 * static_cast<double>(T(1) << (std::numeric_limits<T>::digits - 1)); // beyond the greatest, and exact
        fits = number < end && number >= (std::is_signed_v<T> ? -end : 0.0);
    }
    if (fits) to = static_cast<T>(number);
    if (std::is_integral_v<T> && (!fits || static_cast<double>(to) != number))
        throw std::invalid_argument("a whole number is needed, not " + json);
}
inline void from_json(const std::string& json, hsm::scxml::json_text& to) { to.text = json; }

std::string to_json(bool v);
std::string to_json(double v);
std::string to_json(std::string_view v);
template <class T>
    requires std::is_arithmetic_v<T>
std::string to_json(T v) {
    return to_json(static_cast<double>(v));
}
inline std::string to_json(const std::string& v) { return to_json(std::string_view(v)); }
inline std::string to_json(const char* v) { return to_json(std::string_view(v)); }
inline std::string to_json(const hsm::scxml::json_text& v) { return v.text; }

template <class F, class R, class... A> class script_function_of final : public script_function {
public:
    explicit script_function_of(F f) : f_(std::move(f)) {}
    outcome<value> call(const std::vector<value>& arguments) const override {
        if (arguments.size() != sizeof...(A)) return {{}, {"it takes " + std::to_string(sizeof...(A)) + " arguments"}};
        try {
            return {{call_with(arguments, std::index_sequence_for<A...>())}, {}};
        } catch (const std::exception& e) {
            return {{}, {e.what()}};
        }
    }

private:
    template <std::size_t... I> std::string call_with([[maybe_unused]] const std::vector<value>& arguments, std::index_sequence<I...>) const {
        std::tuple<std::decay_t<A>...> given;
        (from_json(arguments[I].json, std::get<I>(given)), ...);
        if constexpr (std::is_void_v<R>)
            return f_(std::get<I>(std::move(given))...), std::string();
        else
            return to_json(f_(std::get<I>(std::move(given))...));
    }

    F f_;
};

template <class F, class R, class C, class... A> owned<script_function> function_of(F f, R (C::*)(A...) const) {
    return owned<script_function>(new script_function_of<F, R, A...>(std::move(f)));
}
template <class F, class R, class... A> owned<script_function> function_of(F f, R (*)(A...)) {
    return owned<script_function>(new script_function_of<F, R, A...>(std::move(f)));
}

struct named_function {
    std::string name;
    owned<script_function> function;
};

} // namespace hsm::detail::scxml
