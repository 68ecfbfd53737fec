/// A named event with its data. Hooks and guards of a transition on a name can take it as `const named_event&`.
///
/// The reference is valid during the call. A copy of the event owns the name and data, and can be passed to another thread.
#pragma once

#include <hsm/define/event_data.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <string_view>

namespace hsm {

namespace detail {

/// The name and data of an event, on a stack or in a chart. If a named_event outlives the call, its name_node is on the heap; all copies of this
/// named_event share the node.
struct name_node {
    std::string_view name;
    event_data data = {};
    mutable std::uint32_t users = 0; ///< the number of events that share the node; 0: the node is on a stack or in a chart. Accessed atomically
};

} // namespace detail

class named_event {
public:
    constexpr named_event() = default;
    constexpr explicit named_event(const detail::name_node& n) : node_(std::addressof(n)) {}
    named_event(const named_event& other) : node_(share(other.node_)) {}
    named_event(named_event&& other) : node_(taken_from(other)) {}
    named_event& operator=(named_event other) noexcept {
        const auto* const old = node_;
        node_ = other.node_;
        other.node_ = old;
        return *this;
    }
    constexpr ~named_event() {
        if (node_ && is_shared(*node_)) release(*node_);
    }

    std::string_view name() const { return node_ ? node_->name : std::string_view(); }
    const event_data& data() const { return node_ ? node_->data : no_data(); }

private:
    static bool is_shared(const detail::name_node& n) { return detail::atomic_load<detail::order::relaxed>(n.users) != 0; }
    static const detail::name_node* share(const detail::name_node* n);
    static const detail::name_node* taken_from(named_event& other);
    static void release(const detail::name_node& n) noexcept;
    static const event_data& no_data();

    const detail::name_node* node_ = nullptr;
};

} // namespace hsm
