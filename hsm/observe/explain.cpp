#include <hsm/observe/explain.hpp>

#include <hsm/observe/detail/queries.hpp>
#include <hsm/observe/explain_constant.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {
/// Returns whether the machine is stopped or finished, so that only a start has an effect.
bool does_nothing(const machine& m, const chart_core& core) { return where(m, core) == no_index || (m.work & work_over); }
} // namespace

explanation detail::explain_event(const instance_base& agent, const event_ref& event, explain_options how) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    const auto number = core.find_event(event);
    explanation e{.number = number == no_index ? no_number : number, .chart = chart_view(facts_of(core))};
    if (event.type->is_name) e.hint = calls::suggestion_for(m, event.name);
    if (does_nothing(m, core)) e.outcome = result::inactive;
    if (does_nothing(m, core)) return e;
    machine_probe i(m, how, true);
    m.payload = event.object;
    e.waiting = list_waiting(i, false);
    if (number == no_index && core.on_any_event.empty()) return e;
    event_query q(i, number);
    q.run();
    e.outcome = q.outcome;
    e.candidates = std::move(q.candidates);
    return e;
}

explanation explain(const instance_base& agent, std::string_view event, explain_options how) { return explain_event(agent, refer_name(event), how); }

explanation explain(const instance_base& agent, explain_options how) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    explanation e{.subject = explanation::a_tick, .chart = chart_view(facts_of(core))};
    if (does_nothing(m, core)) e.outcome = result::inactive;
    if (does_nothing(m, core)) return e;
    machine_probe i(m, how, false);
    e.waiting = list_waiting(i, true);
    tick_query q(i);
    q.run();
    e.outcome = q.fires ? result::taken : result::unhandled;
    e.candidates = std::move(q.candidates);
    return e;
}

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
    if (does_nothing(m, core)) return found;
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

void detail::set_clock(instance_base& agent, std::int64_t now) { instance_access::engine_of(agent).now = now; }

void detail::set_due(instance_base& agent, std::uint32_t timer, std::int64_t due, std::int64_t period) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    due_at(m, core, timer) = due;
    if (core.timers[timer].periodic) period_of(m, core, timer) = period;
}

void detail::set_record(instance_base& agent, std::size_t record, std::size_t state) {
    auto& m = instance_access::engine_of(agent);
    record_of(m, core_of(m), record) = static_cast<index>(state);
}

void detail::set_inner_record(instance_base& agent, std::size_t record, std::size_t region, std::size_t leaf) {
    auto& m = instance_access::engine_of(agent);
    region_records_of(m, core_of(m), record)[region] = leaf == 0 ? no_index : static_cast<index>(leaf);
}

void detail::set_local(instance_base& agent, std::size_t local, const void* object) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    const auto& row = core.locals[local];
    auto* const at = m.block + core.layout.locals + row.offset;
    row.type->destroy(at);
    row.type->copy(at, object);
}

void detail::set_waiting(instance_base& agent, std::uint32_t transition) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    wait(m, core, transition, core.transitions[transition].source);
}

void detail::set_pending(instance_base& agent, std::uint32_t transition, const void* event) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    m.payload = event;
    pend(m, core, transition, core.transitions[transition].source);
    m.payload = nullptr;
}

void detail::set_mark(instance_base& agent, std::size_t state, bool over, bool due) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    const auto s = static_cast<index>(state);
    if (!over) return clear_mark(m, core, s);
    mark_over(m, core, s);
    if (!due) clear_due(m, core, s);
}

} // namespace hsm
