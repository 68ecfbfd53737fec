/// Locals: data of one instance that lives as long as its state is active, in the instance's memory. Each activation starts with a copy of the
/// prototype from the definition.
#pragma once

#include <hsm/define/detail/owned_text.hpp>
#include <hsm/define/detail/type_identity.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hsm::detail {

struct local_type : type_identity {
    void (*copy)(void* to, const void* prototype);
    void (*move)(void* to, void* from) noexcept; ///< null if a move can throw
    void (*destroy)(void* object) noexcept;
    void (*release)(const void* prototype) noexcept; ///< deletes the prototype itself
    const void* (*clone)(const void* prototype);
    type_tag tag; ///< like the class of a state
};

template <class T> HSM_HIDDEN void copy_local([[maybe_unused]] void* to, [[maybe_unused]] const void* from) {
    if constexpr (std::is_copy_constructible_v<T>) new (to) T(*static_cast<const T*>(from)); // `local` requires it
}
template <class T> HSM_HIDDEN void move_local(void* to, void* from) noexcept { new (to) T(static_cast<T&&>(*static_cast<T*>(from))); }
template <class T> constexpr auto move_of_local() -> void (*)(void*, void*) noexcept {
    if constexpr (std::is_nothrow_move_constructible_v<T>) return &move_local<T>;
    return nullptr;
}
template <class T> HSM_HIDDEN void destroy_local(void* object) noexcept { static_cast<T*>(object)->~T(); }
template <class T> HSM_HIDDEN const void* clone_local([[maybe_unused]] const void* prototype) {
    if constexpr (std::is_copy_constructible_v<T>) return new T(*static_cast<const T*>(prototype));
    return nullptr;
}
template <class T> HSM_HIDDEN void delete_prototype(const void* prototype) noexcept { delete static_cast<const T*>(prototype); }
template <class T>
HSM_HIDDEN inline constexpr local_type local_type_of{detail::identity_of<T>(),  &detail::copy_local<T>,       detail::move_of_local<T>(),
                                                     &detail::destroy_local<T>, &detail::delete_prototype<T>, &detail::clone_local<T>,
                                                     class_tag_of<T>()};

/// One local of one state: its type and the object that activations are copied from.
class local_prototype {
public:
    /// Constructs the object in place, because compilers pass overaligned classes by value in different ways.
    template <class T, class... Args> static local_prototype of(Args&&... args) { return {local_type_of<T>, new T{std::forward<Args>(args)...}}; }
    /// For a type described at run time. Both type and object must outlive all users of the local.
    static local_prototype of_type(const local_type& type, const void* object) { return {type, object}; }
    local_prototype(local_prototype&& other) noexcept
        : type_(other.type_), object_(std::exchange(other.object_, nullptr)), name_(std::move(other.name_)) {}
    local_prototype& operator=(local_prototype&&) = delete;
    ~local_prototype() {
        if (object_) type_->release(object_);
    }

    const local_type& type() const { return *type_; }
    const void* object() const { return object_; }
    /// Returns a copy, for another state.
    local_prototype duplicate() const { return {*type_, type_->clone(object_)}; }

    /// Returns the name by which it is registered; empty if it has none.
    std::string_view name() const { return name_.view(); }
    void set_name(std::string_view name) { name_ = shared_name(name); }
    void set_name(shared_name name) { name_ = std::move(name); }

private:
    local_prototype(const local_type& type, const void* object) : type_(std::addressof(type)), object_(object) {}

    const local_type* type_;
    const void* object_;
    shared_name name_;
};

} // namespace hsm::detail
