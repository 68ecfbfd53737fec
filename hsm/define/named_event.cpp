#include <hsm/define/named_event.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <string>
#include <utility>

namespace hsm {

namespace {
struct kept_name : detail::name_node {
    explicit kept_name(const detail::name_node& n) : name_node{{}, n.data, 1}, text(n.name) { name = text; }
    std::string text;
};
} // namespace

const detail::name_node* named_event::kept(const detail::name_node* n) {
    if (!n) return nullptr;
    if (!is_shared(*n)) return new kept_name(*n);
    detail::atomic_view(n->users).fetch_add<detail::order::relaxed>(1);
    return n;
}

const detail::name_node* named_event::taken_from(named_event& other) {
    const bool is_own = other.node_ && is_shared(*other.node_); // a node with another owner may be in memory that must not be written
    return is_own ? std::exchange(other.node_, nullptr) : kept(other.node_);
}

void named_event::let_go(const detail::name_node& n) noexcept {
    if (detail::atomic_view(n.users).fetch_sub<detail::order::acquire_release>(1) == 1) delete static_cast<const kept_name*>(&n);
}

const event_data& named_event::no_data() {
    static const event_data none{};
    return none;
}

} // namespace hsm
