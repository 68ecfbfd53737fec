#include <hsm/run/detail/ticker.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>

namespace hsm::detail {

namespace {

/// Reports a pending event that is handled now.
void trace_pending(const machine& m, const chart_core& core, std::size_t slot) {
    const auto number = core.transitions[pending_at(m, core, slot).transition].event;
    const auto event = core.event_at(number, payload_at(m, core, slot));
    trace_event(m, core, event_origin::pending, number, event);
    observation_of(m).event = nullptr;
}

/// Does nothing while a state holds the entry. Otherwise its guards decide whether it fires, and the entry is removed. If a guard throws, it waits
/// again.
void try_pending_at(machine& m, const chart_core& core, std::size_t slot) {
    auto& p = pending_at(m, core, slot);
    const bool is_request = p.kind == pending_slot::request;
    const auto level = is_request ? level_between(core.states, p.source, p.target, false) : core.transitions[p.transition].level;
    if (const auto holder = holder_of(m, core, level, p.target); holder != no_index) return request_leave_for_pending(m, core, holder, slot);
    if (!is_request) m.payload = core.event_at(core.transitions[p.transition].event, payload_at(m, core, slot)).object;
    if (!is_request && core.traced) trace_pending(m, core, slot);
    const bool fires = is_request || is_enabled(m, core, core.transitions[p.transition]);
    if (!fires) trace_dropped(m, core, drop_reason::refused, core.transitions[p.transition].event);
    struct consumed {
        machine& m;
        const chart_core& core;
        std::size_t slot;
        ~consumed() { drop_pending(m, core, slot); }
    };
    {
        const consumed at_scope_end{m, core, slot};
        p.firing = true;
        if (is_request)
            make_request(m, core, p.source, p.target, true);
        else if (fires)
            fire(m, core, core.transitions[p.transition], reason::event);
    }
    run_to_completion(m, core);
}

} // namespace

void try_pending(machine& m, const chart_core& core) {
    for (std::size_t slot = 0; (m.work & work_pending) && !has_ended(m) && slot < slot_count(core); ++slot)
        if (pending_at(m, core, slot).kind != pending_slot::none) try_pending_at(m, core, slot);
    if (core.has_hooks.leave) run_to_completion(m, core);
}

void try_waiting(machine& m, const chart_core& core, index holder) {
    for (std::size_t slot = 0; (m.work & work_waiting) && !has_ended(m) && slot < slot_count(core); ++slot) {
        auto& waiting = waiting_at(m, core, slot);
        const bool its_turn = waiting.holder == no_index || (waiting.holder == holder && !was_exited(m, core, holder)); // not if it was entered again
        if (!waiting.transition || !its_turn) continue;
        const auto& t = core.transitions[waiting.transition - 1];
        waiting = {};
        choose_again(m, core);
        if (t.on_finished && !is_marked_over(m, core, t.source)) continue;
        if (!is_enabled(m, core, t) || (t.any_state && is_satisfied(m, core, t)) || must_wait(m, core, t)) continue;
        fire(m, core, t, reason_of(t));
        run_to_completion(m, core);
    }
    if (core.has_hooks.leave) run_to_completion(m, core);
    if (core.has_holds) holding_of(m, core).updated = no_index;
}

} // namespace hsm::detail
