/// The handle of an observer that is attached: it is attached as long as the handle exists, and the machine.
///
///     auto seen = agent.attach(my_recorder, hsm::record_kind::entered | hsm::record_kind::exited);
///
/// It may outlive the machine, and the machine may be moved. It belongs to the machine's thread. The observer must outlive it.
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
    attachment(observer& to, record_kinds kinds); ///< of nobody yet
    attachment(attachment&& other) noexcept : link_(std::exchange(other.link_, nullptr)) {}
    attachment& operator=(attachment&& other) noexcept {
        std::swap(link_, other.link_);
        return *this;
    }
    ~attachment() { detach(); }

    /// Nothing more is told, also of the call in progress.
    void detach() noexcept;
    explicit operator bool() const { return link_ != nullptr; }
    detail::observer_link* link() const { return link_; }

private:
    detail::observer_link* link_ = nullptr;
};

} // namespace hsm
