/// Events: an object of any class (the payload), an enumerator, a byte, or a name with optional data (named_event.hpp).
///
/// An `event_key` identifies the events that a transition waits for. An `event_ref` is one occurrence of an event: a view of the caller's object. It
/// must not outlive this object. Queues copy or move the object into their own slots.
#pragma once

#include <hsm/define/detail/type_identity.hpp>
#include <hsm/define/detail/variant_traits.hpp>
#include <hsm/define/named_event.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

struct event_type : detail::type_identity {
    bool is_name;                                 ///< the event is only a name, without a user type
    void (*destroy)(void* object) noexcept;       ///< null: nothing to destroy
    void (*store)(void* slot, const void* object); ///< copies the object, or moves it if it cannot be copied; null: neither is possible
    void (*move)(void* slot, const void* object); ///< moves the object, or copies it if it cannot be moved; null: neither is possible
    std::string (*describe)(const void* object);  ///< null if no description function is declared
    std::int64_t (*value)(const void* object);    ///< returns the value of an enumerator or a byte; null for other types
    void destroy_at(void* object) const noexcept {
        if (destroy) destroy(object);
    }
    mutable std::uint32_t id = 0; ///< set by the first chart that waits for the event; types of two modules can have the same id. Accessed atomically
};

namespace detail {
/// The object of an event that is only a name.
inline constexpr named_event any_named_event{};

template <class E> HSM_HIDDEN void destroy_event(void* object) noexcept { static_cast<E*>(object)->~E(); }
template <class E> constexpr auto how_to_destroy() -> void (*)(void*) noexcept {
    if constexpr (std::is_trivially_destructible_v<E> || !std::is_destructible_v<E>)
        return nullptr;
    else
        return &destroy_event<E>;
}

/// Returns a function that calls the user's `std::string describe(const E&)`, which is declared next to the event; null if there is none.
template <class E> constexpr auto how_to_describe() -> std::string (*)(const void*) {
    if constexpr (requires(const E& e) { std::string(describe(e)); })
        return [](const void* object) { return std::string(describe(*static_cast<const E*>(object))); };
    else
        return nullptr;
}

template <class E> constexpr auto how_to_value() -> std::int64_t (*)(const void*) {
    if constexpr (std::is_enum_v<E> || std::is_same_v<E, unsigned char>)
        return [](const void* object) { return static_cast<std::int64_t>(*static_cast<const E*>(object)); };
    else
        return nullptr;
}

template <class E> HSM_HIDDEN void store_event(void* slot, const void* object) {
    if constexpr (std::is_copy_constructible_v<E>)
        new (slot) E(*static_cast<const E*>(object));
    else
        new (slot) E(std::move(*const_cast<E*>(static_cast<const E*>(object)))); // the caller passed an rvalue
}

template <class E> HSM_HIDDEN void carry_event(void* slot, const void* object) {
    if constexpr (std::is_move_constructible_v<E>)
        new (slot) E(std::move(*const_cast<E*>(static_cast<const E*>(object))));
    else
        new (slot) E(*static_cast<const E*>(object));
}

/// True if events of type E can be queued.
template <class E> inline constexpr bool can_wait = std::is_copy_constructible_v<E> || std::is_move_constructible_v<E>;

using store_function = void (*)(void* slot, const void* object);
template <class E> constexpr store_function how_to_store() {
    if constexpr (can_wait<E>)
        return &store_event<E>;
    else
        return nullptr;
}
template <class E> constexpr store_function how_to_move() {
    if constexpr (can_wait<E>)
        return &carry_event<E>;
    else
        return nullptr;
}
} // namespace detail

template <class E>
HSM_HIDDEN inline const event_type event_type_of{detail::identity_of<E>(), std::is_same_v<E, named_event>, detail::how_to_destroy<E>(),
                                                 detail::how_to_store<E>(), detail::how_to_move<E>(),       detail::how_to_describe<E>(),
                                                 detail::how_to_value<E>()};

/// A char, signed char, unsigned char or char8_t. These four types are one event type, with the values 0 to 255.
template <class E>
concept byte_event = std::is_same_v<E, char> || std::is_same_v<E, signed char> || std::is_same_v<E, unsigned char> || std::is_same_v<E, char8_t>;
/// A type with a separate event for each value.
template <class E>
concept valued_event = std::is_enum_v<E> || byte_event<E>;

/// The type of any_event.
struct any_event_type {};
/// `.on(hsm::any_event)` waits for all events that no other transition takes and no state defers. any_event itself is not an event.
inline constexpr any_event_type any_event{};

namespace detail {
/// A class that `.on<E>()` can name. Variants are excluded, because transitions wait for their alternatives.
template <class E>
concept event_class = std::is_class_v<E> && !is_variant<E> && !std::is_same_v<E, any_event_type>;
template <class E> inline constexpr bool is_single_event = (event_class<E> || valued_event<E>)&&!std::is_convertible_v<const E&, std::string_view>;
template <class Alternatives> inline constexpr bool are_single_events = false;
template <class... A> inline constexpr bool are_single_events<type_list<A...>> = (is_single_event<std::remove_const_t<A>> && ...);
} // namespace detail

/// A std::variant of events. Such a variant acts as the event that it holds.
template <class V>
concept event_variant = detail::is_variant<V> && detail::are_single_events<typename detail::variant_traits<std::remove_cvref_t<V>>::alternatives>;
/// Classes, enumerations and bytes are events. A type that converts to a string is the name of an event instead.
template <class E>
concept event_object = detail::is_single_event<std::remove_cvref_t<E>> || event_variant<E>;

namespace detail {
template <class E>
concept no_event_object = !event_object<E> && !std::is_convertible_v<const std::remove_cvref_t<E>&, std::string_view>;
template <class E> inline constexpr bool can_be_an_event = false;
template <class E> constexpr void refuse_event() {
    if constexpr (is_variant<E>)
        static_assert(can_be_an_event<E>,
                      "hsm: a variant is treated as the event that it holds: each alternative must be a class, an enumeration or a "
                      "byte, not a variant, a number or text");
    else
        static_assert(can_be_an_event<E>,
                      "hsm: this is not an event: an event is an object of a class, an enumerator, a byte (char, unsigned char), or a name");
}
template <class E>
concept no_event_type = !event_class<E>;
template <class E> constexpr void refuse_event_type() {
    if constexpr (is_variant<E>)
        static_assert(can_be_an_event<E>,
                      "hsm: a variant is treated as the event that it holds: wait for that event, or derive a class from the variant");
    else if constexpr (std::is_enum_v<E>)
        static_assert(can_be_an_event<E>, "hsm: name a value of the enumeration: on<input::jump>() or on(input::jump)");
    else
        static_assert(can_be_an_event<E>, "hsm: this type is not an event: an event is a class (without const, & and *), an enumerator or a name");
}
/// Refuses a list in braces, as in `on({"a", "b"})`, which would otherwise build one name from two pointers.
template <class E> constexpr void refuse_event_list() {
    static_assert(can_be_an_event<E>, "hsm: a list in braces is not an event: write on(hsm::any(\"a\", \"b\")) for several names or values");
}
} // namespace detail

/// The values from first to last, inclusive. The default is all values.
struct event_interval {
    std::int64_t first = -INT64_MAX - 1; // g++ cannot compare INT64_MIN in constants with -fsanitize=signed-integer-overflow
    std::int64_t last = INT64_MAX;

    friend constexpr bool operator==(const event_interval&, const event_interval&) = default;
};

/// A name, or all names with a prefix: see event_names.hpp.
struct name_pattern {
    std::string text;    ///< a name, or a prefix without the dot after it; an empty prefix matches all names
    bool prefix = false; ///< matches `text` itself, and names in which a dot follows it

    bool matches(std::string_view name) const {
        if (!prefix || !name.starts_with(text)) return name == text;
        return text.empty() || name.size() == text.size() || name[text.size()] == '.';
    }
    friend bool operator==(const name_pattern&, const name_pattern&) = default;
};

struct event_key {
    const event_type* type = nullptr;        ///< null: no event; the transition is polled
    std::int64_t value = 0;                  ///< the value of an enumerator or a byte
    std::string name;                        ///< for output; it also identifies a named event
    std::vector<event_interval> values = {}; ///< the values of several events (event_range.hpp); otherwise empty
    bool others = false;                     ///< all events that no other transition of the state waits for
    std::vector<name_pattern> names = {};    ///< the names of several named events (event_names.hpp); otherwise empty

    explicit operator bool() const { return type != nullptr; }
    friend bool operator==(const event_key& a, const event_key& b) {
        return a.value == b.value && detail::same_tag(a.type, b.type) && (!a.type || !a.type->is_name || a.name == b.name) && a.values == b.values &&
               a.others == b.others && a.names == b.names;
    }
};

struct event_ref {
    const event_type* type = nullptr;
    std::int64_t value = 0;                                         ///< the value of an enumerator or a byte
    std::string_view name; ///< the name of a named event
    const void* object = nullptr;                                   ///< the payload; for a named event, a named_event or null
    void (*construct)(void* slot, const event_ref& from) = nullptr; ///< moves or copies the payload into a slot; null: no payload, or not possible
};

namespace detail {

/// The type that identifies the event.
template <class E> struct event_identity_of { using type = E; };
template <byte_event E> struct event_identity_of<E> { using type = unsigned char; };
template <class E> using event_identity = typename event_identity_of<E>::type;

template <class E> constexpr std::int64_t event_value(const E& e) {
    if constexpr (valued_event<E>)
        return static_cast<std::int64_t>(static_cast<event_identity<E>>(e));
    else
        return 0;
}

template <class E> void copy_event(void* slot, const event_ref& from) { new (slot) E(*static_cast<const E*>(from.object)); }

template <class E> void move_event(void* slot, const event_ref& from) {
    new (slot) E(std::move(*const_cast<E*>(static_cast<const E*>(from.object))));
}

/// Returns a view of the caller's object. This view cannot be queued.
template <class E> event_ref view_of_event(const E& e) { return {&event_type_of<event_identity<E>>, event_value(e), {}, std::addressof(e), nullptr}; }

/// Returns a view of the caller's object. When the event is queued, an rvalue is moved and an lvalue is copied. An object that can be neither moved
/// nor copied cannot be queued.
template <class E> event_ref refer(E&& e) {
    using type = std::remove_cvref_t<E>;
    auto ref = view_of_event<type>(e);
    constexpr bool stays = std::is_lvalue_reference_v<E> || std::is_const_v<std::remove_reference_t<E>>;
    constexpr bool fits = !stays || std::is_copy_constructible_v<type> || !std::is_move_constructible_v<type>;
    static_assert(fits, "hsm: this event cannot be copied: pass it with std::move");
    if constexpr (!stays && std::is_move_constructible_v<type>)
        ref.construct = &move_event<type>;
    else if constexpr (std::is_copy_constructible_v<type>)
        ref.construct = &copy_event<type>;
    return ref;
}

/// A view of a named event, including its data. Construct it as an argument of a call; it is valid until the call returns.
class refer_name {
public:
    explicit refer_name(std::string_view name) : refer_name(name, {}) {}
    refer_name(std::string_view name, event_data data) : node_{name, static_cast<event_data&&>(data)}, event_(node_) {
        if (node_.data) ref_.construct = &copy_event<named_event>;
    }
    refer_name(const refer_name&) = delete;
    operator const event_ref&() const { return ref_; }

private:
    name_node node_;
    named_event event_;
    event_ref ref_{&event_type_of<named_event>, 0, node_.name, std::addressof(event_), nullptr};
};

template <class E> event_key key_of_type() { return {&event_type_of<E>, 0, std::string(unqualified(type_name<E>()))}; }
inline event_key key_of_any_event() { return {&event_type_of<any_event_type>, 0, "any_event"}; }
inline bool is_any_event(const event_key& key) { return same_tag(key.type, &event_type_of<any_event_type>); }
inline event_key key_of_name(std::string_view name) { return {&event_type_of<named_event>, 0, std::string(name)}; }

/// Returns a key with the enumerator's name if the compiler provides it, otherwise with a text such as `button(3)`.
event_key key_of_value(const event_type& type, std::int64_t value);
template <class E> event_key key_of_value(E e) { return key_of_value(event_type_of<event_identity<E>>, event_value(e)); }
event_key key_of_names(std::vector<name_pattern> names);
/// Returns a key of several events. Its name lists the first and last value of each interval.
event_key key_of_intervals(const event_type& type, std::vector<event_interval> intervals, bool others);

} // namespace detail

} // namespace hsm
