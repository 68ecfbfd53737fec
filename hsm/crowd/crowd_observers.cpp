// The observers of agents. An observed agent has a spilled state, which stores its observers, so the loops over many agents do not include it.

#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/tracing.hpp>

namespace hsm {

namespace detail {

void agent_slot::observe(observer_link* link) {
    hsm::detail::observe(engine_, link, page_->first + slot_, static_cast<std::uint16_t>(page_->generation(slot_)));
}

void crowd_core::attach(agent_id id, observer_link* link) {
    auto& s = load(id);
    try {
        s.observe(link);
    } catch (...) {
        store(s);
        throw;
    }
    store(s);
}

void crowd_core::attach_to_all(observer_link* link) {
    std::erase_if(observers_, [](observer_link* each) { return each->to ? false : (end_use(each), true); });
    observers_.push_back(link);
    begin_use(link);
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; slot < p->used; ++slot)
            if (const auto id = id_at(p->first + slot)) attach(id, link);
}

void crowd_core::observe_newcomer(agent_slot& s) {
    for (auto* const link : observers_)
        if (link->to) s.observe(link);
}

} // namespace detail

attachment crowd_base::attach(agent_id id, observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    core_->attach(id, handle.link());
    return handle;
}
attachment crowd_base::attach(agent_id id, observer& to) { return attach(id, to, record_kinds::all()); }

attachment crowd_base::attach(observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    core_->attach_to_all(handle.link());
    return handle;
}
attachment crowd_base::attach(observer& to) { return attach(to, record_kinds::all()); }

} // namespace hsm
