/// The data of the public view of a chart: plain data, for charts compiled at run time and for constant charts.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

/// The use of a row of transitions.
enum class transition_role : std::uint8_t {
    ordinary,
    dispatch, ///< an entry choice of a machine
    initial,  ///< the default target of a machine
};

/// What triggers a transition.
enum class trigger_kind : std::uint8_t {
    event,
    poll,       ///< each tick
    always,     ///< each tick and every other transition
    completion, ///< its source is finished
    after,      ///< a time has passed
    every,      ///< a period has passed, repeatedly
    entry,      ///< a machine is entered
};

namespace detail {

inline constexpr std::uint32_t no_fact = 0xffff'ffff;

/// The numbers from first to first + count - 1.
struct fact_span {
    std::uint32_t first = 0, count = 0;
};

struct state_facts {
    std::string name, path, distinct;
    state_kind kind = state_kind::leaf;
    history_depth history = history_depth::none;
    choosing choose = choosing::first;
    double stay_bonus = 0;
    bool transient = false, until_released = false;
    std::uint32_t superstate = no_fact, last = 0, depth = 0, region = 0;
    std::vector<std::uint32_t> substates;
    fact_span transitions; ///< of which it is the source
    fact_span hooks[hook_kinds];
    fact_span hold, predicates;    ///< guards
    std::uint32_t least = no_fact; ///< timer
    std::vector<std::string> locals;
    std::vector<std::string> former;
    std::vector<std::string> tags;
    file_position where;
    const state_base* node = nullptr;
};

struct literal_fact {
    std::uint32_t condition;
    bool wanted;
};
struct group_facts {
    bool any;
    std::vector<literal_fact> literals;
};

struct transition_facts {
    transition_role role = transition_role::ordinary;
    trigger_kind trigger = trigger_kind::poll;
    std::uint32_t source = 0, level = no_fact, event = no_fact, timer = no_fact;
    std::uint32_t same_as = 0; ///< the first row of the same transition of the definition
    int priority = 0;
    std::uint8_t options = 0; ///< see view_bits
    std::vector<std::uint32_t> targets, joined, excluded;
    bool candidate = false;        ///< chosen by score or by chance
    std::int64_t cooldown = 0;     ///< nanoseconds
    double weight = 1;             ///< its fixed score
    std::uint32_t score = no_fact; ///< a hook: computes the score
    fact_span groups;              ///< of conditions, tested before the guards
    fact_span guards, actions;
    std::vector<std::uint32_t> more_guards; ///< of a constant chart: they are not consecutive
    file_position where;
    std::string label; ///< empty: none
};

/// The data of a guard or another hook.
struct hook_facts {
    std::string label; ///< empty: none
    file_position where;
    std::uint32_t state = no_fact, transition = no_fact; ///< its owner; for a transition's both are set
    std::uint32_t place = 0;                             ///< its index among those of its kind in the owner
    hook_kind kind = hook_kind::enter;                   ///< of a state's hook
    bool hidden = false;                                 ///< added by a loader
};

struct event_facts {
    std::string name, type;
    bool is_name = false;
    std::int64_t value = 0;
    std::vector<event_interval> values; ///< if it means several values
    std::vector<std::string> former;
};

struct condition_facts {
    std::string name;
    std::uint32_t state = no_fact; ///< where it was declared or first used
    file_position where;
    std::vector<std::string> former;
    bool trigger = false;
};

struct timer_facts {
    std::uint32_t state = 0;
    std::int64_t fixed = -1; ///< nanoseconds; -1: computed when the state is entered
    bool periodic = false;
    std::string_view option = {}; ///< of the transition that has it: "after", "every"; empty: a least duration
    std::string label = {};       ///< of the function that computes it; empty: none
    const transition_spec* spec = nullptr;
};

struct chart_facts {
    bool substate_first = false;
    std::vector<state_facts> states;
    std::vector<transition_facts> transitions;
    std::vector<group_facts> groups;
    std::vector<hook_facts> guards, hooks;
    std::vector<event_facts> events;
    std::vector<condition_facts> conditions;
    std::vector<timer_facts> timers;
};

struct chart_core;
/// Builds the facts at the first call, in any thread. They live as long as the chart.
const chart_facts& facts_of(const chart_core& core);

} // namespace detail

} // namespace hsm
