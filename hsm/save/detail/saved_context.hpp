/// The properties of a context's class that saving needs, collected in users' templates.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/save/serialize.hpp>

#include <type_traits>

namespace hsm::detail {

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

} // namespace hsm::detail
