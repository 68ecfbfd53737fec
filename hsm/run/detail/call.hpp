/// How a call to a machine begins, ends and fails, and what may be asked meanwhile.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/record.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/vm/detail/active.hpp>

namespace hsm::detail {

void begin_call(machine& m);
/// The next event may go straight to its program, unless there is none to go to, or something is left to be done first.
void end_call(machine& m, const chart_core& core);
/// A hook threw. A stop asked for before still counts; the exception that is told is the first.
void call_failed(machine& m, const chart_core& core, bool was_active = true) noexcept;
/// The hook at machine::at has thrown: what was half entered or left by then is not active.
void recover(machine& m, const chart_core& core) noexcept;

/// Not started, or over: no event is handled.
inline bool is_over(const machine& m) { return m.leaf == no_index || (m.work & work_over); }
/// As that, seen from wherever the call comes from: while the root itself is exchanged nothing is active, but the call in progress goes on.
bool is_inactive(const machine& m, const chart_core& core);
/// Does an on_init or on_destroy hook run?
bool is_outside_life(const machine& m, const chart_core& core);
/// Is it a transition's guard, or a predicate, that runs, or threw?
bool asks_guard(const machine& m, const chart_core& core);
/// The innermost active state, also while a program runs; with regions, in the root's.
inline index where(const machine& m, const chart_core& core) { return region_leaf_now(m, core, 0); }

/// Why what comes next happens.
inline void set_cause(machine& m, const chart_core& core, const cause& why, index level) {
    if (!core.has_hook_context) return;
    auto& context = m.hook_context();
    context.cause = why;
    context.entered = reason::none;
    context.elapsed = 0;
    context.level = level;
}

/// A program that is a part of a larger whole. Afterwards no hook runs.
std::uintptr_t run_part(machine& m, const chart_core& core, program part);

// Of machines that are observed: telling.cpp.
void begin_told_call(machine& m, call_kind call);
void tell_call(const machine& m); ///< of a tick: when its time has passed
void end_told_call(machine& m, std::uint8_t outcome) noexcept;
result end_observed_call(machine& m, result outcome); ///< and throws what an observer has thrown

/// Runs what must not be interrupted by another call from a hook.
template <class Body> result exclusively(machine& m, const chart_core& core, call_kind call, Body body) {
    const bool was_active = m.leaf != no_index;
    begin_call(m);
    if (core.traced) [[unlikely]]
        begin_told_call(m, call);
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

/// A call begins anew: no transition has fired in it so far.
inline void reset_fired(machine& m) { m.state = static_cast<std::uint8_t>(m.state & ~state_fired); }
inline result fired_or_not(const machine& m) { return m.state & state_fired ? result::taken : result::unhandled; }
inline void clear_work(machine& m, int bits) { m.work = static_cast<std::uint8_t>(m.work & ~bits); }

// What a call's key means; throw state_error, condition_error and usage_error.
/// The state that is meant. Written in a hook: as seen from the state of that; null: from outside. Throws state_error.
index require_state(const chart_core& core, const state_key& wanted, const state_base* written_in = nullptr);
/// Where the hook that runs was written.
const state_base& place_of_hook(const machine& m);
const chart_core& require_chart(const chart_base& chart);
std::uint32_t require_condition(const chart_core& core, const condition_key& key);
std::uint32_t require_own_condition(const chart_core& core, const condition_key& key); ///< that may be set

} // namespace hsm::detail
