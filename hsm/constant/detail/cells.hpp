/// The programs of a constant chart as functions. The compiler generates one function for each program from the tables.
#pragma once

#include <hsm/constant/detail/chain.hpp>
#include <hsm/constant/detail/queue.hpp>
#include <hsm/constant/detail/rows.hpp>
#include <hsm/define/detail/constant_place.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/op/result.hpp>
#include <hsm/vm/detail/chance.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace hsm {

struct event_ref;

/// The observer parameter of `constant_instance` without an observer: see observed_instance.hpp.
struct unobserved {};

namespace detail {

/// The chart with programs that report records to that observer. Defined in observed_instance.hpp.
template <class Chart, class Observer> struct observed_constant_chart;

template <class Chart, class Observer> struct constant_chart_for { using type = observed_constant_chart<Chart, Observer>; };
template <class Chart> struct constant_chart_for<Chart, unobserved> { using type = Chart; };

template <class Core, class O>
concept observed_by = requires {
    typename Core::observer_type;
    requires std::is_convertible_v<O*, typename Core::observer_type*>;
};

/// The data that a running constant chart stores for its observer. Empty without one.
template <class Chart> struct constant_tracer {};

/// Reports the records at the begin and end of a call. Does nothing without an observer.
template <class Core> struct traced_call {
    HSM_ALWAYS_INLINE explicit traced_call(Core&, call_kind) {}
    HSM_ALWAYS_INLINE result ends(result outcome) const { return outcome; }
};

} // namespace detail

} // namespace hsm

namespace hsm::detail {

enum constant_work : std::uint8_t {
    constant_busy = 1,   ///< a hook may be running
    constant_queued = 2, ///< an event is queued
    constant_stop = 4,   ///< stop() was called in a hook
    constant_fired = 8,  ///< a transition fired, and the `.always()` transitions have not been tried yet, or deferred events not been recalled
    constant_recall = 16, ///< a transition with a target fired since deferred events were recalled
    constant_waits = 32,  ///< a polled transition waits for a state that holds
    constant_pends = 64,  ///< an event does
    constant_ready = 128, ///< the on_init hooks have run
};

/// The last choice by score or chance. Empty if the chart has none.
template <class Chart, bool Chooses = (Chart::size.candidates > 0)> struct constant_chooser {};
template <class Chart> struct constant_chooser<Chart, true> {
    double values[Chart::size.candidates] = {}; ///< 0: the candidate cannot be chosen
    double score = 0;                           ///< the last one
    bool offered = false;                       ///< a candidate can be chosen
    std::uint32_t picked = none_picked;
    chance_head chance = {0, 0, 0};
};

/// The values of the conditions. Empty if the chart has none.
template <class Chart, bool Has = (Chart::size.conditions > 0)> struct constant_bits {};
template <class Chart> struct constant_bits<Chart, true> { std::uint64_t bits = 0; };

/// The conditions that are pulses, and those that end with the current tick. Empty unless the chart has pulses.
template <class Chart, bool Has = Chart::size.pulses> struct constant_pulses {};
template <class Chart> struct constant_pulses<Chart, true> { std::uint64_t pulsed = 0, ending = 0; };

/// The conditions that the entries of active states required to be set. Empty if no transition clears them.
template <class Chart, bool Has = (Chart::size.slots > 0)> struct constant_entries {};
template <class Chart> struct constant_entries<Chart, true> {
    std::uint64_t entering = 0, exited = 0; ///< of the current entries, and of the states exited so far
    std::uint64_t entered_with[Chart::size.slots] = {};
};

/// The records of machines and of previous states: states, 0 for none. Empty if there are none.
template <class Chart, bool Has = (Chart::size.memories > 0)> struct constant_memories {};
template <class Chart> struct constant_memories<Chart, true> { index memories[Chart::size.memories] = {}; };

/// The clock, when timers are due and cooldowns end, and entry times. Empty without these and without observers.
template <class Chart, bool Has = (Chart::size.time_cells > 0 || requires { typename Chart::observer_type; })> struct constant_times {};
template <class Chart> struct constant_times<Chart, true> {
    void advance(std::int64_t elapsed) { clock = add_times(clock, elapsed); }
    /// The sum of two times. Beyond the range: constant_never.
    static constexpr std::int64_t add_times(std::int64_t a, std::int64_t b) {
        return (time_span::from_nanoseconds(a) + time_span::from_nanoseconds(b)).nanoseconds();
    }

    std::int64_t clock = 0; ///< the sum of all ticks, in nanoseconds
    constant_array<std::int64_t, Chart::size.time_cells> due_times{}; ///< by cell
};

/// For on_change hooks: the leaf before the last transition, and its reason. Empty if the chart has none.
template <class Chart, bool Has = (Chart::size.changes > 0)> struct constant_departure {};
template <class Chart, bool Has = (Chart::size.changes > 0 && Chart::size.regions > 1)> struct constant_departure_level {};
template <class Chart> struct constant_departure<Chart, true> : constant_departure_level<Chart> {
    index last_leaf = no_index;
    reason last_reason = reason::none;
};
template <class Chart> struct constant_departure_level<Chart, true> { index last_level = no_index; };
template <class Chart> inline constexpr auto constant_places = [] {
    constant_array<constant_place, Chart::size.states> places{};
    for (std::size_t s = 0; s < Chart::size.states; ++s)
        places[s] = {Chart::tables.text(Chart::tables.states[s].name), Chart::tables.text(Chart::tables.states[s].path)};
    return places;
}();

template <class Chart> state_ref constant_place_of(index s) { return s == no_index ? state_ref() : ref_to(constant_places<Chart>[s]); }

/// The memory of the locals. Empty if the chart has none.
template <class Chart, bool Has = (Chart::size.locals > 0)> struct constant_block {};
template <class Chart> struct constant_block<Chart, true> { alignas(Chart::size.local_alignment) std::byte block[Chart::size.local_bytes]; };

/// Empty if the chart defers no events.
template <class Chart, bool Has = Chart::size.defers> struct constant_recalling {};
template <class Chart> struct constant_recalling<Chart, true> { constant_chain* recalling = nullptr; }; ///< while a deferred event is recalled

/// By rank. 16-bit constants are slower to decode.
template <class Chart> using constant_leaf_type = std::conditional_t<(Chart::size.leaves < 255), std::uint8_t, std::uint32_t>;

/// The state of the regions inside parallels. Empty without them.
template <class Chart, bool Has = (Chart::size.regions > 1)> struct constant_regions {};
template <class Chart> struct constant_regions<Chart, true> {
    constexpr constant_regions() {
        for (auto& leaf : inner.items) leaf = static_cast<constant_leaf_type<Chart>>(Chart::size.leaves);
    }
    constant_array<constant_leaf_type<Chart>, Chart::size.regions - 1> inner{}; ///< the leaves of the regions after the first
    constant_array<index, Chart::size.regions> changed{};                       ///< the least depth of an exited state, by region
    std::uint64_t entered = 0;                                                  ///< transient states that were entered and not yet tried
    constant_array<std::uint8_t, Chart::size.marks> due_list{};                 ///< the marks that are due, oldest first
    std::uint8_t due_count = 0;
};

/// Empty unless an update can finish the root.
template <class Chart, bool Has = Chart::size.ends> struct constant_root_mark {};
template <class Chart> struct constant_root_mark<Chart, true> { bool is_set = false; };

/// What waits for states that hold: see hsm/vm/detail/holding.hpp. slot_of returns the number of a slot. Empty if no state holds.
template <class Chart, bool Has = (Chart::size.holds > 0)> struct constant_holding {};
template <class Chart> struct constant_holding<Chart, true> {
    struct waiting_slot {
        std::uint32_t transition = 0; ///< its number + 1; 0: none waits
        index holder = no_index;      ///< no_index: it was exited after its update, and the transition must still be tried
    };
    struct pending_slot {
        std::uint32_t transition = 0;
        std::uint8_t at = 0; ///< its place among the events
    };
    constant_holding() {
        for (std::uint8_t p = 0; p < Chart::size.levels; ++p) pending[p].at = p;
    }
    constant_holding(const constant_holding&) = delete;
    ~constant_holding() {
        for (auto& p : pending)
            if (p.transition) drop(p);
    }
    auto& event_of(const pending_slot& p) { return events[p.at]; }
    void drop(pending_slot& p) {
        event_of(p).destroy();
        p.transition = 0;
    }

    std::uint64_t holders = 0, released = 0, blocked = 0; ///< active states that hold, by number, and those released; levels of the current search
    waiting_slot waiting[Chart::size.levels];
    pending_slot pending[Chart::size.levels];
    constant_slot<Chart> events[Chart::size.levels + 1];
    static constexpr std::uint8_t no_slot = Chart::size.levels;
    std::uint8_t spare = Chart::size.levels; ///< the place for the next one, so that a copy that throws destroys none
    std::uint8_t firing = no_slot;
    void (*store)(void* slot, const void* event) = nullptr; ///< copies or moves the current event into a slot; null if it cannot be stored
    index updated = no_index; ///< the state whose update is followed by a new try
    bool ticking = false;
};

/// The data of a running constant chart. `Chart`: a chart from constant_chart.
template <class Chart>
struct constant_machine : constant_tracer<Chart>,
                          constant_chooser<Chart>,
                          constant_bits<Chart>,
                          constant_pulses<Chart>,
                          constant_entries<Chart>,
                          constant_times<Chart>,
                          constant_memories<Chart>,
                          constant_block<Chart>,
                          constant_departure<Chart>,
                          constant_recalling<Chart>,
                          constant_holding<Chart>,
                          constant_regions<Chart> {
    using context_type = typename Chart::context_type;
    using leaf_type = constant_leaf_type<Chart>;
    static constexpr auto none = static_cast<leaf_type>(Chart::size.leaves);

    context_type* context;
    leaf_type leaf = none; ///< by rank; none: not started
    std::uint8_t work = 0; ///< constant_work bits
    [[no_unique_address]] constant_root_mark<Chart> root_mark;
};

template <class Chart, bool Completion = (Chart::size.marks > 0)> struct constant_completing_machine : constant_machine<Chart> {};

/// The finished machines, and those whose completion has not been tried yet.
template <class Chart> struct constant_completing_machine<Chart, true> : constant_machine<Chart> {
    std::uint64_t marked = 0;
    std::uint64_t due = 0;
};

template <class Chart> constexpr bool constant_destroys() {
    for (const auto& l : Chart::tables.locals)
        if (l.destroy) return true;
    return false;
}
template <class Chart, bool Destroys = constant_destroys<Chart>()> struct constant_owning_machine : constant_completing_machine<Chart> {};
template <class Chart> using constant_core = constant_owning_machine<Chart>;

/// Calls visit(state) for each active state, substates first.
template <class Chart, class Visit> void constant_each_active(const constant_completing_machine<Chart>& m, const Visit& visit) {
    constexpr auto& tables = Chart::tables;
    for (auto region = Chart::size.regions; region-- > 0;) {
        auto rank = m.leaf;
        if constexpr (Chart::size.regions > 1)
            if (region > 0) rank = m.inner[region - 1];
        auto s = rank == m.none ? no_index : tables.leaves[rank].state;
        for (; s != no_index && tables.states[s].region == region; s = tables.states[s].superstate) visit(s);
    }
}

/// Destroys the locals of the active states.
template <class Chart> struct constant_owning_machine<Chart, true> : constant_completing_machine<Chart> {
    constant_owning_machine() = default;
    constant_owning_machine(const constant_owning_machine&) = delete;
    ~constant_owning_machine() {
        constexpr auto& tables = Chart::tables;
        constant_each_active<Chart>(*this, [&](index s) {
            const auto& locals = tables.states[s].locals;
            for (auto l = locals.first + locals.count; l > locals.first; --l)
                if (tables.locals[l - 1].destroy) tables.locals[l - 1].destroy(this->block + tables.locals[l - 1].place);
        });
    }
};

/// Returns whether the root has a final state.
template <class Chart> constexpr bool constant_can_be_over() {
    for (const auto& leaf : Chart::tables.leaves)
        if (leaf.over) return true;
    return false;
}

/// Returns whether the instance is not started, or its root is finished.
template <class Chart> HSM_ALWAYS_INLINE inline bool constant_is_inactive(const constant_core<Chart>& m) {
    if (m.leaf == m.none) return true;
    if constexpr (Chart::size.ends)
        if (m.root_mark.is_set) return true;
    if constexpr (constant_can_be_over<Chart>())
        return Chart::tables.leaves[m.leaf].over;
    else
        return false;
}

/// Returns the op at P.
template <class Chart, std::uint32_t P> struct constant_at { static constexpr constant_op op = Chart::tables.ops[P]; };

constexpr bool is_test(constant_op::kind_of k) { return k >= constant_op::ask && k <= constant_op::if_picked; }
constexpr bool is_plain(constant_op::kind_of k) { return k < constant_op::ask; }

/// Returns the number of consecutive ops from there that need no decision.
template <class Chart> consteval std::uint32_t constant_straight(std::uint32_t p) {
    std::uint32_t n = 0;
    while (is_plain(Chart::tables.ops[p + n].kind)) ++n;
    return n;
}
/// Returns the number of consecutive tests from there that continue at the same op if they fail.
template <class Chart> consteval std::uint32_t constant_tests(std::uint32_t p) {
    const auto& ops = Chart::tables.ops;
    std::uint32_t n = 1;
    while (is_test(ops[p + n].kind) && ops[p + n].otherwise == ops[p].otherwise) ++n;
    return n;
}

/// Returns the number of ops in a program, without ops that it shares with others.
template <class Chart> constexpr std::uint32_t constant_length(std::uint32_t p) {
    const auto& ops = Chart::tables.ops;
    std::uint32_t n = 0;
    for (std::uint32_t open = p; p <= open; ++p, ++n) // the program ends where no jump leads further
        open = ops[p].kind != constant_op::end && ops[p].kind != constant_op::jump && open <= p ? p + 1
               : ops[p].otherwise > open                                                        ? ops[p].otherwise
                                                                                                : open;
    return n;
}

/// Calls f with the call of a callable that takes `Count` locals.
template <class Chart, std::uint32_t Places, std::uint32_t Count, class F>
HSM_ALWAYS_INLINE inline decltype(auto) constant_call_with_locals(constant_core<Chart>& m, const constant_call& call, F f) {
    return [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) HSM_ALWAYS_INLINE_LAMBDA -> decltype(auto) {
        void* const locals[] = {m.block + Chart::tables.places[Places + I]...};
        return f(constant_local_call{call, locals});
    }
    (std::make_integer_sequence<std::uint32_t, Count>());
}

template <class Chart, std::int32_t G> HSM_ALWAYS_INLINE inline bool constant_guard_holds(constant_core<Chart>& m, const constant_call& call);

/// Returns the rank of a region's leaf.
template <class Chart> HSM_ALWAYS_INLINE inline auto& constant_leaf_in(constant_core<Chart>& m, std::size_t region) {
    if constexpr (Chart::size.regions > 1)
        if (region > 0) return m.inner[region - 1];
    return m.leaf;
}
template <class Chart> HSM_ALWAYS_INLINE inline auto constant_leaf_in(const constant_core<Chart>& m, std::size_t region) {
    return constant_leaf_in<Chart>(const_cast<constant_core<Chart>&>(m), region);
}

/// Returns the leaf of a region as a state; no_index: the region is not active.
template <class Chart> index constant_leaf_state(const constant_core<Chart>& m, std::size_t region) {
    const auto rank = constant_leaf_in<Chart>(m, region);
    return rank == constant_core<Chart>::none ? no_index : Chart::tables.leaves[rank].state;
}

/// Returns whether a state (from constant_regions_end on) or the leaf of a region is finished.
template <class Chart, std::uint32_t Which> bool constant_is_finished(constant_core<Chart>& m) {
    auto s = static_cast<index>(Which - constant_regions_end);
    if constexpr (Which < constant_regions_end) s = Chart::tables.leaves[constant_leaf_in<Chart>(m, Which)].state;
    const auto& row = Chart::tables.states[s];
    bool marked = false;
    if constexpr (Chart::size.marks > 0) marked = row.mark >= 0 && (m.marked >> row.mark & 1);
    return marked || row.kind == state_kind::final;
}

/// Clears these conditions.
template <class Chart> HSM_ALWAYS_INLINE inline void constant_clear_bits(constant_core<Chart>& m, std::uint64_t bits) {
    if constexpr (requires { m.trace(record()); })
        for (auto set = m.bits & bits; set != 0; set &= set - 1)
            m.trace({record_kind::condition, 0, record::no_state,
                     Chart::tables.conditions[static_cast<std::size_t>(std::countr_zero(set))].number, 0});
    m.bits &= ~bits;
    if constexpr (Chart::size.pulses) m.pulsed &= ~bits, m.ending &= ~bits;
}

/// Calls the parts of a composed guard, from G on.
template <class Chart, std::int32_t G, bool All>
HSM_ALWAYS_INLINE inline bool constant_guards_hold(constant_core<Chart>& m, const constant_call& call) {
    if constexpr (G < 0) {
        return All;
    } else {
        constexpr auto next = Chart::tables.guards[static_cast<std::size_t>(G)].next;
        if constexpr (All)
            return constant_guard_holds<Chart, G>(m, call) && constant_guards_hold<Chart, next, All>(m, call);
        else
            return constant_guard_holds<Chart, G>(m, call) || constant_guards_hold<Chart, next, All>(m, call);
    }
}

template <class Chart, std::int32_t G> HSM_ALWAYS_INLINE inline bool constant_guard_holds(constant_core<Chart>& m, const constant_call& call) {
    using guard_type = constant_guard<typename Chart::context_type>;
    constexpr auto g = Chart::tables.guards[static_cast<std::size_t>(G)];
    if constexpr (g.needs != nullptr) {
        constexpr auto thunk = g.thunk;
        return constant_call_with_locals<Chart, g.places, g.needs->count>(
            m, call, [&](const constant_local_call& with) HSM_ALWAYS_INLINE_LAMBDA { return thunk(*m.context, with); });
    } else if constexpr (g.kind == guard_type::asks && g.thunk != nullptr) {
        constexpr auto thunk = g.thunk;
        return thunk(*m.context, call);
    } else if constexpr (g.kind == guard_type::asks)
        return g(*m.context, call);
    else if constexpr (g.kind == guard_type::bit)
        return ((m.bits >> g.number & 1) != 0) == g.wanted;
    else if constexpr (g.kind == guard_type::over)
        return constant_is_finished<Chart, g.number>(m) == g.wanted;
    else if constexpr (g.kind == guard_type::no)
        return !constant_guard_holds<Chart, g.part>(m, call);
    else
        return constant_guards_hold<Chart, g.part, g.kind == guard_type::all>(m, call);
}

/// Returns the machine with that mark.
template <class Chart> constexpr std::uint16_t constant_marked(std::uint32_t mark) {
    std::uint16_t s = 0;
    while (Chart::tables.states[s].mark != static_cast<std::int32_t>(mark)) ++s;
    return s;
}

/// Executes an op of a choice by score or chance.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_choose(constant_core<Chart>& m) {
    constexpr auto& tables = Chart::tables;
    constexpr auto op = tables.ops[P];
    if constexpr (op.kind == constant_op::evaluate) {
        m.offered = false;
        m.picked = none_picked;
        for (auto& value : m.values) value = 0;
    } else if constexpr (op.kind == constant_op::score) {
        constexpr auto t = tables.transitions[op.operand];
        if constexpr (t.score < 0) {
            m.score = t.weight;
        } else {
            constexpr auto f = tables.scores[static_cast<std::size_t>(t.score)];
            constexpr auto thunk = f.thunk;
            if constexpr (thunk != nullptr)
                m.score = thunk(*m.context, {});
            else
                m.score = f(*m.context);
        }
        if (!is_score(m.score) || !(m.score > 0)) return;
        m.values[op.operand - tables.states[t.source].candidates.first] = m.score;
        m.offered = true;
    } else if constexpr (op.kind == constant_op::bonus) {
        constexpr auto source = tables.transitions[op.operand].source;
        auto& value = m.values[op.operand - tables.states[source].candidates.first];
        if (!(value > 0)) return;
        value += tables.states[source].stay_bonus;
        if (!is_score(value)) value = std::numeric_limits<double>::max();
    } else if constexpr (op.kind == constant_op::report_score) {
        auto r = tables.records[op.operand];
        r.what = is_score(m.score);
        r.value = std::bit_cast<std::uint64_t>(m.score);
        m.trace(r);
    } else {
        constexpr auto how = tables.states[op.operand].choose;
        constexpr auto span = tables.states[op.operand].candidates;
        const auto found = pick(how, m.values, span.count, is_by_chance(how) ? draw(m.chance, op.operand) : 0);
        m.picked = found == none_picked ? none_picked : span.first + found;
    }
}

/// Starts a timer.
template <class Chart, std::uint32_t T> HSM_ALWAYS_INLINE inline void constant_arm(constant_core<Chart>& m) {
    constexpr auto timer = Chart::tables.timers[T];
    constexpr std::int64_t least = timer.periodic ? 1 : 0;
    auto& due = m.due_times[timer.cell];
    if constexpr (!timer.delay.find) {
        due = m.add_times(m.clock, least > timer.delay.fixed ? least : timer.delay.fixed);
    } else {
        constexpr auto find = timer.delay.find;
        constexpr auto thunk = find.thunk;
        auto time = least;
        if constexpr (thunk != nullptr)
            time = thunk(*m.context, {}).nanoseconds();
        else
            time = find(*m.context).nanoseconds();
        if (time < least) time = least;
        due = m.add_times(m.clock, time);
        if constexpr (timer.periodic) m.due_times[timer.cell + 1] = time;
    }
}

/// Executes an op of a timer, of a cooldown, or of an entry time.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_set_timer(constant_core<Chart>& m) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::report_armed) {
        auto r = Chart::tables.records[op.operand];
        r.value = static_cast<std::uint64_t>(m.due_times[Chart::tables.timers[r.number].cell]);
        m.trace(r);
    } else if constexpr (op.kind == constant_op::cool) {
        constexpr auto t = Chart::tables.transitions[op.operand];
        m.due_times[t.cool] = m.add_times(m.clock, t.cooldown);
    } else if constexpr (op.kind == constant_op::enter_at) {
        m.due_times[op.operand] = m.clock;
    } else if constexpr (op.kind == constant_op::arm) {
        constant_arm<Chart, op.operand>(m);
    } else {
        constexpr auto timer = Chart::tables.timers[op.operand];
        auto& due = m.due_times[timer.cell];
        if constexpr (op.kind == constant_op::rearm || op.kind == constant_op::fall_due) due = m.clock;
        if constexpr (op.kind == constant_op::fall_due) return;
        if constexpr (op.kind == constant_op::use_up)
            due = constant_never;
        else if constexpr (timer.cells() > 1)
            due = m.add_times(due, m.due_times[timer.cell + 1]);
        else
            due = m.add_times(due, timer.delay.fixed);
    }
}

/// The ranks of the leaves of a state's region that are in the state, or are it.
template <class Chart, index S> struct constant_ranks_of {
    static constexpr bool has(std::size_t rank) {
        const auto leaf = Chart::tables.leaves[rank].state;
        return Chart::tables.states[leaf].region == region && flatten::contains(Chart::tables.states, S, leaf);
    }
    static constexpr std::size_t region = Chart::tables.states[S].region;
    static constexpr std::size_t first = [] {
        std::size_t rank = 0;
        while (!has(rank)) ++rank;
        return rank;
    }();
    static constexpr std::size_t count = [] {
        std::size_t n = 0;
        while (first + n < Chart::size.leaves && has(first + n)) ++n;
        return n;
    }();
};
template <class Chart, index S> HSM_ALWAYS_INLINE inline bool constant_is_active(constant_core<Chart>& m) {
    using ranks = constant_ranks_of<Chart, S>;
    return std::size_t(constant_leaf_in<Chart>(m, ranks::region)) - ranks::first < ranks::count;
}

/// Marks a state as finished. Then also a parallel all of whose regions are finished.
template <class Chart> void constant_mark_in_regions(constant_core<Chart>& m, std::uint32_t mark) {
    const auto bit = std::uint64_t(1) << mark;
    if (m.marked & bit) return;
    m.marked |= bit;
    m.due |= bit;
    m.due_list[m.due_count++] = static_cast<std::uint8_t>(mark);
    const auto around = Chart::tables.states[constant_marked<Chart>(mark)].superstate;
    if (!Chart::tables.is_parallel(around) || Chart::tables.states[around].mark < 0) return;
    for (std::size_t r = 0; r < Chart::size.regions; ++r) {
        if (Chart::tables.above(static_cast<index>(r)) != around) continue;
        const auto inner = Chart::tables.states[Chart::tables.regions[r]].mark;
        if (inner < 0 || !(m.marked >> inner & 1)) return;
    }
    constant_mark_in_regions<Chart>(m, static_cast<std::uint32_t>(Chart::tables.states[around].mark));
}
template <class Chart> void constant_clear_due(constant_core<Chart>& m, std::uint32_t mark) {
    if (!(m.due >> mark & 1)) return;
    m.due &= ~(std::uint64_t(1) << mark);
    std::uint8_t n = 0;
    for (std::uint8_t i = 0; i < m.due_count; ++i)
        if (m.due_list[i] != mark) m.due_list[n++] = m.due_list[i];
    m.due_count = n;
}

template <class Chart, std::uint32_t P> constant_code constant_run_shared(constant_core<Chart>& m, const constant_call& call);
template <class Chart> void constant_exit_region(constant_core<Chart>& m, std::size_t region);

/// Executes an op of a chart with regions.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_do_in_regions(constant_core<Chart>& m, const constant_call& call) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::leaf) {
        constant_leaf_in<Chart>(m, op.operand >> 16) = static_cast<constant_leaf_type<Chart>>(op.operand & 0xffff);
    } else if constexpr (op.kind == constant_op::exit_region) {
        constant_exit_region<Chart>(m, op.operand);
    } else if constexpr (op.kind == constant_op::call) {
        constant_run_shared<Chart, op.operand>(m, call);
    } else if constexpr (op.kind == constant_op::changed) {
        if (m.changed[op.operand & 0xffff] > op.operand >> 16) m.changed[op.operand & 0xffff] = static_cast<index>(op.operand >> 16);
    } else if constexpr (op.kind == constant_op::entered) {
        m.entered |= std::uint64_t(1) << op.operand;
    } else if constexpr (op.kind == constant_op::left) {
        m.entered &= ~(std::uint64_t(1) << op.operand);
    } else if constexpr (op.kind == constant_op::mark) {
        constant_mark_in_regions<Chart>(m, op.operand);
    } else {
        m.marked &= ~(std::uint64_t(1) << op.operand);
        constant_clear_due<Chart>(m, op.operand);
    }
}

/// Executes an op that clears conditions, or stores which ones to clear.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_do_with_conditions(constant_core<Chart>& m) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::use_triggers) {
        constexpr auto used = Chart::tables.used_triggers(Chart::tables.transitions[op.operand]);
        constant_clear_bits<Chart>(m, used);
    } else if constexpr (op.kind == constant_op::enter_by) {
        m.entering = 0;
        if constexpr (op.operand < Chart::size.transitions) m.entering = Chart::tables.transitions[op.operand].positives;
        m.exited = 0;
    } else if constexpr (op.kind == constant_op::enter_like) {
        m.entering = m.entered_with[op.operand];
    } else if constexpr (op.kind == constant_op::enter_with) {
        m.entered_with[op.operand] = m.entering;
    } else if constexpr (op.kind == constant_op::exit_with) {
        m.exited |= m.entered_with[op.operand];
    } else {
        constant_clear_bits<Chart>(m, m.exited);
    }
}

/// Removes what waits in a state that was exited.
template <class Chart> HSM_NOINLINE void constant_end_waits(constant_core<Chart>& m, index s) {
    for (auto& w : m.waiting)
        if (w.transition && (Chart::tables.transitions[w.transition - 1].source == s || (w.holder == s && m.updated != s)))
            w.transition = 0;
        else if (w.holder == s)
            w.holder = no_index;
    for (std::size_t slot = 0; slot < Chart::size.levels; ++slot)
        if (auto& p = m.pending[slot]; p.transition && Chart::tables.transitions[p.transition - 1].source == s && slot != m.firing) m.drop(p);
}

/// Executes an op of a chart with states that hold.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_do_with_holds(constant_core<Chart>& m) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::search) {
        m.blocked = 0;
        if constexpr (op.operand == constant_all_slots)
            for (auto& w : m.waiting) w.transition = 0;
        else if constexpr (op.operand != constant_no_slot)
            m.waiting[op.operand].transition = 0;
    } else if constexpr (op.kind == constant_op::waits_for) {
        constexpr auto slot = Chart::tables.slot_of(Chart::tables.transitions[op.operand >> 16].level);
        m.blocked |= std::uint64_t(1) << slot;
        if (!m.ticking || m.waiting[slot].transition) return;
        m.waiting[slot] = {(op.operand >> 16) + 1, static_cast<index>(op.operand & 0xffff)};
        m.work |= constant_waits;
    } else if constexpr (op.kind == constant_op::firing) {
        m.firing = static_cast<std::uint8_t>(op.operand);
    } else if constexpr (op.kind == constant_op::enter_hold) {
        m.holders |= std::uint64_t(1) << Chart::tables.states[op.operand].hold;
    } else {
        if constexpr (constexpr auto hold = Chart::tables.states[op.operand].hold; hold >= 0) {
            m.holders &= ~(std::uint64_t(1) << hold);
            m.released &= ~(std::uint64_t(1) << hold);
        }
        if (m.work & (constant_waits | constant_pends)) constant_end_waits<Chart>(m, static_cast<index>(op.operand));
    }
}

template <class Chart, std::uint32_t First, std::uint32_t... I>
HSM_ALWAYS_INLINE inline bool constant_all_hold(constant_core<Chart>& m, const constant_call& call, std::integer_sequence<std::uint32_t, I...>) {
    return (constant_guard_holds<Chart, Chart::tables.hold_guards[First + I]>(m, call) && ...);
}
/// Returns whether the state does not hold. With regions, it can be inactive.
template <class Chart, index S, index Target> HSM_ALWAYS_INLINE inline bool constant_is_unheld(constant_core<Chart>& m) {
    constexpr auto row = Chart::tables.states[S];
    if ((Chart::size.regions > 1 ? m.released | ~m.holders : m.released) >> row.hold & 1) return true;
    if constexpr (row.until_released) return false;
    if constexpr (row.least >= 0)
        if (m.clock < m.due_times[Chart::tables.timers[static_cast<std::size_t>(row.least)].cell]) return false;
    constexpr std::make_integer_sequence<std::uint32_t, row.hold_until.count> guards;
    if constexpr (row.takes_target) {
        const auto target = constant_place_of<Chart>(Target);
        return constant_all_hold<Chart, row.hold_until.first>(m, {std::addressof(target)}, guards);
    } else {
        return constant_all_hold<Chart, row.hold_until.first>(m, {}, guards);
    }
}

/// Executes an op that is followed by the next one.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline void constant_do(constant_core<Chart>& m, const constant_call& call) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::hook) {
        constexpr auto h = Chart::tables.hooks[op.operand];
        constexpr auto thunk = h.thunk; // a constant, so that the compiler knows the called function
        if constexpr (h.needs != nullptr)
            constant_call_with_locals<Chart, h.places, h.needs->count>(
                m, call, [&](const constant_local_call& with) HSM_ALWAYS_INLINE_LAMBDA { thunk(*m.context, with); });
        else if constexpr (thunk != nullptr)
            thunk(*m.context, call);
        else
            h(*m.context, call);
    } else if constexpr (Chart::size.regions > 1 && op.kind >= constant_op::leaf && op.kind <= constant_op::unmark) {
        constant_do_in_regions<Chart, P>(m, call);
    } else if constexpr (op.kind == constant_op::leaf) {
        m.leaf = static_cast<typename constant_core<Chart>::leaf_type>(op.operand);
    } else if constexpr (op.kind == constant_op::finish_root) {
        if constexpr (requires { m.trace(record()); })
            if (!m.root_mark.is_set) m.trace({record_kind::finished, 0, 0, record::no_number, 0});
        m.root_mark.is_set = true;
    } else if constexpr (op.kind == constant_op::link) {
        call.chain->link(Chart::tables.text(Chart::tables.states[op.operand].path));
    } else if constexpr (op.kind == constant_op::remember) {
        m.memories[op.operand & 0xffff] = static_cast<index>(op.operand >> 16);
    } else if constexpr (op.kind == constant_op::remember_other) {
        constexpr auto memory = op.operand & 0xffff;
        constexpr auto s = static_cast<index>(op.operand >> 16);
        if (m.memories[memory] == s) return;
        m.memories[memory + 1] = m.memories[memory];
        m.memories[memory] = s;
    } else if constexpr (op.kind == constant_op::remember_leaf) {
        const auto leaf = constant_leaf_state<Chart>(m, op.operand >> 16);
        m.memories[op.operand & 0xffff] = leaf == no_index ? index(0) : Chart::tables.recorded_leaf(leaf, Chart::remember_finals);
    } else if constexpr (op.kind == constant_op::fired) {
        m.work |= constant_fired;
    } else if constexpr (op.kind == constant_op::construct) {
        constexpr auto l = Chart::tables.locals[op.operand];
        l.construct(m.block + l.place);
    } else if constexpr (op.kind == constant_op::destroy) {
        constexpr auto l = Chart::tables.locals[op.operand];
        l.destroy(m.block + l.place);
    } else if constexpr (op.kind == constant_op::depart) {
        m.last_leaf = static_cast<index>(op.operand & 0xffff);
        m.last_reason = static_cast<reason>(op.operand >> 16);
    } else if constexpr (op.kind == constant_op::depart_level) {
        m.last_level = static_cast<index>(op.operand);
    } else if constexpr (op.kind == constant_op::change) {
        constexpr auto f = Chart::tables.changes[op.operand].call;
        f(*m.context, constant_place_of<Chart>(m.last_leaf), constant_place_of<Chart>(Chart::tables.leaves[m.leaf].state), m.last_reason);
    } else if constexpr (op.kind == constant_op::recall) {
        m.work |= constant_fired | constant_recall;
    } else if constexpr (op.kind == constant_op::check_chain) {
        if (m.recalling)
            m.recalling->check(Chart::tables.text(Chart::tables.states[Chart::tables.leaves[m.leaf].state].path), Chart::size.regions > 1);
    } else if constexpr (op.kind >= constant_op::search && op.kind <= constant_op::exit_hold) {
        constant_do_with_holds<Chart, P>(m);
    } else if constexpr (op.kind >= constant_op::use_triggers && op.kind <= constant_op::clear_entered) {
        constant_do_with_conditions<Chart, P>(m);
    } else if constexpr (op.kind >= constant_op::evaluate && op.kind <= constant_op::pick_candidate) {
        constant_choose<Chart, P>(m);
    } else if constexpr (op.kind == constant_op::take_draw) {
        m.chance.draws += op.operand == 0 || m.picked != none_picked;
    } else if constexpr (op.kind >= constant_op::arm && op.kind <= constant_op::fall_due) {
        constant_set_timer<Chart, P>(m);
    } else if constexpr (op.kind == constant_op::report) {
        m.trace(Chart::tables.records[op.operand]);
    } else if constexpr (op.kind == constant_op::mark) {
        if constexpr (requires { m.trace(record()); })
            if (!(m.marked >> op.operand & 1)) m.trace({record_kind::finished, 0, constant_marked<Chart>(op.operand), record::no_number, 0});
        m.due |= (std::uint64_t(1) << op.operand) & ~m.marked; // once per mark
        m.marked |= std::uint64_t(1) << op.operand;
    } else {
        m.marked &= ~(std::uint64_t(1) << op.operand);
        m.due &= ~(std::uint64_t(1) << op.operand);
    }
}

template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline bool constant_holds(constant_core<Chart>& m, const constant_call& call) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::ask) {
        return constant_guard_holds<Chart, static_cast<std::int32_t>(op.operand)>(m, call);
    } else if constexpr (op.kind == constant_op::if_unheld) {
        return constant_is_unheld<Chart, static_cast<index>(op.operand & 0xffff), static_cast<index>(op.operand >> 16)>(m);
    } else if constexpr (op.kind == constant_op::if_unblocked) {
        return !(m.blocked >> op.operand & 1);
    } else if constexpr (op.kind == constant_op::if_active) {
        return constant_is_active<Chart, static_cast<index>(op.operand)>(m);
    } else if constexpr (op.kind == constant_op::if_inactive) {
        return !constant_is_active<Chart, static_cast<index>(op.operand)>(m);
    } else if constexpr (op.kind == constant_op::if_entered) {
        return m.entered >> op.operand & 1;
    } else if constexpr (op.kind == constant_op::if_remembered) {
        return m.memories[op.operand & 0xffff] == op.operand >> 16;
    } else if constexpr (op.kind == constant_op::if_leaf_remembered) {
        const auto s = m.memories[op.operand & 0xffff];
        return s == 0 || flatten::contains(Chart::tables.states, s, constant_leaf_state<Chart>(m, op.operand >> 16));
    } else if constexpr (op.kind == constant_op::if_time) {
        const auto due = m.due_times[Chart::tables.timers[op.operand].cell];
        if (m.clock < due) [[likely]]
            return false;
        return due != constant_never;
    } else if constexpr (op.kind == constant_op::if_cool) {
        return m.due_times[Chart::tables.transitions[op.operand].cool] <= m.clock;
    } else if constexpr (op.kind == constant_op::if_marked) {
        return (m.marked & ~m.due) >> op.operand & 1;
    } else if constexpr (op.kind == constant_op::if_due) {
        const bool due = m.due >> op.operand & 1;
        m.due &= ~(std::uint64_t(1) << op.operand);
        return due;
    } else if constexpr (op.kind == constant_op::if_none_offered) {
        return !m.offered;
    } else if constexpr (op.kind == constant_op::if_previewed) {
        return m.picked == op.operand;
    } else if constexpr (op.kind == constant_op::if_picked) {
        return m.picked == op.operand;
    } else {
        call.chain->ask(op.operand);
        return call.just_entered >> op.operand & 1;
    }
}

template <class Chart, std::uint32_t P> constant_code constant_run_shared(constant_core<Chart>& m, const constant_call& call);

/// Runs the program that begins at P, inline.
template <class Chart, std::uint32_t P> HSM_ALWAYS_INLINE inline constant_code constant_run(constant_core<Chart>& m, const constant_call& call) {
    constexpr auto straight = constant_straight<Chart>(P);
    if constexpr (straight > 0) {
        [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) HSM_ALWAYS_INLINE_LAMBDA { (constant_do<Chart, P + I>(m, call), ...); }
        (std::make_integer_sequence<std::uint32_t, straight>());
        return constant_run<Chart, P + straight>(m, call);
    } else {
        constexpr auto op = Chart::tables.ops[P];
        if constexpr (op.kind == constant_op::end) {
            return op.operand;
        } else if constexpr (op.kind == constant_op::go) {
            return constant_run<Chart, op.otherwise>(m, call);
        } else if constexpr (op.kind == constant_op::go_apart) {
            return constant_run_shared<Chart, op.otherwise>(m, call);
        } else if constexpr (op.kind == constant_op::jump) {
            return constant_run_shared<Chart, op.operand>(m, call);
        } else {
            constexpr auto tests = constant_tests<Chart>(P);
            const bool holds = [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) HSM_ALWAYS_INLINE_LAMBDA {
                return (constant_holds<Chart, P + I>(m, call) && ...);
            }
            (std::make_integer_sequence<std::uint32_t, tests>());
            if (holds) return constant_run<Chart, P + tests>(m, call);
            return constant_run<Chart, op.otherwise>(m, call);
        }
    }
}

/// Runs the program that begins at P, inline, and then `then` with its code as an integral_constant.
template <class Chart, std::uint32_t P, class Then>
HSM_ALWAYS_INLINE inline constant_code constant_run_and(constant_core<Chart>& m, const constant_call& call, const Then& then) {
    constexpr auto op = Chart::tables.ops[P];
    if constexpr (op.kind == constant_op::end) {
        return then(std::integral_constant<constant_code, op.operand>());
    } else if constexpr (op.kind == constant_op::go || op.kind == constant_op::go_apart) {
        return constant_run_and<Chart, op.otherwise>(m, call, then);
    } else if constexpr (is_plain(op.kind)) {
        constant_do<Chart, P>(m, call);
        return constant_run_and<Chart, P + 1>(m, call, then);
    } else {
        if (constant_holds<Chart, P>(m, call)) return constant_run_and<Chart, P + 1>(m, call, then);
        return constant_run_and<Chart, op.otherwise>(m, call, then);
    }
}

/// Runs the program in a separate function.
template <class Chart, std::uint32_t P> HSM_NOINLINE constant_code constant_run_shared(constant_core<Chart>& m, const constant_call& call) {
    return constant_run<Chart, P>(m, call);
}

template <class Chart, std::uint32_t P> constant_code constant_function(constant_core<Chart>& m, const constant_call& call) {
    return constant_run<Chart, P>(m, call);
}

// The effect of an event.
template <class Chart, std::uint32_t P> constant_code constant_cell(constant_core<Chart>& m, const void* payload) {
    return constant_run<Chart, P>(m, {payload});
}

} // namespace hsm::detail
