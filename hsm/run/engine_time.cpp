// The clock of an instance, and what is left on its timers.

#include <hsm/compile/block.hpp>
#include <hsm/run/engine_parts.hpp>

#include <algorithm>
#include <cmath>

namespace hsm {

void engine::pause(bool paused) {
    if (only_looks()) return;
    state = static_cast<std::uint8_t>(paused ? state | state_paused : state & ~state_paused);
}

/// Rounded to whole nanoseconds, in each tick.
std::int64_t engine::scaled(std::int64_t elapsed) const {
    if (state & state_paused) return 0;
    if (!(state & state_scaled)) return elapsed;
    return time_span::from_seconds(static_cast<double>(elapsed) * time_scale() / 1e9).nanoseconds();
}

bool engine::time_left(const transition_spec& spec, std::int64_t& left) const {
    const auto found = std::ranges::find(core().transitions, &spec, &transition_row::spec);
    if (found == core().transitions.end() || found->timer == no_timer || !active(found->source)) return false;
    const auto due = due_at(const_cast<engine&>(*this), core(), found->timer);
    left = due > now ? (time_span::from_nanoseconds(due) - time_span::from_nanoseconds(now)).nanoseconds() : 0;
    return due != never;
}

} // namespace hsm
