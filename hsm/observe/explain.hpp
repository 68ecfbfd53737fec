/// Explains why a transition did not fire: these functions evaluate the current state and list the obstacles of each relevant transition.
///
///     std::cout << to_string(hsm::explain(goblin, hit{3}));          // an event
///     std::cout << to_string(hsm::explain(goblin));                  // the next tick
///     std::cout << to_string(hsm::why_not(goblin, "attack/slash"));  // a state
///     std::cout << to_string(hsm::possible(goblin));
///
/// Nothing is changed or recorded. Guards are evaluated, and so are the predicates of holding states. If one throws, the exception is rethrown. The
/// agent is an instance, an agent of a crowd (`explain(crowd, id, hit{3})`), or a handle of a manager (`explain(handle, hit{3})`). In a hook, the
/// result is about the states that are active at that moment, like the result of can(). Call these functions in the agent's thread. They allocate
/// memory.
#pragma once

#include <hsm/observe/explanation.hpp>
#include <hsm/run/instance_base.hpp>

#include <concepts>
#include <string_view>

namespace hsm {

struct explain_options {
    /// Evaluates all guards of each candidate, and checks all states that hold, so that all causes are listed. By default, the evaluation stops at
    /// the guard at which a call would stop, because a guard can rely on earlier guards.
    bool all_guards = false;
};

namespace detail {
explanation explain_event(const instance_base& agent, const event_ref& event, explain_options how);

/// An object that can be dereferenced to an instance: an agent in a call, or a handle.
template <class Handle>
concept leads_to_agent = !std::derived_from<Handle, instance_base> && requires(const Handle& h) {
    { *h } -> std::convertible_to<const instance_base&>;
};
template <class Crowd, class Id>
concept has_agents = requires(const Crowd& crowd, const Id& id) {
    { *crowd[id] } -> std::convertible_to<const instance_base&>;
};
} // namespace detail

/// Explains the effect that process(event) would have now. Lists waiting work that would run first, and each candidate in the order of evaluation.
template <event_object E> explanation explain(const instance_base& agent, const E& event, explain_options how = {}) {
    if (detail::holds_event(event)) return detail::explain_event(agent, detail::view_of_event(event), how);
    explanation none;
    none.outcome = result::refused; // a variant that is valueless by exception
    return none;
}
explanation explain(const instance_base& agent, std::string_view event, explain_options how = {});

/// Explains the effect that the decisions and reactions of a tick without elapsed time would have. Lists each polled transition, level by level in
/// the order of the tick. If a transition fires, the transitions after it are evaluated as if it had changed nothing.
explanation explain(const instance_base& agent, explain_options how = {});

/// Lists the obstacles of every transition that leads to the state or to a state inside it, directly or through an entry choice, a choice or a
/// history. Throws state_error if there is no such state.
explanation why_not(const instance_base& agent, const state_key& target, explain_options how = {});

/// Lists the obstacles of a transition, or of all transitions with a label (`.label("cooldown")`). Throws state_error if the chart has no such
/// transition.
explanation why_not_fired(const instance_base& agent, const timer_key& transition, explain_options how = {});

/// Returns each event with the transitions that it would fire, and the enabled polled transitions. A guard that takes the event object cannot be
/// evaluated; transitions that depend on such a guard are marked `perhaps`.
possibilities possible(const instance_base& agent);

// Agents of a crowd.
template <class Crowd, class Id, class... Asked>
    requires detail::has_agents<Crowd, Id>
explanation explain(const Crowd& crowd, const Id& agent, const Asked&... asked) {
    return explain(static_cast<const instance_base&>(*crowd[agent]), asked...);
}
template <class Crowd, class Id>
    requires detail::has_agents<Crowd, Id>
explanation why_not(const Crowd& crowd, const Id& agent, const state_key& target, explain_options how = {}) {
    return why_not(static_cast<const instance_base&>(*crowd[agent]), target, how);
}
template <class Crowd, class Id>
    requires detail::has_agents<Crowd, Id>
explanation why_not_fired(const Crowd& crowd, const Id& agent, const timer_key& transition, explain_options how = {}) {
    return why_not_fired(static_cast<const instance_base&>(*crowd[agent]), transition, how);
}
template <class Crowd, class Id>
    requires detail::has_agents<Crowd, Id>
possibilities possible(const Crowd& crowd, const Id& agent) {
    return possible(static_cast<const instance_base&>(*crowd[agent]));
}

// Handles of a manager.
template <detail::leads_to_agent Handle, class... Asked> explanation explain(const Handle& handle, const Asked&... asked) {
    return explain(static_cast<const instance_base&>(*handle), asked...);
}
template <detail::leads_to_agent Handle> explanation why_not(const Handle& handle, const state_key& target, explain_options how = {}) {
    return why_not(static_cast<const instance_base&>(*handle), target, how);
}
template <detail::leads_to_agent Handle> explanation why_not_fired(const Handle& handle, const timer_key& transition, explain_options how = {}) {
    return why_not_fired(static_cast<const instance_base&>(*handle), transition, how);
}
template <detail::leads_to_agent Handle> possibilities possible(const Handle& handle) { return possible(static_cast<const instance_base&>(*handle)); }

} // namespace hsm
