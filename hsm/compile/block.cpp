#include <hsm/compile/block.hpp>

#include <algorithm>

namespace hsm {

block_layout layout_of(const chart_core& core) {
    const auto words = static_cast<std::uint32_t>((core.states.size() + 63) / 64 * 8);
    const auto aligned = [](std::uint32_t at, std::uint32_t alignment) { return (at + alignment - 1) / alignment * alignment; };
    block_layout l;
    l.alignment = std::max({core.block_alignment, core.event_alignment, std::uint32_t(alignof(moment))});
    l.times = core.has_moment ? sizeof(moment) : 0;
    l.marks = l.times + (core.options.entry_times ? 8u * (core.depth + 1u) : 0);
    l.due = l.marks + (core.has_marks ? words : 0);
    l.locals = aligned(l.due + (core.has_marks ? words : 0), core.block_alignment);
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

void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept {
    const auto first = core.states[s].locals.first;
    while (count > 0) {
        const auto& local = core.locals[first + --count];
        local.prototype->type().destroy(m.block + core.layout.locals + local.offset);
    }
}

} // namespace hsm
