/// What an observed machine tells of a call, beside what its programs tell.
#pragma once

#include <hsm/op/input.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/observed.hpp>

namespace hsm::detail {

/// Attaches an observer: from the next call on, or, while none is in progress, at once. It is first told what is active. Throws usage_error
/// (HSM-208) in a guard.
void observe(machine& m, observer_link* link, std::uint32_t agent = 0, std::uint16_t generation = 0);

/// It is not observed any more: what make_told_ready has done to its ticks.
void forget_readiness(machine& m) noexcept;

/// What is active, between hooks.
void tell_configuration(const machine& m, const chart_core& core, configuration_reason why);
/// It comes from there, and is handled now.
void tell_event(const machine& m, const chart_core& core, event_origin origin, std::uint16_t number, const event_ref& event);
void tell_dropped(const machine& m, const chart_core& core, drop_reason why, std::uint16_t event);
void tell_transition(const machine& m, const chart_core& core, const transition_row* t, reason why, index source, index target);
/// The hook at machine::at has thrown; or something else, in none of them.
void tell_error(const machine& m, const chart_core& core);
/// A call from outside begins. Only where it does not go straight to a program: see observation::by_calls.
inline void tell_input(machine& m, const chart_core& core, const input& what) {
    if (core.observed && !is_busy(m)) [[unlikely]]
        observation_of(m).tell_input(m, what);
}
/// The same of what has arrived in its mailbox and has not been told yet.
void tell_mail(machine& m, const chart_core& core);
/// While nothing is in progress: what an observer has thrown meanwhile goes on.
void let_thrown_go_on(const machine& m);

} // namespace hsm::detail
