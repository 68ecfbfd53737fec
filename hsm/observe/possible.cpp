#include <hsm/observe/explain.hpp>

#include <hsm/observe/detail/queries.hpp>
#include <hsm/run/detail/instance_access.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {

/// Returns whether only guards that take the event object prevent it.
bool hangs_on_event(const candidate& c) {
    return !c.taken() && std::ranges::all_of(c.obstacles, [](const auto& o) { return o.kind == obstacle_kind::asks_event; });
}

/// Returns whether no state holds the transition.
bool is_free(machine_probe& i, const candidate& c) {
    const auto& t = i.row(c);
    std::vector<obstacle> holders;
    return !i.may_be_held(t) || i.check_holds(holders, t.level, t.target);
}

void add_event(machine_probe& i, std::uint16_t event, std::vector<possibility>& out) {
    event_query q(i, event);
    q.run();
    bool perhaps = false;
    for (const auto& c : q.candidates) {
        const bool hangs = hangs_on_event(c);
        perhaps |= hangs;
        if (hangs ? is_free(i, c) : c.taken()) out.push_back({c.transition, event, perhaps});
    }
}

void add_tick(machine_probe& i, std::vector<possibility>& out) {
    tick_query q(i);
    q.run();
    for (const auto& c : q.candidates)
        if (c.taken()) out.push_back({.transition = c.transition});
}

} // namespace

possibilities possible(const instance_base& agent) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    possibilities found{.chart = chart_view(facts_of(core))};
    if (where(m, core) == no_index || (m.work & work_over)) return found;
    machine_probe i(m, {}, false);
    for (std::uint16_t event = 0; event < row_count(core.events); ++event) {
        i.knows_event = core.events[event].type->is_name;
        m.payload = i.knows_event ? &any_named_event : nullptr;
        add_event(i, event, found.all);
    }
    i.knows_event = false;
    add_tick(i, found.all);
    return found;
}

} // namespace hsm
