/// Refers to the event that a variant holds. The variant's index selects a row of a table, one for each variant type, so that the event is handled
/// without a visit.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

/// The type of one alternative.
struct held_type {
    const event_type* type;
    void (*copy)(void* slot, const event_ref& from); ///< null if it cannot be copied
    void (*move)(void* slot, const event_ref& from); ///< null if it can be neither moved nor copied
};

template <class A> constexpr held_type held_type_of() {
    using event = std::remove_const_t<A>;
    held_type known{&event_type_of<event_identity<event>>, nullptr, nullptr};
    if constexpr (std::is_copy_constructible_v<event>) known.copy = known.move = &copy_event<event>;
    if constexpr (std::is_same_v<A, event> && std::is_move_constructible_v<event>) known.move = &move_event<event>;
    return known;
}

template <class Alternatives> struct held_types;
template <class... A> struct held_types<type_list<A...>> {
    HSM_HIDDEN static constexpr held_type table[] = {held_type_of<A>()...};
    static constexpr bool any_valued = (valued_event<std::remove_const_t<A>> || ...);
    static constexpr bool none_needs_move =
        ((std::is_copy_constructible_v<std::remove_const_t<A>> || !std::is_move_constructible_v<std::remove_const_t<A>>)&&...);
};
template <class V> using held_types_of = held_types<typename variant_traits<V>::alternatives>;

/// Returns false if the variant is valueless by exception.
template <class E> constexpr bool holds_event(const E& e) {
    if constexpr (event_variant<E>)
        return !e.valueless_by_exception();
    else
        return true;
}

// The next functions require a variant that holds an event. `get_if` is found by argument-dependent lookup.

/// All alternatives begin at the same address. The language does not guarantee this, but the optimizer finds it.
template <event_variant V> const void* object_of_event(const V& v) {
    const void* held = nullptr;
    [&]<std::size_t... I>(std::index_sequence<I...>) { (void)((held = get_if<I>(std::addressof(v))) || ...); }
    (typename variant_traits<V>::indices());
    if (!held) HSM_UNREACHABLE();
    return held;
}
template <class E> const void* object_of_event(const E& e) { return std::addressof(e); }

template <event_variant V> const held_type& type_held_by(const V& v) { return held_types_of<V>::table[v.index()]; }

template <event_variant V> std::int64_t value_held_by(const V& v) {
    std::int64_t value = 0;
    if constexpr (held_types_of<V>::any_valued) {
        const auto take = [&](const auto* held) {
            if (held) value = event_value(*held);
            return held != nullptr;
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) { (void)(take(get_if<I>(std::addressof(v))) || ...); }
        (typename variant_traits<V>::indices());
    }
    return value;
}

template <event_variant V> event_ref view_of_event(const V& v) { return {type_held_by(v).type, value_held_by(v), {}, object_of_event(v), nullptr}; }

template <class V>
requires event_variant<V> event_ref refer(V&& v) {
    auto ref = view_of_event(v);
    if constexpr (std::is_lvalue_reference_v<V> || std::is_const_v<std::remove_reference_t<V>>) {
        static_assert(held_types_of<std::remove_cvref_t<V>>::none_needs_move,
                      "hsm: an alternative of this variant cannot be copied: pass the variant with std::move");
        ref.construct = type_held_by(v).copy;
    } else {
        ref.construct = type_held_by(v).move;
    }
    return ref;
}

/// Like refer, for a call that always queues the event.
template <class E> event_ref refer_to_queue(E&& e) {
    constexpr bool waits = can_wait<std::remove_cvref_t<E>>;
    static_assert(waits, "hsm: this event can be neither copied nor moved, so it cannot be queued: handle it with process");
    return refer(std::forward<E>(e));
}

} // namespace hsm::detail
