/// Adds the argument of `.when` to a transition: conditions as data, everything else as a guard.
///
/// Conditions become groups, which a chart tests as masks. Conditions in an all(...) become groups even if the all(...) also contains guards. If
/// conditions and guards are alternatives, as in any("Armed", &hero::angry), a guard tests the conditions one by one.
#pragma once

#include <hsm/define/guard.hpp>
#include <hsm/define/named.hpp>
#include <hsm/define/transition_spec.hpp>

namespace hsm::detail {

/// A name, an index (or an enumerator of an unscoped enumeration), or a handle.
template <class G>
concept names_condition =
    (std::is_convertible_v<const G&, std::string_view> && !std::is_null_pointer_v<G>) || std::is_same_v<G, int> ||
    (std::is_enum_v<G> && std::is_convertible_v<G, int>) || std::is_same_v<G, condition> || std::is_same_v<G, negated_condition>;

template <class G> inline constexpr bool asks_conditions = names_condition<G>;
template <class... G> inline constexpr bool asks_conditions<all_of<G...>> = (asks_conditions<G> || ...);
template <class... G> inline constexpr bool asks_conditions<any_of<G...>> = (asks_conditions<G> || ...);
template <class G> inline constexpr bool asks_conditions<negation<G>> = asks_conditions<G>;
template <class G> inline constexpr bool asks_conditions<labelled<G>> = asks_conditions<G>;

/// True if G is a group of conditions of which at least one must hold. `Sense` is false if the whole group is negated.
template <class G, bool Sense> inline constexpr bool is_any_group = names_condition<G>;
template <class... G> inline constexpr bool is_any_group<any_of<G...>, true> = (is_any_group<G, true> && ...);
template <class... G> inline constexpr bool is_any_group<all_of<G...>, false> = (is_any_group<G, false> && ...);
template <class G, bool Sense> inline constexpr bool is_any_group<negation<G>, Sense> = is_any_group<G, !Sense>;

/// True if all parts must hold.
template <class G, bool Sense> inline constexpr bool needs_each = false;
template <class... G> inline constexpr bool needs_each<all_of<G...>, true> = true;
template <class... G> inline constexpr bool needs_each<any_of<G...>, false> = true;

template <class G> inline constexpr bool is_negation = false;
template <class G> inline constexpr bool is_negation<negation<G>> = true;

template <class Context, class Event> struct form<as_guard, Context, Event, unreadable<asked_condition>> {
    static constexpr bool fits = true;
    static constexpr needs_list needs = {};

    template <class F> static bool call(const void* self, machine& m) {
        const condition_literal& asked = callable_at<F>(self).literal;
        return m.chart->host->condition(m, asked.condition->number) == asked.wanted;
    }
};

/// Permits conditions as arguments of `.when`. A condition is not a callable: `condition_reader` reads it.
template <class Context, class Event, names_condition G> struct form<as_guard, Context, Event, unreadable<G>> {
    static constexpr bool fits = true;
    static constexpr needs_list needs = {};
};

/// Reads the conditions that a definition call on the state `where` names; `at` is the line of the call. `literals` receives each condition, and
/// whether it must be set.
struct condition_reader {
    state_base& where;
    origin at;
    std::vector<condition_literal>* literals;

    template <class G> condition_literal read(const G& g, bool sense) const {
        if constexpr (std::is_enum_v<G>)
            return read_condition(where, static_cast<int>(g), sense, at);
        else
            return read_condition(where, g, sense, at);
    }

    /// Returns the guard with its conditions resolved.
    template <class G> auto found(G g, bool sense = true) const {
        if constexpr (names_condition<G>) {
            const auto literal = read(g, true);
            if (literals) literals->push_back({literal.condition, literal.wanted == sense});
            return asked_condition{literal};
        } else {
            return static_cast<G&&>(g);
        }
    }
    template <class... G> auto found(all_of<G...> g, bool sense = true) const {
        return g.parts.apply(
            [&](G&... part) { return all_of<decltype(found(static_cast<G&&>(part)))...>{{found(static_cast<G&&>(part), sense)...}}; });
    }
    template <class... G> auto found(any_of<G...> g, bool sense = true) const {
        return g.parts.apply(
            [&](G&... part) { return any_of<decltype(found(static_cast<G&&>(part)))...>{{found(static_cast<G&&>(part), sense)...}}; });
    }
    template <class G> auto found(negation<G> g, bool sense = true) const {
        return negation<decltype(found(static_cast<G&&>(g.part)))>{found(static_cast<G&&>(g.part), !sense)};
    }

    template <class G> auto found(labelled<G> g, bool sense = true) const {
        return labelled<decltype(found(static_cast<G&&>(g.callable)))>{g.label, found(static_cast<G&&>(g.callable), sense)};
    }

    template <bool Sense, class G> void collect(condition_group& group, const G& g) const { group.literals.push_back(read(g, Sense)); }
    template <bool Sense, class... G> void collect(condition_group& group, const all_of<G...>& g) const {
        g.parts.apply([&](const G&... part) { (collect<Sense>(group, part), ...); });
    }
    template <bool Sense, class... G> void collect(condition_group& group, const any_of<G...>& g) const {
        g.parts.apply([&](const G&... part) { (collect<Sense>(group, part), ...); });
    }
    template <bool Sense, class G> void collect(condition_group& group, const negation<G>& g) const { collect<!Sense>(group, g.part); }
};

/// Adds a guard. `Sense` is false if it must not hold.
template <class Context, class Event, bool Sense, class G> transition_spec& add_guard(transition_spec& spec, G g, origin at) {
    const condition_reader conditions{*spec.source, at, std::addressof(spec.asked)};
    if constexpr (!asks_conditions<G> && Sense) {
        spec.add_guard(bind_guard<Context, Event>(static_cast<G&&>(g), at));
    } else if constexpr (asks_conditions<G> && is_any_group<G, Sense>) {
        condition_group group{true, {}, at};
        conditions.collect<Sense>(group, g);
        spec.add_conditions(static_cast<condition_group&&>(group));
    } else if constexpr (asks_conditions<G> && needs_each<G, Sense>) {
        g.parts.apply(
            [&](auto&... part) { (add_guard<Context, Event, Sense>(spec, static_cast<std::remove_reference_t<decltype(part)>&&>(part), at), ...); });
    } else if constexpr (asks_conditions<G> && is_negation<G>) {
        add_guard<Context, Event, !Sense>(spec, static_cast<decltype(g.part)&&>(g.part), at);
    } else if constexpr (Sense) {
        spec.add_guard(bind_guard<Context, Event>(conditions.found(static_cast<G&&>(g)), at));
    } else {
        spec.add_guard(bind_guard<Context, Event>(conditions.found(negation<G>{static_cast<G&&>(g)}), at));
    }
    return spec;
}

/// Most guards are callables, and a definition can have thousands of guards. So callables take the shortest path through the templates.
template <class Signature> inline constexpr bool is_callable = true;
template <class G> inline constexpr bool is_callable<unreadable<G>> = false;

} // namespace hsm::detail
