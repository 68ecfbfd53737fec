/// Several named events in one transition: by prefix, as a list, or all names. The names need not be known when the chart is compiled.
///
///     root->to(failed).on(hsm::event_prefix("error"));                        // "error", "error.io", "error.io.disk"; not "errors"
///     busy.on(hsm::any("cancel", hsm::event_prefix("stop"))).then([](worker& w, const hsm::named_event& e) { w.log(e.name()); });
///     root->on(hsm::any_name()).then(...);                                    // every named event
///
/// Dots separate the parts of a name; a prefix consists of whole parts. `on("jump")` waits for that name only.
#pragma once

#include <hsm/define/detail/owned_text.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/guard.hpp>

namespace hsm {

struct event_prefix {
    constexpr explicit event_prefix(std::string_view t) : text(whole_parts(t)) {}

    detail::owned_text text; ///< the prefix without the dot or ".*" at its end

private:
    static constexpr std::string_view whole_parts(std::string_view t) {
        if (t.ends_with('*')) t.remove_suffix(1);
        if (t.ends_with('.')) t.remove_suffix(1);
        return t;
    }
};
/// Matches all named events.
constexpr event_prefix any_name() { return event_prefix(""); }

namespace detail {

template <class T>
concept name_or_prefix = std::is_same_v<T, event_prefix> || std::is_convertible_v<const T&, std::string_view>;

inline name_pattern pattern_of(const event_prefix& p) { return {std::string(std::string_view(p.text)), true}; }
inline name_pattern pattern_of(std::string_view name) { return {std::string(name), false}; }

template <class T> inline constexpr bool is_several_names = false;
template <> inline constexpr bool is_several_names<event_prefix> = true;
template <class... T> inline constexpr bool is_several_names<any_of<T...>> = (name_or_prefix<T> && ...);
template <class T>
concept several_names = is_several_names<T>;

inline event_key key_of_names(const event_prefix& p) { return key_of_names(std::vector{pattern_of(p)}); }
template <class... T> event_key key_of_names(const any_of<T...>& names) {
    return names.parts.apply([](const T&... part) { return key_of_names(std::vector{pattern_of(part)...}); });
}

} // namespace detail

} // namespace hsm
