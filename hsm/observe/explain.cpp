#include <hsm/observe/explain.hpp>

#include <hsm/observe/detail/queries.hpp>
#include <hsm/run/detail/instance_access.hpp>

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
    if (number == no_index) return e;
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

} // namespace hsm
