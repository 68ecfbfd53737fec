/// What the public view of a chart is made of: plain data, of a chart that was compiled at run time, or of a constant one.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

/// What a row of transitions is for.
enum class transition_role : std::uint8_t {
    ordinary,
    dispatch, ///< a choice that a machine makes when it is entered
    initial,  ///< where it goes for want of one
};

/// What a transition waits for.
enum class trigger_kind : std::uint8_t {
    event,
    poll,       ///< it is tried in each tick
    always,     ///< and after every other transition
    completion, ///< its source is over
    after,      ///< a time has passed
    every,      ///< again and again
    entry,      ///< a machine is entered
};

namespace detail {

inline constexpr std::uint32_t no_fact = 0xffff'ffff;

/// Numbers first .. first + count - 1.
struct fact_span {
    std::uint32_t first = 0, count = 0;
};

struct state_facts {
    std::string name, path, distinct;
    state_kind kind = state_kind::leaf;
    history_depth history = history_depth::none;
    bool transient = false, until_released = false;
    std::uint32_t superstate = no_fact, last = 0, depth = 0, region = 0;
    std::vector<std::uint32_t> substates;
    fact_span transitions; ///< that it is the source of
    fact_span hooks[hook_kinds];
    fact_span hold, predicates;    ///< guards
    std::uint32_t least = no_fact; ///< timer
    std::vector<std::string> locals;
    std::vector<std::string> former;
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
    std::uint32_t same_as = 0; ///< the first row of the same written transition
    int priority = 0;
    bool force = false, defers = false, reenter = false, external = false, carries = false;
    std::vector<std::uint32_t> targets, joined, excluded;
    fact_span groups; ///< of conditions, asked before the guards
    fact_span guards, actions;
    std::vector<std::uint32_t> more_guards; ///< of a constant chart: not one behind the other
    file_position where;
};

/// Of guards and other hooks.
struct hook_facts {
    std::string label; ///< empty: none
    file_position where;
    std::uint32_t state = no_fact, transition = no_fact; ///< whose it is; a transition's: both
    std::uint32_t place = 0;                             ///< the how manieth of its kind there
    hook_kind kind = hook_kind::enter;                   ///< of a state's
    bool hidden = false;                                 ///< a loader added it for itself
};

struct event_facts {
    std::string name, type;
    bool is_name = false;
    std::int64_t value = 0;
    std::vector<event_interval> values; ///< if it is several
    std::vector<std::string> former;
};

struct condition_facts {
    std::string name;
    std::uint32_t state = no_fact; ///< at which it was declared, or used first
    file_position where;
    std::vector<std::string> former;
};

struct timer_facts {
    std::uint32_t state = 0;
    std::int64_t fixed = -1; ///< nanoseconds; -1: computed when the state is entered
    bool periodic = false;
    std::string label = {}; ///< of what computes it; empty: none
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
/// Made when first asked for, by whatever thread; as long as the chart.
const chart_facts& facts_of(const chart_core& core);

} // namespace detail

} // namespace hsm
