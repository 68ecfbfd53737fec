/// The handle of an attached observer. The observer stays attached while both the handle and the machine exist.
///
///     auto seen = agent.attach(my_recorder, hsm::record_kind::entered | hsm::record_kind::exited);
///
/// The handle can outlive the machine, and the machine can be moved. Use the handle only in the machine's thread. The observer must outlive the
/// handle.
#pragma once

#include <hsm/op/observer.hpp>

#include <utility>

namespace hsm {

namespace detail {
struct observer_link;
}

class [[nodiscard]] attachment {
public:
    attachment() = default;
    attachment(observer& to, record_kinds kinds); ///< creates a detached handle; instance_base::attach attaches the observer
    attachment(attachment&& other) noexcept : link_(std::exchange(other.link_, nullptr)) {}
    attachment& operator=(attachment&& other) noexcept {
        std::swap(link_, other.link_);
        return *this;
    }
    ~attachment() { detach(); }

    /// Ends the notifications, even in the middle of a call. Does nothing if the handle is empty.
    void detach() noexcept;
    explicit operator bool() const { return link_ != nullptr; }
    detail::observer_link* link() const { return link_; }

private:
    detail::observer_link* link_ = nullptr;
};

} // namespace hsm
