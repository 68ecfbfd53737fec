#include <hsm/compile/block.hpp>

#include <hsm/compile/holding.hpp>

#include <algorithm>

namespace hsm {

block_layout layout_of(const chart_core& core) {
    const auto words = static_cast<std::uint32_t>((core.states.size() + 63) / 64 * 8);
    const auto aligned = [](std::uint32_t at, std::uint32_t alignment) { return (at + alignment - 1) / alignment * alignment; };
    block_layout l;
    const auto levels = core.has_holds ? core.depth + 2u : 0;
    l.alignment = std::max({core.block_alignment, core.event_alignment, std::uint32_t(alignof(moment))});
    l.times = core.has_moment ? sizeof(moment) : 0;
    l.marks = l.times + (core.options.entry_times ? 8u * (core.depth + 1u) : 0);
    l.due = l.marks + (core.has_marks ? words : 0);
    l.released = l.due + (core.has_marks ? words : 0);
    l.records = l.released + (core.has_holds ? words : 0);
    l.holding = aligned(l.records + std::uint32_t(core.remembering.size() * sizeof(index)), 8);
    l.blocked = l.holding + (core.has_holds ? std::uint32_t(sizeof(holding_head)) : 0);
    l.waiting = l.blocked + (levels + 63) / 64 * 8;
    l.pending = l.waiting + levels * std::uint32_t(sizeof(waiting_slot));
    l.payloads = aligned(l.pending + levels * std::uint32_t(sizeof(pending_slot)), core.event_alignment);
    l.locals = aligned(l.payloads + (levels ? levels + 1 : 0) * payload_stride(core), core.block_alignment);
    l.queues = aligned(l.locals + core.block_size, std::max(core.event_alignment, 8u));
    return l;
}

void mark_over(machine& m, const chart_core& core, index s) {
    if (!core.states[s].marked || is_over(m, core, s)) return;
    m.work |= work_completion;
    if (s == 0) {
        m.state |= state_over;
        return;
    }
    marks_of(m, core).set(s);
    due_of(m, core).set(s);
}

void clear_mark(machine& m, const chart_core& core, index s) {
    if (s == 0) {
        m.state = static_cast<std::uint8_t>(m.state & ~state_over);
    } else if (core.states[s].marked) {
        marks_of(m, core).clear(s);
        due_of(m, core).clear(s);
    }
}

void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time) {
    time = std::max<std::int64_t>(time, core.timers[timer].periodic ? 1 : 0);
    due_at(m, core, timer) = time > never - m.now ? never : m.now + time;
    if (core.timers[timer].periodic) period_of(m, core, timer) = time;
}

void record_exits(machine& m, const chart_core& core, index level) {
    for (std::size_t i = 0; i < core.remembering.size(); ++i) {
        const auto machine = core.remembering[i];
        const bool exits = core.contains(machine, m.leaf) && (level == no_index || core.states[machine].depth > core.states[level].depth);
        if (exits) record_of(m, core, i) = core.recorded(machine, m.leaf);
    }
}

void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept {
    const auto first = core.states[s].locals.first;
    while (count > 0) {
        const auto& local = core.locals[first + --count];
        local.prototype->type().destroy(m.block + core.layout.locals + local.offset);
    }
}

} // namespace hsm
