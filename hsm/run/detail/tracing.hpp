/// What an observed machine reports about a call, in addition to the reports of its programs.
#pragma once

#include <hsm/op/input.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <memory>

namespace hsm::detail {

/// Attaches an observer, and reports the active states to it; during a call, when the call ends. Throws usage_error (HSM-208) in a guard.
void observe(machine& m, observer_link* link, std::uint32_t agent = 0, std::uint16_t generation = 0);

/// Returns the chart of a machine that has the same observers and another chart; null if it has none. Can throw.
std::unique_ptr<observed_core> observed_like(const machine& from, const chart_core& chart);
/// Exchanges the charts and all data of two machines that are not in a call, and attaches the first one's observers again. `observed` is their chart.
/// Can only throw exceptions of observers, at the end.
void exchange_charts(engine& m, engine& other, std::unique_ptr<observed_core> observed);
/// Notifies the observers of a machine that has a chart of observed_like now. Throws only their exceptions.
void attach_again(machine& m);

/// Undoes the changes of use_traced_row to the machine's ticks, when the last observer is detached.
void undo_traced_row(machine& m) noexcept;

/// Reports the active states. Call it between hooks.
void trace_configuration(const machine& m, const chart_core& core, configuration_reason why);
/// Reports an event that is handled now.
void trace_event(const machine& m, const chart_core& core, event_origin origin, std::uint16_t number, const event_ref& event);
void trace_dropped(const machine& m, const chart_core& core, drop_reason why, std::uint16_t event);
void trace_transition(const machine& m, const chart_core& core, const transition_row* t, reason why, index source, index target);
/// Reports an exception of the hook at machine::at, or of code outside hooks.
void trace_exception(const machine& m, const chart_core& core);
/// Does the same unless the current call has reported an exception already.
void trace_failure(const machine& m, const chart_core& core);
/// Reports a call from outside. Skipped for calls that run a program directly; see observation::by_calls.
inline void notify_input(machine& m, const chart_core& core, const input& what) {
    if (core.observed && !is_busy(m)) [[unlikely]]
        observation_of(m).notify_input(m, what);
}
/// Reports events that have arrived in the mailbox since the last report.
void notify_new_mail(machine& m, const chart_core& core, mailbox_queue& mailbox);
inline void notify_mail(machine& m, const chart_core& core) {
    auto* const mailbox = core.observed && !is_busy(m) ? mail_of(m, core) : nullptr;
    if (mailbox && observation_of(m).by_calls) notify_new_mail(m, core, *mailbox);
}
/// Rethrows the exception of an observer, if no call is in progress.
void rethrow_thrown(const machine& m);

} // namespace hsm::detail
