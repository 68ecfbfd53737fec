/// The times when timers are due, on the instance's clock. They are stored among the locals of their state.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

inline std::int64_t& due_at(const machine& m, const chart_core& core, std::uint32_t timer) {
    return *reinterpret_cast<std::int64_t*>(m.block + core.layout.locals + core.timers[timer].offset);
}
inline std::int64_t& period_of(const machine& m, const chart_core& core, std::uint32_t timer) { return *(&due_at(m, core, timer) + 1); }
/// Returns the time that far in the future; `never` if it is beyond the range.
inline std::int64_t time_after(const machine& m, std::int64_t time) { return time > never - m.now ? never : m.now + time; }
/// Starts the timer from now; a time beyond the range never comes. Negative times count as 0, periods as at least 1.
void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time);
inline bool is_due(const machine& m, std::int64_t due) { return m.now >= due && due != never; }
/// Calls the function that computes a timer's time, outside of programs; see run_alone.
std::int64_t computed_time(machine& m, const chart_core& core, const hook_row& find, index source);
/// Starts it again, one period after it was due, however late it is now.
void arm_again(machine& m, const chart_core& core, std::uint32_t timer);

} // namespace hsm::detail
