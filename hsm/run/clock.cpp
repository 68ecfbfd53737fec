#include <hsm/run/detail/life.hpp>

#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <limits>

namespace hsm::detail {

namespace {

constexpr auto latest = never;

/// Returns the time by which the clock advances, rounded to whole nanoseconds in each tick.
std::int64_t scaled(const machine& m, std::int64_t elapsed) {
    if (m.state & state_paused) return 0;
    if (!(m.state & state_scaled)) return elapsed;
    return time_span::from_seconds(static_cast<double>(elapsed) * calls::time_scale(m) / 1e9).nanoseconds();
}

} // namespace

std::int64_t* entry_times(const machine& m, const chart_core& core) { return reinterpret_cast<std::int64_t*>(m.block + core.layout.times); }

void stamp(machine& m, const chart_core& core) {
    if (core.by_regions) return;
    if (core.options.entry_times && m.leaf != no_index)
        for (int depth = m.shallowest_change; depth <= core.states[m.leaf].depth; ++depth) entry_times(m, core)[depth] = m.now;
    m.shallowest_change = no_index;
    if (!core.idle_tests.empty() && m.leaf != no_index) watch(m, core);
}

void advance(machine& m, const chart_core& core, std::int64_t elapsed) {
    stamp(m, core);
    elapsed = scaled(m, elapsed);
    m.now = elapsed > latest - m.now ? latest : m.now + elapsed;
    if (core.has_hook_context) m.hook_context().tick_elapsed = elapsed;
}

void reset_clock(machine& m) noexcept {
    if (m.state & state_scaled) queues_of(m, core_of(m))->time_scale = 1.0;
    m.state = static_cast<std::uint8_t>(m.state & ~(state_paused | state_scaled));
}

void calls::pause(machine& m, bool paused) {
    if (is_locked(m)) return;
    notify_input(m, core_of(m), {.kind = paused ? input_kind::pause : input_kind::resume});
    m.state = static_cast<std::uint8_t>(paused ? m.state | state_paused : m.state & ~state_paused);
}

double calls::time_scale(const machine& m) { return m.state & state_scaled ? queues_of(m, core_of(m))->time_scale : 1.0; }

result calls::scale_time(machine& m, double factor) {
    if (is_locked(m)) return result::busy;
    if (!(factor >= 0 && factor <= std::numeric_limits<double>::max())) return result::refused;
    auto* const queues = factor == 1.0 ? queues_of(m, core_of(m)) : require_queues(m, core_of(m));
    notify_input(m, core_of(m), {.kind = input_kind::time_scale, .factor = factor});
    if (!queues) return factor == 1.0 ? result::taken : result::full;
    queues->time_scale = factor;
    m.state = static_cast<std::uint8_t>(factor == 1.0 ? m.state & ~state_scaled : m.state | state_scaled);
    return result::taken;
}

bool calls::time_left(const machine& m, const transition_spec& spec, std::int64_t& left) {
    const auto& core = core_of(m);
    const auto found = std::ranges::find(core.transitions, &spec, &transition_row::spec);
    if (found == core.transitions.end() || found->timer == no_timer || !is_active_now(m, core, found->source)) return false;
    const auto due = due_at(m, core, found->timer);
    left = due > m.now ? (time_span::from_nanoseconds(due) - time_span::from_nanoseconds(m.now)).nanoseconds() : 0;
    return due != never;
}

} // namespace hsm::detail
