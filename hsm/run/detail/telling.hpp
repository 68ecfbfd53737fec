/// What an observed machine reports about a call, in addition to the reports of its programs.
#pragma once

#include <hsm/op/input.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/observed.hpp>

namespace hsm::detail {

/// Attaches an observer, and reports the active states to it; during a call, when the call ends. Throws usage_error (HSM-208) in a guard.
void observe(machine& m, observer_link* link, std::uint32_t agent = 0, std::uint16_t generation = 0);

/// Undoes the changes of make_told_ready to the machine's ticks, when the last observer is detached.
void forget_readiness(machine& m) noexcept;

/// Reports the active states. Call it between hooks.
void tell_configuration(const machine& m, const chart_core& core, configuration_reason why);
/// Reports an event that is handled now.
void tell_event(const machine& m, const chart_core& core, event_origin origin, std::uint16_t number, const event_ref& event);
void tell_dropped(const machine& m, const chart_core& core, drop_reason why, std::uint16_t event);
void tell_transition(const machine& m, const chart_core& core, const transition_row* t, reason why, index source, index target);
/// Reports an exception of the hook at machine::at, or of code outside hooks.
void tell_error(const machine& m, const chart_core& core);
/// Reports a call from outside. Skipped for calls that run a program directly; see observation::by_calls.
inline void tell_input(machine& m, const chart_core& core, const input& what) {
    if (core.observed && !is_busy(m)) [[unlikely]]
        observation_of(m).tell_input(m, what);
}
/// Reports events that have arrived in the mailbox since the last report.
void tell_mail(machine& m, const chart_core& core);
/// Rethrows the exception of an observer, if no call is in progress.
void let_thrown_go_on(const machine& m);

} // namespace hsm::detail
