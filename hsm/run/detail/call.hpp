/// How a call to a machine begins, ends and fails, and how its arguments are resolved.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/record.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/vm/detail/active.hpp>

namespace hsm::detail {

void begin_call(machine& m);
/// Lets the next event run its program directly, unless the machine is inactive, work remains, or the chart does not allow it.
void end_call(machine& m, const chart_core& core);
/// Ends a call in which a hook threw. Carries out a stop that was requested before; exceptions of that stop are ignored.
void call_failed(machine& m, const chart_core& core, bool was_active = true) noexcept;
/// Requires that the hook at machine::at has thrown. A state that was only partly entered or exited becomes inactive.
void recover(machine& m, const chart_core& core) noexcept;

/// Returns whether the machine is not started or has finished. It then handles no event.
inline bool has_ended(const machine& m) { return m.leaf == no_index || (m.work & work_over); }
/// Returns the same for a caller that can be a hook: while a transition exits and enters the root itself, no state is active, but the machine is not
/// inactive.
bool is_inactive(const machine& m, const chart_core& core);
/// Returns whether an on_init or on_destroy hook runs.
bool is_outside_life(const machine& m, const chart_core& core);
/// Returns whether a transition's guard or a predicate runs or has thrown.
bool runs_guard(const machine& m, const chart_core& core);
/// Returns the innermost active state, also while a program runs; with regions, the one of the root's region.
inline index where(const machine& m, const chart_core& core) { return region_leaf_now(m, core, 0); }

/// Sets the cause that hooks see until the next call of this function.
inline void set_cause(machine& m, const chart_core& core, const cause& why, index level) {
    if (!core.has_hook_context) return;
    auto& context = m.hook_context();
    context.cause = why;
    context.entered = reason::none;
    context.elapsed = 0;
    context.level = level;
}

/// Runs a program that is a part of a larger step. Returns its code.
std::uintptr_t run_part(machine& m, const chart_core& core, program part);
/// For a caller that runs the program itself: what follows its end.
void end_part(machine& m, const chart_core& core, std::uintptr_t code);

// Calls of observed machines; in `tracing.cpp`.
void begin_traced_call(machine& m, call_kind call);
void trace_call(const machine& m); ///< reports the beginning of the call; for ticks and updates, after the clock has advanced
void end_traced_call(machine& m, std::uint8_t outcome) noexcept;
result end_observed_call(machine& m, result outcome); ///< also rethrows an observer's exception

/// Runs `body` as a call: during it, calls of hooks to the same machine are queued or return busy.
template <class Body> result exclusively(machine& m, const chart_core& core, call_kind call, Body body) {
    const bool was_active = m.leaf != no_index;
    begin_call(m);
    if (core.traced) [[unlikely]]
        begin_traced_call(m, call);
    result outcome;
    try {
        outcome = body();
    } catch (...) {
        call_failed(m, core, was_active);
        throw;
    }
    if (core_of(m).observed) [[unlikely]]
        return end_observed_call(m, outcome);
    end_call(m, core);
    return outcome;
}

/// Records that no transition has fired in this call.
inline void reset_fired(machine& m) { m.state = static_cast<std::uint8_t>(m.state & ~state_fired); }
inline result fired_or_not(const machine& m) { return m.state & state_fired ? result::taken : result::unhandled; }
inline void clear_work(machine& m, int bits) { m.work = static_cast<std::uint8_t>(m.work & ~bits); }

// These functions resolve the keys of a call. They throw state_error, usage_error or condition_error.
/// Returns the state that a key names, looked up from the state `written_in` outwards; null: from outside the chart.
index require_state(const chart_core& core, const state_key& wanted, const state_base* written_in = nullptr);
/// Returns the number of a tag.
std::size_t require_tag(const chart_core& core, std::string_view name);
/// Returns the state in which the running hook was defined.
const state_base& state_of_hook(const machine& m);
const chart_core& require_chart(const chart_base& chart);
std::uint32_t require_condition(const chart_core& core, const condition_key& key);
std::uint32_t require_trigger(const chart_core& core, const condition_key& key);       ///< rejects other conditions
std::uint32_t require_own_condition(const chart_core& core, const condition_key& key); ///< rejects bit 0

} // namespace hsm::detail
