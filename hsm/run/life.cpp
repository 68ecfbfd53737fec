#include <hsm/run/detail/life.hpp>

#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <exception>

namespace hsm::detail {

namespace {

void begin_ending(machine& m, const chart_core& core) {
    const auto* const previous = m.leaf == no_index ? nullptr : core.states[m.leaf].node;
    set_cause(m, core, {reason::stop, nullptr, nullptr, nullptr, previous}, no_index);
}

/// Runs the on_init hooks, superstates first. If one throws, runs the on_destroy hooks of the states before it.
void initialize(machine& m, const chart_core& core) {
    if (m.state & state_ready) return;
    set_cause(m, core, {reason::start, nullptr, nullptr, nullptr, nullptr}, no_index);
    index s = 0;
    try {
        for (; s < row_count(core.states); ++s) run_part(m, core, core.states[s].hook_programs.init);
    } catch (...) {
        begin_ending(m, core);
        while (s-- > 0) {
            try {
                run_part(m, core, core.states[s].hook_programs.destroy);
            } catch (...) { // the first exception is reported
            }
        }
        throw;
    }
    m.state |= state_ready;
}

/// Starts the machine. The reason is start or restart.
result begin(machine& m, const chart_core& core, reason why, index target = 0) {
    initialize(m, core);
    enter_root(m, core, target, why);
    if (core.has_defers) deferral_of(m, core).recall = false; // no state was active that could have deferred anything
    run_to_completion(m, core);
    trace_configuration(m, core, configuration_reason::start);
    return result::taken;
}

} // namespace

void stop_now(machine& m, const chart_core& core) {
    forget_pending(m, core);
    forget_waiting(m, core);
    forget_just_entered(m, core);
    clear_work(m, ~work_over); // work_over ends with the root
    begin_ending(m, core);
    record_exits(m, core, no_index);
    std::exception_ptr first;
    exit_below(m, core, no_index, &first);
    drop_events(m, core);
    m.work = 0;
    m.shallowest_change = 0;
    trace_configuration(m, core, configuration_reason::stop);
    if (first) std::rethrow_exception(first);
}

result calls::start(machine& m) {
    if (m.leaf != no_index || is_busy(m)) return result::busy;
    notify_input(m, core_of(m), {.kind = input_kind::start});
    return exclusively(m, core_of(m), call_kind::start, [&] { return begin(m, core_of(m), reason::start); });
}

result calls::start(machine& m, const state_key& key) {
    const auto& core = core_of(m);
    if (m.leaf != no_index || is_busy(m)) return result::busy;
    const auto target = require_state(core, key);
    notify_input(m, core, {.kind = input_kind::start, .state = target});
    return exclusively(m, core, call_kind::start, [&] { return begin(m, core, reason::start, target); });
}

result calls::rebind(machine& m, void* root_context) {
    if (is_busy(m)) return result::busy;
    if (!m.chart) return result::inactive; // moved from
    m.context = root_context;
    const auto& core = core_of(m);
    if (core.has_hook_context) m.hook_context().root_context = root_context;
    if (m.at == displaced()) end_call(m, core);
    return result::taken;
}

result calls::stop(machine& m) {
    const auto& core = core_of(m);
    if (is_locked(m)) return result::busy;
    if (is_busy(m) && !is_outside_life(m, core)) {
        m.work |= work_stop;
        return result::queued;
    }
    if (m.leaf == no_index || is_busy(m)) return result::inactive;
    notify_input(m, core, {.kind = input_kind::stop});
    return exclusively(m, core, call_kind::stop, [&] {
        stop_now(m, core);
        return result::taken;
    });
}

result calls::restart(machine& m) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    notify_input(m, core, {.kind = input_kind::restart});
    return exclusively(m, core, call_kind::restart, [&] {
        if (m.leaf != no_index) stop_now(m, core);
        return begin(m, core, reason::restart);
    });
}

/// Runs all hooks, even if one throws, then rethrows the first exception.
result calls::destroy(machine& m) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    if (m.leaf == no_index && !(m.state & state_ready)) return result::inactive;
    notify_input(m, core, {.kind = input_kind::destroy});
    return exclusively(m, core, call_kind::destroy, [&] {
        std::exception_ptr first;
        const auto all_the_same = [&](auto step) {
            try {
                step();
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        };
        if (m.leaf != no_index) all_the_same([&] { stop_now(m, core); });
        begin_ending(m, core);
        const bool initialized = m.state & state_ready;
        m.state = static_cast<std::uint8_t>(m.state & ~state_ready);
        if (initialized)
            for (auto s = core.states.size(); s-- > 0;) all_the_same([&] { run_part(m, core, core.states[s].hook_programs.destroy); });
        reset_clock(m);
        if (first) std::rethrow_exception(first);
        return result::taken;
    });
}

} // namespace hsm::detail
