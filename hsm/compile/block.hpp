/// The memory of an instance behind its head, and where in it everything is.
///
///     [ moment | entry times, by depth | marks, completion due: a bit per state | locals | queues ]
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

/// Destroys the first `count` locals of a state.
void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept;

/// Runs on_change of the machines that the transition that is just complete concerns.
void tell_change(machine& m);

} // namespace hsm
