/// A definition and its inputs as plain data, for generating, building, playing, shrinking and printing.
///
/// States are numbered in preorder, as in a chart. Events are numbers: see test_context.hpp.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/run/instance_options.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace differential {

inline constexpr int none = -1;

/// The bits of a context, for guards and acts. The last ones are faults, set for the time of one input.
inline constexpr int ordinary_bits = 6;
inline constexpr int all_bits = 10;

inline constexpr int tag_count = 3;

/// The act of a hook, besides recording what it sees.
enum class act {
    nothing,
    process,         ///< what: event
    post,            ///< what: event
    change_to,       ///< what: state
    change_to_place, ///< what: place; throws if there is none
    finish,
    finish_leaf,
    finish_state, ///< what: state
    release,
    release_state, ///< what: state
    force_to,      ///< what: state
    stop,
    raise,
    flip,          ///< what: bit
    can,           ///< what: event
    look,          ///< what: state; reports whether it is active, the leaves and the tags
    tick,          ///< and other calls that are refused inside a hook
    set_timer,     ///< what: see set_timer of test_context.hpp
    set_condition, ///< what: condition
    clear_condition,
    pulse_condition,
    get_condition,
};

struct act_plan {
    act does = act::nothing;
    int what = 0;
    int bit = none; ///< only if this bit is set
};

struct hook_plan {
    int token = 0;
    int form = 0; ///< selects its parameters
    act_plan act;
    int next = none; ///< for updates that return a state: the state (or place)
    int next_bit = none;
};

/// A condition of the chart; the first is hsm::is_over.
struct condition_plan {
    bool named = false;
    int index = none; ///< none: the first free bit
    bool trigger = false;
};

struct literal_plan {
    int which = 0; ///< condition
    bool wanted = true;
};

/// The conditions that a guard tests, and how its function is combined with them.
enum class asks { nothing, one, all, any, no_all, no_any, all_with_any, all_with_guard, any_with_guard, no_all_with_guard, any_with_all };

enum class writing { name, index, handle };

struct guard_plan {
    int token = 0;
    int form = 0;
    int bit = 0;
    bool wanted = true;
    int fault = none; ///< throws if that bit is set
    differential::asks asks = differential::asks::nothing;
    differential::writing writing = differential::writing::name; ///< of all literals; by handle: only one of them
    std::array<literal_plan, 3> literals = {};
    act_plan act = {}; ///< an act without effect
};

/// A delay, a period, a least duration: a number of nanoseconds, or computed when the state is entered. Also the score of a candidate.
struct time_plan {
    int token = 0; ///< 0: none
    int form = 0;  ///< 0: fixed; otherwise a callable that takes the context, or also a local
    int ns = 0;
    int bit = none;   ///< if this bit is set, the computed time is doubled
    int fault = none; ///< the computation throws if this bit is set
};

struct transition_plan {
    int target = none;             ///< none: internal
    std::vector<int> more_targets; ///< of a fork
    std::vector<int> joined;       ///< of a join: states that must also be active
    std::vector<int> excluded;     ///< while one of them is active it does not fire
    int event = none;              ///< none: polled
    bool defers = false;           ///< only the event counts then
    bool on_finished = false;
    int priority = 0;
    bool reenter = false;
    bool external = false;
    bool always = false;
    bool force = false;
    bool carry_over = false;
    bool labeled = false; ///< all labels are equal
    time_plan after;
    time_plan every;
    std::vector<guard_plan> guards;
    std::vector<hook_plan> actions;
};

/// A choice of dispatch, a branch of a choice, an initial, or an otherwise (the latter two without guards and priority).
struct choice_plan {
    int target = none;
    std::vector<int> more_targets;
    int priority = 0;
    time_plan score; ///< of a candidate; fixed: its weight
    int cooldown = 0;
    std::vector<guard_plan> guards;
    std::vector<hook_plan> actions;
};

struct local_plan {
    int type = 0; ///< each at most once per state
    int token = 0;
    int left = 0;     ///< updates until it is finished
    int fault = none; ///< its copy throws if this bit is set
};

enum class kind { leaf, machine, parallel, final, choice, history, deep_history, previous };

/// Returns whether it has hooks, transitions and other parts of states.
inline bool is_state(kind k) { return k <= kind::final; }
inline bool is_history(kind k) { return k >= kind::history; }
inline bool is_composite(kind k) { return k == kind::machine || k == kind::parallel; }

struct state_plan {
    differential::kind kind = differential::kind::leaf;
    int superstate = none;
    int place = none;      ///< its enumerator
    std::string name = {}; ///< empty: its number
    bool transient = false;
    int choose = 0;   ///< hsm::choosing
    int rechoose = 0; ///< 1: in each tick, 2: after each period
    time_plan period;
    int stay_bonus = 0;
    unsigned tags = 0;  ///< a bit for each
    int way = 0;        ///< 0, or the way to another context
    int remembers = 0;  ///< 1: the substate (machines only), 2: the leaves
    bool holds = false; ///< until it is released
    std::vector<guard_plan> hold_until;
    time_plan least;
    std::vector<hook_plan> enter, update, exit, change, init, destroy, unhandled, settled, leave;
    int done_data = none; ///< of a final state: its data
    std::vector<local_plan> locals;
    std::vector<transition_plan> transitions;
    std::vector<choice_plan> dispatch;
    std::vector<choice_plan> initial; ///< at most one
};

enum class input {
    start,
    stop,
    tick,
    update,
    decide,
    drain,
    process,
    post,
    can,
    change_to,
    change_to_place,
    finish,
    finish_state,
    release,
    release_state,
    force_to,
    restart,
    destroy,
    reset,
    set_state,
    pause,
    resume,
    scale, ///< amount: percent
    move,  ///< moves the instance in memory
    clear_conditions,
    set_timer, ///< what: see set_timer of test_context.hpp
    revive     ///< starts it if it is not started or finished
};

struct input_plan {
    differential::input does = input::tick;
    int what = 0;   ///< event, state or place
    int amount = 0; ///< payload, or nanoseconds
    std::uint32_t flips = 0;
    std::uint32_t faults = 0;
    std::uint32_t turned = 0; ///< conditions that are changed before, by number
    std::uint32_t pulsed = 0;
};

/// A single engine is compared only with the invariants.
enum class players {
    both,
    reference,
    instance,
    crowd,
    observed,
    observed_crowd,
    saved,
    saved_crowd,
    reloaded
}; ///< crowd, observed, saved, reloaded: against an instance; observed_crowd, saved_crowd: against a crowd

struct plan {
    std::uint64_t seed = 0;
    hsm::compile_options compile;
    hsm::instance_options run;
    bool own_memory = false;      ///< the instance uses memory of the user
    bool checks_activity = false; ///< each state has hooks that record the active states in a book
    players played_by = players::both;
    std::string prefix = "s";               ///< of the names of states
    std::vector<condition_plan> conditions; ///< empty, or more than is_over
    std::vector<state_plan> states;
    std::vector<input_plan> inputs;
};

inline bool contains(const plan& p, int outer, int inner) {
    while (inner != none && inner != outer) inner = p.states[static_cast<std::size_t>(inner)].superstate;
    return inner == outer;
}

/// Returns the innermost state that contains both.
inline int common(const plan& p, int a, int b) {
    while (!contains(p, a, b)) a = p.states[static_cast<std::size_t>(a)].superstate;
    return a;
}

/// Returns whether they are in different regions of a parallel.
inline bool apart(const plan& p, int a, int b) {
    const int c = common(p, a, b);
    return c != a && c != b && p.states[static_cast<std::size_t>(c)].kind == kind::parallel;
}

/// Calls f(list) for each list whose elements can be removed.
template <class Plan, class F> void visit_lists(Plan& p, F f) {
    const auto transition = [&](auto& t) {
        f(t.guards);
        f(t.actions);
        f(t.more_targets);
    };
    f(p.inputs);
    for (auto& s : p.states) {
        f(s.transitions);
        f(s.dispatch);
        f(s.initial);
        for (auto& t : s.transitions) {
            transition(t);
            f(t.joined);
            f(t.excluded);
        }
        for (auto& t : s.dispatch) transition(t);
        for (auto& t : s.initial) transition(t);
        f(s.enter);
        f(s.update);
        f(s.exit);
        f(s.change);
        f(s.init);
        f(s.destroy);
        f(s.unhandled);
        f(s.settled);
        f(s.leave);
        f(s.hold_until);
        f(s.locals);
    }
}

/// Calls f(hook) for each hook.
template <class Plan, class F> void visit_hooks(Plan& p, F f) {
    const auto each = [&](auto& hooks) {
        for (auto& h : hooks) f(h);
    };
    for (auto& s : p.states) {
        each(s.enter);
        each(s.update);
        each(s.exit);
        each(s.change);
        each(s.init);
        each(s.destroy);
        each(s.unhandled);
        each(s.settled);
        each(s.leave);
        for (auto& t : s.transitions) each(t.actions);
        for (auto& t : s.dispatch) each(t.actions);
        for (auto& t : s.initial) each(t.actions);
    }
}

} // namespace differential
