/// Owns one heap object; move-only. Equivalent to std::unique_ptr, which is not used because <memory> would nearly double the cost of including
/// <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/detail/assert.hpp>

#include <type_traits>
#include <utility>

namespace hsm {

template <class T> class owned {
public:
    owned() = default;
    explicit owned(T* object) noexcept : object_(object) {}
    template <class U>
    requires std::is_convertible_v<U*, T*> owned(owned<U>&& other)
    noexcept : object_(other.release()) {}
    owned(owned&& other) noexcept : object_(other.release()) {}
    owned& operator=(owned&& other) noexcept {
        owned(std::move(other)).swap(*this);
        return *this;
    }
    ~owned() { delete object_; }

    T* get() const noexcept { return object_; }
    /// Call it only if there is an object.
    T* operator->() const noexcept { return HSM_ASSERT(object_), object_; }
    T& operator*() const noexcept { return HSM_ASSERT(object_), *object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    T* release() noexcept { return std::exchange(object_, nullptr); }
    void swap(owned& other) noexcept { std::swap(object_, other.object_); }

private:
    T* object_ = nullptr;
};

template <class T, class... Args> owned<T> make_owned(Args&&... args) { return owned<T>(new T(std::forward<Args>(args)...)); }

} // namespace hsm
