/// The memory of an instance behind its head, and where in it everything is.
///
///     [ where the moment is | entry times | marks, completion due, released, ...: a bit per state | regions | records of where machines were left |
///       what waits for states that hold, by level: see holding.hpp | what is deferred | locals and timers | where the queues are | queues ]
///
/// Each part is there only if the chart, or the instance, needs it. In front of the block stands the first word of the conditions (see
/// condition_bits.hpp), and in front of that the moment. An agent of a crowd borrows moment and queues while something is done with it.
#pragma once

#include <hsm/compile/chart_core.hpp>

namespace hsm {

block_layout layout_of(const chart_core& core);

constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

/// A bit per state.
class mark_bits {
public:
    explicit mark_bits(std::byte* words) : words_(reinterpret_cast<std::uint64_t*>(words)) {}
    bool operator[](index s) const { return words_[s / 64] >> (s % 64) & 1; }
    void set(index s) { words_[s / 64] |= std::uint64_t(1) << (s % 64); }
    void clear_all(std::size_t states) {
        for (std::size_t i = 0; i < words_for(states); ++i) words_[i] = 0;
    }
    void clear(index s) { words_[s / 64] &= ~(std::uint64_t(1) << (s % 64)); }

private:
    std::uint64_t* words_;
};

inline mark_bits marks_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.marks); }
inline mark_bits due_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.due); }

inline bool is_marked_over(const machine& m, const chart_core& core, index s) {
    return s == 0 ? (m.state & state_over) != 0 : core.states[s].marked && marks_of(m, core)[s];
}
/// Being over matters for the root, and for states with transitions on completion; it is forgotten for others.
void mark_over(machine& m, const chart_core& core, index s);
void clear_mark(machine& m, const chart_core& core, index s);

/// What the driver of regions knows of one of them.
struct region_state {
    const op* const* row; ///< of its tip: programs by column
    index tip;  ///< its innermost active state, without those in inner regions; no_index: it is not active
    index kept; ///< the least depth of what stayed in it since that was reset
};
struct driver_head {
    const pair_table* pair; ///< of the parallel that is active; null: it has none
    const op* other;      ///< of two programs that are run by turns, where the one that waits goes on
    std::uint32_t handed; ///< what a program has handed over: a transition, or a place in chart_core::remembering
    index reached;        ///< and the state that it has come to
    index step_level;     ///< the innermost state around the step in progress
    enum : std::uint8_t { none, step, turns } moving; ///< whether states are being left and entered, and by what
    bool foresees;        ///< can() is asking guards
    bool siblings;        ///< all regions with a leaf as their tip are of the same parallel
    index leaf_count;     ///< how many regions have a leaf as their tip
    index outer_count;    ///< how many have a parallel
    region_state** list;  ///< the regions whose tips are leaves, and behind them those whose tips are parallels, in the order of definition
};
inline driver_head& driver_of(const machine& m, const chart_core& core) { return *reinterpret_cast<driver_head*>(m.block + core.layout.driver); }
inline region_state& region_at(const machine& m, const chart_core& core, std::size_t region) {
    return reinterpret_cast<region_state*>(m.block + core.layout.regions)[region];
}
inline index tip_of(const machine& m, const chart_core& core, std::size_t region) {
    return region_at(m, core, region).tip;
}
/// Region 0's is the machine's leaf, too.
inline void set_tip(machine& m, const chart_core& core, std::size_t region, index tip) {
    auto& r = region_at(m, core, region);
    r.tip = tip;
    r.row = tip == no_index ? nullptr : core.row_of(tip);
    if (region == 0) m.leaf = tip;
}
/// The row that finds an event's program in what is active.
const op* const* row_of_regions(const machine& m, const chart_core& core);
/// Which of them are active may have changed.
void list_regions(machine& m, const chart_core& core);

/// Between hooks.
inline bool is_active(const machine& m, const chart_core& core, index s) {
    const auto tip = core.driven ? tip_of(m, core, core.states[s].region) : m.leaf;
    return tip != no_index && core.contains(s, tip);
}
/// States that the last step has entered, of those that are transient.
/// Transient states that were entered, and not been tried in vain since: empty but while a chain of transitions goes on.
inline mark_bits fresh_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.fresh); }
inline void forget_fresh(const machine& m, const chart_core& core) {
    if (core.has_transients) fresh_of(m, core).clear_all(core.states.size());
}

/// Where regions are driven: the states that are due, in the order in which they were marked.
struct due_list {
    std::uint32_t count;
    index states[1]; ///< as many as the chart has
};
inline due_list& due_list_of(const machine& m, const chart_core& core) { return *reinterpret_cast<due_list*>(m.block + core.layout.due_list); }
/// It is not due any more: its completion is being tried, or it has been left.
void clear_due(const machine& m, const chart_core& core, index s);

/// A transition that has been chosen to be part of a step.
struct planned {
    const transition_row* transition; ///< null: a request
    index source, target, level;
    index previous; ///< the tip of its region before the step
    reason why;
    bool waits = false; ///< for a state that holds
    bool drops = false; ///< for a deferral, or a transition inside the state that defers
};
/// Of the step in progress, with room for one of each region, and one more.
inline planned* plan_of(const machine& m, const chart_core& core) { return reinterpret_cast<planned*>(m.block + core.layout.plan); }
/// As much room again, for what would be done.
inline planned* prospect_of(const machine& m, const chart_core& core) { return plan_of(m, core) + core.regions.size() + 1; }
/// Which regions have been asked for their transition, and behind that which had one: a bit each; for what is done, and once more for
/// what would be.
inline std::byte* asked_of(const machine& m, const chart_core& core, bool prospect) {
    return m.block + core.layout.asked + (prospect ? 2 * words_for(core.regions.size()) * 8 : 0);
}

/// The event that is being handled, if it is known how its payload is to be kept.
inline const event_ref*& offer_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<const event_ref**>(m.block + core.layout.offer);
}
/// Into memory for the largest payload: as the caller has said, otherwise it is copied. If that throws, nothing has changed.
void keep_payload(const machine& m, const chart_core& core, const event_type& type, void* memory);

/// When a timer is due, on the instance's clock.
inline std::int64_t& due_at(machine& m, const chart_core& core, std::uint32_t timer) {
    return *reinterpret_cast<std::int64_t*>(m.block + core.layout.locals + core.timers[timer].offset);
}
inline std::int64_t& period_of(machine& m, const chart_core& core, std::uint32_t timer) { return *(&due_at(m, core, timer) + 1); }
/// From now on; what is too far away never comes. Negative times count as none, periods as 1 at least.
void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time);

/// Where a machine was left last; 0: nowhere. By its place in chart_core::remembering.
inline index& record_of(const machine& m, const chart_core& core, std::size_t place) {
    return reinterpret_cast<index*>(m.block + core.layout.records)[place];
}
/// Where the regions inside one that remembers were left.
inline index* region_records_of(const machine& m, const chart_core& core, std::size_t place) {
    return reinterpret_cast<index*>(m.block + core.layout.region_records) + core.region_record_at[place];
}
/// Before the first exit of what will leave every state up to, and without, `level`.
void record_exits(machine& m, const chart_core& core, index level);

/// Destroys the first `count` locals of a state.
void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept;

/// Runs on_change of the machines that the transition that is just complete concerns.
void tell_change(machine& m);

} // namespace hsm
