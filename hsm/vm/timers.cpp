#include <hsm/vm/detail/timers.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <algorithm>

namespace hsm::detail {

void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time) {
    time = std::max<std::int64_t>(time, core.timers[timer].periodic ? 1 : 0);
    due_at(m, core, timer) = time_after(m, time);
    if (core.timers[timer].periodic) period_of(m, core, timer) = time;
}

std::int64_t computed_time(machine& m, const chart_core& core, const hook_row& find, index source) {
    const op alone[] = {{find.call, {.self = find.self}}, {&ops::end, {.target = end_with(result::taken)}}};
    run_alone(m, core, find, alone, source);
    return m.hook_context().delay;
}

void arm_again(machine& m, const chart_core& core, std::uint32_t timer) {
    const auto period = period_of(m, core, timer);
    auto& due = due_at(m, core, timer);
    due = due > never - period ? never : due + period; // it can be before the beginning of the clock: see take_over
}

} // namespace hsm::detail
