/// An event that is a name, and what it brings along: what hooks and guards of a transition on a name may take, as `const named_event&`.
///
/// It is for the time of the call: a copy keeps name and data, and may go to another thread.
#pragma once

#include <hsm/define/event_data.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <string_view>

namespace hsm {

namespace detail {

/// On somebody's stack, or in a chart; then whoever keeps it makes a copy with memory of its own, which is shared from then on.
struct name_node {
    std::string_view name;
    event_data data = {};
    mutable std::uint32_t users = 0; ///< 0: it is in memory of somebody else's. Read and written atomically
};

} // namespace detail

class named_event {
public:
    constexpr named_event() = default;
    constexpr explicit named_event(const detail::name_node& n) : node_(std::addressof(n)) {}
    named_event(const named_event& other) : node_(kept(other.node_)) {}
    named_event(named_event&& other) : node_(taken_from(other)) {}
    named_event& operator=(named_event other) noexcept {
        const auto* const old = node_;
        node_ = other.node_;
        other.node_ = old;
        return *this;
    }
    constexpr ~named_event() {
        if (node_ && is_shared(*node_)) let_go(*node_);
    }

    std::string_view name() const { return node_ ? node_->name : std::string_view(); }
    const event_data& data() const { return node_ ? node_->data : no_data(); }

private:
    static bool is_shared(const detail::name_node& n) { return detail::atomic_load<detail::order::relaxed>(n.users) != 0; }
    static const detail::name_node* kept(const detail::name_node* n);
    static const detail::name_node* taken_from(named_event& other);
    static void let_go(const detail::name_node& n) noexcept;
    static const event_data& no_data();

    const detail::name_node* node_ = nullptr;
};

} // namespace hsm
