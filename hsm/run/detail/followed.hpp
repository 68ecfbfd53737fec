/// Pointers to instances, crowds and managers that are updated when these are moved, and become null when they are destroyed.
///
/// The functions that move and destroy them call followed_moved and so on. While nothing is followed, each such call is one comparison.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>

namespace hsm::detail {

/// Follows one object. Any thread can move or destroy the object. Two followers can follow the same object.
class follower {
public:
    /// Allocates. `gone` is called with `self` when the object is destroyed, in that thread. It must not create or destroy followers.
    follower(void* object, void (*gone)(void* self) noexcept, void* self);
    follower(const follower&) = delete;
    follower& operator=(const follower&) = delete;
    ~follower();

    void* get() const { return atomic_load<order::acquire>(object_); } ///< null: the object was destroyed

private:
    friend struct followed_table;
    void* object_;
    void (*gone_)(void* self) noexcept;
    void* self_;
};

extern std::size_t followed_count; ///< followers in this program; changed atomically
void follow_move(void* from, void* to) noexcept;
void follow_exchange(void* a, void* b) noexcept;
void follow_end(void* object) noexcept;

inline bool any_followed() { return atomic_load<order::relaxed>(followed_count) != 0; }
inline void followed_moved(void* from, void* to) noexcept {
    if (any_followed()) [[unlikely]]
        follow_move(from, to);
}
inline void followed_exchanged(void* a, void* b) noexcept {
    if (any_followed()) [[unlikely]]
        follow_exchange(a, b);
}
inline void followed_destroyed(void* object) noexcept {
    if (any_followed()) [[unlikely]]
        follow_end(object);
}

} // namespace hsm::detail
