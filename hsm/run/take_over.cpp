// Moves the state of one machine to another one of the same chart.

#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/life.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <cstring>

namespace hsm::detail {

namespace {

/// Calls visit(type, offset in the block) for the locals of active states until it returns false.
template <class Visit> void each_active_local(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        if (!is_active(m, core, static_cast<index>(s))) continue;
        const auto& span = core.states[s].locals;
        for (auto i = span.first; i < span.first + span.count; ++i)
            if (!visit(core.locals[i].prototype->type(), core.layout.locals + core.locals[i].offset)) return;
    }
}

/// Copies the locals whose move can throw, then moves the others. If a copy throws, nothing has changed.
void carry_locals(const machine& from, const machine& to, const chart_core& core) {
    std::size_t made = 0;
    try {
        each_active_local(from, core, [&](const local_type& type, std::size_t place) {
            if (!type.move) type.copy(to.block + place, from.block + place);
            return ++made, true;
        });
    } catch (...) {
        each_active_local(from, core, [&](const local_type& type, std::size_t place) {
            if (made == 0) return false;
            if (!type.move) type.destroy(to.block + place);
            return --made > 0;
        });
        throw;
    }
    each_active_local(from, core, [&](const local_type& type, std::size_t place) {
        if (type.move) type.move(to.block + place, from.block + place);
        type.destroy(from.block + place);
        return true;
    });
}

/// Returns the time at the same distance from the clock of `to`; saturates.
std::int64_t carried(std::int64_t time, const machine& from, const machine& to) {
    const auto ago = time_span::from_nanoseconds(from.now) - time_span::from_nanoseconds(time);
    return (time_span::from_nanoseconds(to.now) - ago).nanoseconds();
}

/// Timers are stored among the locals.
void carry_timers(machine& from, machine& to, const chart_core& core) {
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        if (!is_active(from, core, static_cast<index>(s))) continue;
        const auto& span = core.states[s].timers;
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto due = due_at(from, core, i);
            due_at(to, core, i) = due == never ? never : carried(due, from, to);
            if (core.timers[i].periodic) period_of(to, core, i) = period_of(from, core, i);
        }
    }
}

/// Copies the plain data.
void carry_memory(const machine& from, machine& to, const chart_core& core) {
    const auto& layout = core.layout;
    const std::size_t own = core.has_hook_context ? sizeof(hook_context*) : 0; // a pointer into the instance's own memory
    if (layout.front + layout.locals == 0) return;
    const auto here = core.has_defers ? deferral_of(to, core) : deferral_head();
    std::memcpy(to.block - layout.front, from.block - layout.front, layout.front);
    std::memcpy(to.block + own, from.block + own, layout.locals - own);
    if (core.has_defers) deferral_of(to, core) = here;
}

/// Updates the rows of regions for this machine's own chart: one of both machines can be observed.
void end_move(machine& m, configuration_reason why) {
    const auto& core = core_of(m);
    update_region_rows(m, core);
    if (!core.traced) return end_call(m, core);
    begin_traced_call(m, call_kind::take_over);
    trace_configuration(m, core, why);
    end_traced_call(m, static_cast<std::uint8_t>(result::taken));
}

} // namespace

result calls::set_stream(machine& m, std::uint64_t stream) {
    const auto& core = core_of(m);
    if (is_busy(m)) return result::busy;
    if (!core.has_chance) return result::refused;
    chance_of(m, core).stream = stream;
    end_move(m, configuration_reason::take_over);
    return result::taken;
}

result calls::take_over(machine& m, machine& from) {
    const auto& core = core_of(m);
    if (is_busy(m) || is_busy(from) || m.leaf != no_index) return result::busy;
    if (core.owner != core_of(from).owner || &from == &m || queued(from) > 0 || (from.work & work_pending)) return result::refused;
    if ((from.state & state_scaled) && !require_queues(m, core)) return result::full;
    stamp(from, core);
    carry_locals(from, m, core);
    carry_timers(from, m, core);
    carry_memory(from, m, core);
    for (std::size_t i = 0; i < core.cooldowns.size(); ++i)
        cool_at(m, core, i) = cool_until(from, core, i) == 0 ? 0 : carried(cool_at(from, core, i), from, m);
    if (core.options.entry_times)
        for (std::size_t slot = 0; slot < core.time_slots; ++slot) entry_times(m, core)[slot] = carried(entry_times(m, core)[slot], from, m);
    if (from.state & state_scaled) scale_time(m, time_scale(from));

    constexpr std::uint8_t carried_bits = state_paused | state_ready;
    m.leaf = from.leaf;
    m.work = from.work;
    m.shallowest_change = core.by_regions || m.leaf == no_index ? 0 : no_index;
    m.state = static_cast<std::uint8_t>((m.state & ~state_watched) | (from.state & carried_bits) | (has_pulses(m, core) ? state_posted : 0));
    end_move(m, configuration_reason::take_over);

    clear_block(from, core); // as if never started
    reset_clock(from);
    from.state = static_cast<std::uint8_t>(from.state & ~(state_ready | state_watched | (mail_of(from, core) ? 0 : state_posted)));
    end_move(from, configuration_reason::reset);
    rethrow_thrown(m);
    rethrow_thrown(from);
    return result::taken;
}

} // namespace hsm::detail
