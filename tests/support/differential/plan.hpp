/// A definition and its inputs as plain data: what is generated, built, played, shrunk and printed.
///
/// States are numbered in preorder, as a chart numbers them. Events are numbers, see world.hpp.
#pragma once

#include <hsm/compile/options.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstdint>
#include <vector>

namespace differential {

inline constexpr int none = -1;

/// The bits of a context: guards and acts look at them. The last ones are faults, set for the time of one input.
inline constexpr int ordinary_bits = 6;
inline constexpr int all_bits = 10;

/// What a hook does besides telling what it sees.
enum class act {
    nothing,
    process,         ///< what: event
    post,            ///< what: event
    change_to,       ///< what: state
    change_to_place, ///< what: place; throws if there is none
    finish,
    finish_leaf,
    finish_state, ///< what: state
    stop,
    raise,
    flip, ///< what: bit
    can,  ///< what: event
    tick, ///< and the other calls that are refused inside a hook
};

struct act_plan {
    act does = act::nothing;
    int what = 0;
    int bit = none; ///< only if it is set
};

struct hook_plan {
    int token = 0;
    int form = 0; ///< which parameters it takes
    act_plan act;
    int next = none; ///< updates of a form that returns a state: which (or place)
    int next_bit = none;
};

struct guard_plan {
    int token = 0;
    int form = 0;
    int bit = 0;
    bool wanted = true;
    int fault = none; ///< throws if that bit is set
};

struct transition_plan {
    int target = none; ///< none: internal
    int event = none;  ///< none: polled
    bool on_finished = false;
    int priority = 0;
    bool reenter = false;
    bool external = false;
    std::vector<guard_plan> guards;
    std::vector<hook_plan> actions;
};

/// Of dispatch, or initial (no guards, no priority).
struct choice_plan {
    int target = none;
    int priority = 0;
    std::vector<guard_plan> guards;
    std::vector<hook_plan> actions;
};

struct local_plan {
    int type = 0; ///< each at most once per state
    int token = 0;
    int left = 0;     ///< updates until it is finished
    int fault = none; ///< its copy throws if that bit is set
};

enum class kind { leaf, machine, final };

struct state_plan {
    differential::kind kind = differential::kind::leaf;
    int superstate = none;
    int place = none; ///< its enumerator
    bool transient = false;
    int way = 0; ///< to another context, if it is not 0
    std::vector<hook_plan> enter, update, exit, change;
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
    move,  ///< the instance, to another place in memory
    revive ///< starts it if it is not started, or over
};

struct input_plan {
    differential::input does = input::tick;
    int what = 0;   ///< event, state or place
    int amount = 0; ///< payload, or nanoseconds
    std::uint32_t flips = 0;
    std::uint32_t faults = 0;
};

struct plan {
    std::uint64_t seed = 0;
    hsm::compile_options compile;
    hsm::instance_options run;
    std::vector<state_plan> states;
    std::vector<input_plan> inputs;
};

inline bool contains(const plan& p, int outer, int inner) {
    while (inner != none && inner != outer) inner = p.states[static_cast<std::size_t>(inner)].superstate;
    return inner == outer;
}

/// f(list) for each list of parts that can do without any of them.
template <class Plan, class F> void visit_lists(Plan& p, F f) {
    const auto transition = [&](auto& t) {
        f(t.guards);
        f(t.actions);
    };
    f(p.inputs);
    for (auto& s : p.states) {
        f(s.transitions);
        f(s.dispatch);
        f(s.initial);
        for (auto& t : s.transitions) transition(t);
        for (auto& t : s.dispatch) transition(t);
        for (auto& t : s.initial) transition(t);
        f(s.enter);
        f(s.update);
        f(s.exit);
        f(s.change);
        f(s.locals);
    }
}

/// f(hook) for each.
template <class Plan, class F> void visit_hooks(Plan& p, F f) {
    const auto each = [&](auto& hooks) {
        for (auto& h : hooks) f(h);
    };
    for (auto& s : p.states) {
        each(s.enter);
        each(s.update);
        each(s.exit);
        each(s.change);
        for (auto& t : s.transitions) each(t.actions);
        for (auto& t : s.dispatch) each(t.actions);
        for (auto& t : s.initial) each(t.actions);
    }
}

} // namespace differential
