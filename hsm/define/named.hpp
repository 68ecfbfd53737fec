/// Labels: readable names of hooks, guards, actions, delays and projections.
///
///     idle.to(run).when(hsm::named("is grounded", &character::grounded));
///     run.to(idle).when(hsm::all("IsRun", hsm::no(hsm::named("is tired", [](const character& c) { return c.tired; }))));
///
/// A labelled callable can be used wherever the callable itself can be used. Drawings, traces and explanations show its label. Labels need not be
/// unique. An empty label counts as no label. A composed guard without a label is shown by the labels of its parts. Files cannot refer to a callable
/// by its label: register the callable in a registry.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/owned_text.hpp>
#include <hsm/define/guard.hpp>
#include <hsm/define/owned.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace hsm {

template <class F> struct labelled {
    detail::owned_text label;
    F callable;
};

template <class F> constexpr labelled<std::decay_t<F>> named(std::string_view label, F&& callable) { return {label, std::forward<F>(callable)}; }

namespace detail {

template <class T> inline constexpr bool is_labelled = false;
template <class F> inline constexpr bool is_labelled<labelled<F>> = true;
template <class T> struct without_label { using type = T; };
template <class F> struct without_label<labelled<F>> { using type = F; };
template <class T> using unlabelled = typename without_label<std::decay_t<T>>::type;

/// Returns a copy of the label. The bound_op that gets this copy takes ownership of it.
inline owned<const std::string> owned_label(std::string_view label) {
    return label.empty() ? owned<const std::string>() : owned<const std::string>(new std::string(label));
}

/// In a composed guard, calls the callable inside its `labelled` object, without taking the callable out.
template <class Role, class Context, class Event, class F>
struct form<Role, Context, Event, unreadable<labelled<F>>> : form_of<Role, Context, Event, F> {
    template <class L> static decltype(auto) call(const void* self, machine& m) {
        return form_of<Role, Context, Event, F>::template call<F>(&callable_at<L>(self).callable, m);
    }
};

template <class Role, class Context, class Event = no_event, class F> bound_op bind(labelled<F> f, origin at = {}) {
    auto label = owned_label(f.label);
    auto parts = bind<Role, Context, Event>(static_cast<F&&>(f.callable), at);
    parts.label = label.release();
    return parts;
}

/// A condition that is used inside a guard.
struct asked_condition {
    condition_literal literal;
};

template <class G> inline constexpr bool has_label = is_labelled<G>;
template <class... G> inline constexpr bool has_label<all_of<G...>> = (has_label<G> || ...);
template <class... G> inline constexpr bool has_label<any_of<G...>> = (has_label<G> || ...);
template <class G> inline constexpr bool has_label<negation<G>> = has_label<G>;

std::string label_of_condition(const condition_literal& asked); ///< `!"Armed"`
std::string label_of_parts(std::initializer_list<std::string> labels, std::string_view between);

/// Returns a text such as `is grounded && !(is tired || "Armed")`. A callable without a label is written as "...". `whole` is true if the text needs
/// no parentheses around it.
template <class G> std::string label_of_guard(const G&, bool) { return "..."; }
inline std::string label_of_guard(const asked_condition& g, bool) { return label_of_condition(g.literal); }
template <class F> std::string label_of_guard(const labelled<F>& g, bool whole);
template <class... G> std::string label_of_guard(const all_of<G...>& g, bool whole);
template <class... G> std::string label_of_guard(const any_of<G...>& g, bool whole);
template <class G> std::string label_of_guard(const negation<G>& g, bool) { return '!' + label_of_guard(g.part, false); }

template <class F> std::string label_of_guard(const labelled<F>& g, bool whole) {
    return g.label.empty() ? label_of_guard(g.callable, whole) : std::string(std::string_view(g.label));
}
template <class Parts> std::string label_of_parts(const Parts& parts, std::string_view between, bool whole) {
    constexpr bool alone = Parts::size() == 1;
    const auto joined = [&](const auto&... part) { return label_of_parts({label_of_guard(part, alone && whole)...}, between); };
    const auto text = parts.apply(joined);
    return whole || alone ? text : '(' + text + ')';
}
template <class... G> std::string label_of_guard(const all_of<G...>& g, bool whole) { return label_of_parts(g.parts, " && ", whole); }
template <class... G> std::string label_of_guard(const any_of<G...>& g, bool whole) { return label_of_parts(g.parts, " || ", whole); }

/// Binds a guard, and labels it if one of its parts has a label.
template <class Context, class Event, class G> bound_op bind_guard(G g, origin at) {
    if constexpr (has_label<G> && !is_labelled<G>) {
        auto label = owned_label(label_of_guard(g, true));
        auto parts = bind<as_guard, Context, Event>(static_cast<G&&>(g), at);
        parts.label = label.release();
        return parts;
    } else {
        return bind<as_guard, Context, Event>(static_cast<G&&>(g), at);
    }
}

} // namespace detail

} // namespace hsm
