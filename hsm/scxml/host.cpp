#include <hsm/scxml/host.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/session_core.hpp>

namespace hsm::detail::scxml {

host_core::host_core(const hsm::scxml::session_limits& limits) : most(limits) {}
host_core::~host_core() = default;

host_core::call_scope::~call_scope() {
    if (outer_) return;
    host_.destroy_ended();
    if (host_.budget.begun) host_.budget.reset();
    host_.in_call = false;
}

void host_core::destroy_later(owned<invoked_session> one) noexcept {
    one->next = std::move(ended);
    ended = std::move(one);
}

void host_core::destroy_ended() noexcept {
    while (ended) {
        auto one = std::move(ended);
        ended = std::move(one->next);
    }
}

void host_core::forget(const session_core& s) {
    std::erase_if(by_id, [&](const auto& known) { return known.second == &s; });
    turns.erase_if([&](const auto* other) { return other == &s; });
}

void host_core::run(std::size_t most_macrosteps) {
    const call_scope call(*this);
    for (std::size_t steps = 0; !turns.empty(); ++steps) {
        if (steps == most_macrosteps)
            throw chain_error({code::chain, (*turns.begin())->invoke_id,
                               fmt::format("documents keep sending events to themselves or to each other ({} events so far)", steps),
                               "send one of these events with a delay"});
        auto& s = *turns.pop();
        s.guarded([&] { s.handle_next(); });
        destroy_ended();
    }
}

} // namespace hsm::detail::scxml

namespace hsm::scxml {

host::host(const session_limits& most) : core_(make_owned<hsm::detail::scxml::host_core>(most)) {}
host::~host() = default;

session_base* host::find(std::string_view session_id) const {
    const auto* const found = core_->find(session_id);
    return found ? &found->face : nullptr;
}

std::size_t host::sessions() const { return core_->by_id.size(); }

result host::run() {
    if (core_->in_call) return result::busy;
    core_->run(session_options().max_macrosteps);
    return result::taken;
}

} // namespace hsm::scxml
