/// The memory of an instance behind its head, and where in it everything is.
///
///     [ moment | entry times, by depth | marks, completion due, released: a bit per state | records of where machines were left |
///       what waits for states that hold, by level: see holding.hpp | locals and timers | queues ]
///
/// Each part is there only if the chart, or the instance, needs it.
#pragma once

#include <hsm/compile/chart_core.hpp>

namespace hsm {

block_layout layout_of(const chart_core& core);

/// A bit per state.
class mark_bits {
public:
    explicit mark_bits(std::byte* words) : words_(reinterpret_cast<std::uint64_t*>(words)) {}
    bool operator[](index s) const { return words_[s / 64] >> (s % 64) & 1; }
    void set(index s) { words_[s / 64] |= std::uint64_t(1) << (s % 64); }
    void clear(index s) { words_[s / 64] &= ~(std::uint64_t(1) << (s % 64)); }

private:
    std::uint64_t* words_;
};

inline mark_bits marks_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.marks); }
inline mark_bits due_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.due); }

inline bool is_over(const machine& m, const chart_core& core, index s) {
    return s == 0 ? (m.state & state_over) != 0 : core.states[s].marked && marks_of(m, core)[s];
}
/// Being over matters for the root, and for states with transitions on completion; it is forgotten for others.
void mark_over(machine& m, const chart_core& core, index s);
void clear_mark(machine& m, const chart_core& core, index s);

/// When a timer is due, on the instance's clock.
inline std::int64_t& due_at(machine& m, const chart_core& core, std::uint32_t timer) {
    return *reinterpret_cast<std::int64_t*>(m.block + core.layout.locals + core.timers[timer].offset);
}
inline std::int64_t& period_of(machine& m, const chart_core& core, std::uint32_t timer) { return *(&due_at(m, core, timer) + 1); }
/// From now on; what is too far away never comes. Negative times count as none, periods as 1 at least.
void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time);

/// Where a machine was left last; 0: nowhere. By its place in chart_core::remembering.
inline index& record_of(machine& m, const chart_core& core, std::size_t place) {
    return reinterpret_cast<index*>(m.block + core.layout.records)[place];
}
/// Before the first exit of what will leave every state up to, and without, `level`.
void record_exits(machine& m, const chart_core& core, index level);

/// Destroys the first `count` locals of a state.
void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept;

/// Runs on_change of the machines that the transition that is just complete concerns.
void tell_change(machine& m);

} // namespace hsm
