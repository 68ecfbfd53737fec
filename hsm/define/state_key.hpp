/// Names a state in code: by reference, by path ("attack/slash"), by enumerator (`pose::idle`), or by class (`state_of<attack>()`).
///
/// A key is a view for a call: it must not outlive the string from which it was made.
///
/// The meaning of a name depends on where it is used, never on the active states. In a definition, and in a hook through hsm::step, it is looked up
/// outwards: below the state, then below its superstate, and so on to the root. A path can also begin with the root's name. In calls to an instance,
/// a crowd or a chart, a path begins at the root, with or without the root's name. You can leave out the beginning of a path if no other state's path
/// has the same end. An enumerator or a class can be a target only if exactly one state has it.
#pragma once

#include <hsm/define/detail/type_identity.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/state_ref.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace hsm {

class state_base;
struct transition_spec;

/// An enumerator as a state's identity.
struct enum_id {
    detail::type_tag type = nullptr;
    std::int64_t value = 0;

    explicit operator bool() const { return type != nullptr; }
    friend bool operator==(const enum_id& a, const enum_id& b) { return a.value == b.value && detail::same_tag(a.type, b.type); }
};

template <class E>
requires std::is_enum_v<E>
constexpr enum_id enum_id_of(E e) { return {detail::tag_of<E>(), static_cast<std::int64_t>(e)}; }

/// A class as a state's identity: the class of the node or of one of its locals.
struct class_id {
    detail::type_tag type = nullptr;
    std::string_view name; ///< "game::attack"

    explicit operator bool() const { return type != nullptr; }
};

struct state_key {
    state_key(const state_base& s) : node(std::addressof(s)) {}
    state_key(std::string_view p) : path(p) {}
    state_key(const char* p) : path(p ? p : "") {} ///< null: no state
    state_key(const std::string& p) : path(p) {}
    state_key(state_ref s) : node(s.get()) {} ///< an empty reference names no state
    state_key(class_id c) : by_class(c) {}
    template <class E>
    requires std::is_enum_v<E> state_key(E e) : id(enum_id_of(e)) {}

    const state_base* node = nullptr;
    enum_id id;
    class_id by_class;
    std::string_view path;
};

/// Names all states that were defined with `.tag(name)`: `agent.is_in(hsm::tag("vulnerable"))`. A view, like state_key.
struct tag {
    explicit constexpr tag(std::string_view n) : name(n) {}

    std::string_view name;
};

/// The argument of queries, which can ask for a state or for a tag.
struct state_query : state_key {
    state_query(const tag& t) : state_key(std::string_view()), names_tag(true), tag_name(t.name) {}
    template <class Key>
    requires std::is_convertible_v<const Key&, state_key> state_query(const Key& key) : state_key(key) {}

    bool names_tag = false;
    std::string_view tag_name;
};

/// Names the timer of a transition, by the transition or by its label. A label names the timers of all transitions that have it. A view, like
/// state_key.
struct timer_key {
    template <class T>
        requires requires(const T& t) { t.spec(); }
    timer_key(const T& transition) : spec(std::addressof(transition.spec())) {}
    timer_key(const transition_spec& t) : spec(std::addressof(t)) {}
    timer_key(std::string_view l) : label(l) {}
    timer_key(const char* l) : label(l ? l : "") {} ///< null: no timer
    timer_key(const std::string& l) : label(l) {}

    const transition_spec* spec = nullptr;
    std::string_view label;
};

/// A state_key in a definition, with its source position.
struct target_key : state_key {
    target_key(const char* p, call_site at = {}) : state_key(p), where(at) {}
    template <class Key>
    requires std::is_convertible_v<const Key&, state_key> target_key(const Key& key, call_site at = {}) : state_key(key), where(at) {}

    origin where;
};

/// The name of a new state, with its source position. This is a view: it must not outlive the string from which it was made.
struct state_name {
    state_name(const char* name, call_site at = {}) : text(name ? name : ""), where(at) {}
    template <class Name>
    requires std::is_convertible_v<const Name&, std::string_view> state_name(const Name& name, call_site at = {}) : text(name), where(at) {}

    std::string_view text;
    origin where;
};

/// Names the state that `add<T>(...)` adds: a node of the class T, or a state with a local of the class T.
template <class T>
requires std::is_class_v<T>
constexpr class_id state_of() { return {detail::class_tag_of<T>(), detail::type_name<T>()}; }

/// The result of an update hook that can request a transition from its own state to another: a state, an enumerator, or nothing. Pointers (null:
/// nothing) and optionals of enumerators convert to this type.
struct successor {
    successor() = default;
    successor(const state_base& s) : node(std::addressof(s)) {}
    successor(const state_base* s) : node(s) {}
    template <class E>
    requires std::is_enum_v<E> successor(E e) : id(enum_id_of(e)) {}
    template <class Optional>
    requires requires(const Optional& o) {
        o.has_value();
    } && std::is_enum_v<std::remove_cvref_t<decltype(*std::declval<const Optional&>())>> successor(const Optional& o) {
        if (o.has_value()) id = enum_id_of(*o);
    }

    explicit operator bool() const { return node != nullptr || id; }

    const state_base* node = nullptr;
    enum_id id;
};

} // namespace hsm
