/// Why did it not fire? What is asked here answers from what is active now, and tells for each transition that has a say what stands in its way.
///
///     std::cout << to_string(hsm::explain(goblin, hit{3}));          // an event
///     std::cout << to_string(hsm::explain(goblin));                  // the next tick
///     std::cout << to_string(hsm::why_not(goblin, "attack/slash"));  // a state
///     std::cout << to_string(hsm::possible(goblin));
///
/// Nothing changes by asking, and nothing is recorded. Guards are asked, and predicates of states that hold: what one throws goes through. The
/// agent is an instance, an agent of a crowd (`explain(herd, id, hit{3})`), or a handle of a manager (`explain(handle, hit{3})`). In a hook the
/// answer is about what is active then, as that of can(). Asked in the thread of the agent. It allocates.
#pragma once

#include <hsm/observe/explanation.hpp>
#include <hsm/run/instance_base.hpp>

#include <concepts>
#include <string_view>

namespace hsm {

struct explain_options {
    /// Asks all guards of all candidates, also behind one that refuses, and all states that hold: so that all causes are listed. A guard
    /// may rely on those before it, and may then not be asked by itself; therefore the default is to stop where the machine does.
    bool all_guards = false;
};

namespace detail {
explanation explain_event(const instance_base& agent, const event_ref& event, explain_options how);

/// An agent in a call, or a handle, as an instance.
template <class Handle>
concept leads_to_agent = !std::derived_from<Handle, instance_base> && requires(const Handle& h) {
    { *h } -> std::convertible_to<const instance_base&>;
};
template <class Herd, class Id>
concept has_agents = requires(const Herd& herd, const Id& id) {
    { *herd[id] } -> std::convertible_to<const instance_base&>;
};
} // namespace detail

/// What process(event) would do now, and why: each candidate in the order in which it is asked. What waits and would come before is listed, too.
template <event_object E> explanation explain(const instance_base& agent, const E& event, explain_options how = {}) {
    if (detail::holds_event(event)) return detail::explain_event(agent, detail::view_of_event(event), how);
    explanation none;
    none.outcome = result::refused; // a variant that has lost its value
    return none;
}
explanation explain(const instance_base& agent, std::string_view event, explain_options how = {});

/// What the decisions and reactions of a tick would do now, no time having passed: each polled transition, level by level in the order of the
/// tick. Behind one that fires stands what would be decided if it did not change what is asked.
explanation explain(const instance_base& agent, explain_options how = {});

/// Every transition that leads to that state, or into it: straight, by an entry choice, through a choice or history; and what each lacks. Throws
/// state_error if there is no such state.
explanation why_not(const instance_base& agent, const state_key& target, explain_options how = {});

/// Events, each with the transitions that it would fire, and polled transitions that are enabled. A guard that takes the event's object cannot be
/// asked, so what hangs on it is told as `perhaps`.
possibilities possible(const instance_base& agent);

// Agents of a crowd.
template <class Herd, class Id, class... Asked>
    requires detail::has_agents<Herd, Id>
explanation explain(const Herd& herd, const Id& agent, const Asked&... asked) {
    return explain(static_cast<const instance_base&>(*herd[agent]), asked...);
}
template <class Herd, class Id>
    requires detail::has_agents<Herd, Id>
explanation why_not(const Herd& herd, const Id& agent, const state_key& target, explain_options how = {}) {
    return why_not(static_cast<const instance_base&>(*herd[agent]), target, how);
}
template <class Herd, class Id>
    requires detail::has_agents<Herd, Id>
possibilities possible(const Herd& herd, const Id& agent) {
    return possible(static_cast<const instance_base&>(*herd[agent]));
}

// Handles of a manager.
template <detail::leads_to_agent Handle, class... Asked> explanation explain(const Handle& handle, const Asked&... asked) {
    return explain(static_cast<const instance_base&>(*handle), asked...);
}
template <detail::leads_to_agent Handle> explanation why_not(const Handle& handle, const state_key& target, explain_options how = {}) {
    return why_not(static_cast<const instance_base&>(*handle), target, how);
}
template <detail::leads_to_agent Handle> possibilities possible(const Handle& handle) { return possible(static_cast<const instance_base&>(*handle)); }

} // namespace hsm
