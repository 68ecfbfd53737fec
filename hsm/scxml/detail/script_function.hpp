/// C++ functions that scripts can call.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/scxml/detail/expression.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::scxml {

/// A value that is passed between scripts and functions unchanged, as JSON. Empty: undefined.
struct json_text {
    std::string text;
};

} // namespace hsm::scxml

namespace hsm::detail::scxml {

/// A function of the host.
class script_function {
public:
    virtual ~script_function() = default;
    outcome<value> call(const std::vector<value>& arguments) const; ///< its exceptions become failures

private:
    virtual std::size_t parameters() const = 0;
    virtual outcome<value> run(const std::vector<value>& arguments) const = 0; ///< with as many arguments as it has parameters
};

// These do not throw, so they can be compiled without exceptions.
failure from_json(const std::string& json, bool& to);
failure from_json(const std::string& json, double& to);
failure from_json(const std::string& json, std::string& to);
failure no_whole_number(const std::string& json);
template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, double> && !std::is_same_v<T, bool>)
failure from_json(const std::string& json, T& to) {
    double number = 0;
    if (auto wrong = from_json(json, number)) return wrong;
    bool fits = true;
    if constexpr (std::is_integral_v<T>) {
        const double end = 2.0 * static_cast<double>(T(1) << (std::numeric_limits<T>::digits - 1)); // the first value above the range; exact
        fits = number < end && number >= (std::is_signed_v<T> ? -end : 0.0);
    }
    if (fits) to = static_cast<T>(number);
    return std::is_integral_v<T> && (!fits || static_cast<double>(to) != number) ? no_whole_number(json) : failure{};
}
inline failure from_json(const std::string& json, hsm::scxml::json_text& to) { return to.text = json, failure{}; }

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

private:
    std::size_t parameters() const override { return sizeof...(A); }
    outcome<value> run(const std::vector<value>& arguments) const override { return call_with(arguments, std::index_sequence_for<A...>()); }

    template <std::size_t... I> outcome<value> call_with([[maybe_unused]] const std::vector<value>& arguments, std::index_sequence<I...>) const {
        std::tuple<std::decay_t<A>...> given;
        failure wrong;
        (void)((wrong = from_json(arguments[I].json, std::get<I>(given))) || ...);
        if (wrong) return {{}, std::move(wrong)};
        if constexpr (std::is_void_v<R>)
            return f_(std::get<I>(std::move(given))...), outcome<value>{};
        else
            return {{to_json(f_(std::get<I>(std::move(given))...))}, {}};
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
