// One machine becomes what another of the same chart was.

#include <hsm/compile/block.hpp>
#include <hsm/compile/condition_bits.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/queue_head.hpp>

#include <cstring>

namespace hsm {

namespace {

/// visit(local, its place in the block) for those of all active states; until it says no.
template <class Visit> void each_active_local(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        if (!is_active(m, core, static_cast<index>(s))) continue;
        const auto& span = core.states[s].locals;
        for (auto i = span.first; i < span.first + span.count; ++i)
            if (!visit(core.locals[i].prototype->type(), core.layout.locals + core.locals[i].offset)) return;
    }
}

/// Copies those whose move might fail, and moves the others: if one cannot be copied, nothing has changed.
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

/// As far from the clock that it is carried to as it was from the other one; it saturates.
std::int64_t carried(std::int64_t moment, const machine& from, const machine& to) {
    const auto ago = time_span::from_nanoseconds(from.now) - time_span::from_nanoseconds(moment);
    return (time_span::from_nanoseconds(to.now) - ago).nanoseconds();
}

/// Timers stand among the locals.
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

} // namespace

result engine::take_over(engine& from) {
    if (busy() || from.busy() || leaf != no_index) return result::busy;
    if (chart != from.chart || &from == this || from.queued() > 0 || (from.work & work_pending)) return result::refused;
    if ((from.state & state_scaled) && !(state & state_queues)) return result::full;
    from.stamp();
    carry_locals(from, *this, core());
    carry_timers(from, *this, core());
    carry_memory(from);
    if (core().options.entry_times)
        for (std::size_t slot = 0; slot < core().time_slots; ++slot) times()[slot] = carried(times()[slot], from, *this);
    if (from.state & state_scaled) scale_time(from.time_scale());

    constexpr std::uint8_t kept_bits = state_over | state_paused | state_ready;
    leaf = from.leaf;
    work = from.work;
    kept = core().driven || leaf == no_index ? 0 : no_index;
    state = static_cast<std::uint8_t>(state | (from.state & kept_bits) | (has_pulses() ? state_posted : 0));
    if (core().driven) list_regions(*this, core());
    leave();

    from.leaf = no_index;
    from.work = 0;
    from.state = static_cast<std::uint8_t>(from.state & ~(kept_bits | state_scaled | (from.mail() ? 0 : state_posted)));
    if (from.state & state_queues) from.scale_time(1.0);
    from.leave();
    return result::taken;
}

/// All that is plain data; what it was taken from is then as never started.
void engine::carry_memory(engine& from) {
    const auto& layout = core().layout;
    const std::size_t own = core().has_moment ? sizeof(hsm::moment*) : 0; // says where something of the instance's is
    if (layout.front + layout.locals == 0) return;
    const auto here = core().has_defers ? deferral_of(*this, core()) : deferral_head();
    const auto there = core().has_defers ? deferral_of(from, core()) : deferral_head();
    std::memcpy(block - layout.front, from.block - layout.front, layout.front);
    std::memcpy(block + own, from.block + own, layout.locals - own);
    std::memset(from.block - layout.front, 0, layout.front);
    std::memset(from.block + own, 0, layout.locals - own);
    if (core().has_defers) deferral_of(*this, core()) = here;
    if (core().has_defers) deferral_of(from, core()) = there;
    if (core().has_holds) prepare_holding(from, core());
    from.kept = 0;
    if (core().driven)
        for (std::size_t r = 0; r < core().regions.size(); ++r) region_at(from, core(), r) = {nullptr, no_index, no_index};
}

} // namespace hsm
