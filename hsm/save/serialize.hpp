/// Registers the classes with a `serialize` (archive.hpp) in a definition, before the definition is compiled:
///
///     auto root = hsm::make_fsm<hero>("hero");
///     ...
///     hsm::serializes<combo, hit>(*root);
///
/// Images need `serialize` for locals and events that are not trivially copyable. Documents, hashes and differences also need it for classes with
/// padding, floating-point members, or other bytes that do not determine the value. hsm::check_saveable lists the classes that need `serialize` but
/// have none.
///
/// Restored objects are created before anything changes, and then moved into place. So a class that is not trivially copyable needs a move
/// constructor that does not throw. An event of such a class also needs a default constructor. Restored locals begin as copies of the local's object
/// in the definition.
#pragma once

#include <hsm/define/detail/local.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/save/archive.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace hsm {

namespace detail {

/// Functions that save, create and move objects of a class.
struct value_codec {
    const local_type* local;
    const event_type* event; ///< null if the class is not an event
    void (*serialize)(archive& a, void* value);
    void (*construct)(void* memory);             ///< null if there is no default constructor
    void (*move)(void* to, void* from) noexcept; ///< null if it can throw
    void (*destroy)(void* value) noexcept;
};

template <class T> HSM_HIDDEN void serialize_value(archive& a, void* value) { serialize(a, *static_cast<T*>(value)); }
template <class T> HSM_HIDDEN void construct_value(void* memory) { new (memory) T(); }

template <class T> constexpr value_codec make_codec() {
    value_codec codec{&local_type_of<T>, nullptr, &serialize_value<T>, nullptr, move_of_local<T>(), &destroy_local<T>};
    if constexpr (event_class<T>) codec.event = &event_type_of<T>;
    if constexpr (std::is_default_constructible_v<T>) codec.construct = &construct_value<T>;
    return codec;
}
template <class T> HSM_HIDDEN inline const value_codec codec_of = make_codec<T>();

template <class T> void add_codec_of(state_base& definition) {
    static_assert(std::is_class_v<T> && std::is_same_v<T, std::remove_cv_t<T>>, "hsm: name the class, without const, & and *");
    static_assert(serializable<T>, "hsm: the namespace of this class has no `template <class A> void serialize(A& archive, T& value)`");
    if constexpr (serializable<T>) definition.add_codec(codec_of<T>);
}

/// How contexts are saved.
struct saved_context {
    const type_identity& type;
    const value_codec* codec; ///< null if there is no serialize
};
template <class T> constexpr value_codec make_context_codec() {
    value_codec codec{nullptr, nullptr, &serialize_value<T>, nullptr, move_of_local<T>(), &destroy_local<T>};
    if constexpr (std::is_default_constructible_v<T>) codec.construct = &construct_value<T>;
    return codec;
}
template <class T> HSM_HIDDEN inline constexpr value_codec context_codec_of = make_context_codec<T>();
template <class T> saved_context saved_context_of() {
    if constexpr (serializable<T>)
        return {type_record<T>, &context_codec_of<T>};
    else
        return {type_record<T>, nullptr};
}

} // namespace detail

/// Registers the classes for all states of the definition, including states that are added later.
template <class... T> void serializes(state_base& definition) { (detail::add_codec_of<T>(definition), ...); }

} // namespace hsm
