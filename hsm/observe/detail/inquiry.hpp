/// Finds the obstacles of a machine's transitions, without changing the machine. One object serves one query. During its lifetime the machine is in
/// the mode that `asking` sets.
#pragma once

#include <hsm/observe/explain.hpp>
#include <hsm/run/detail/asking.hpp>

#include <vector>

namespace hsm::detail {

class inquiry {
public:
    /// If `event_is_known`, machine::payload is the event of the query.
    inquiry(machine& asked, explain_options how, bool event_is_known)
        : m(asked), core(core_of(asked)), all_guards(how.all_guards), knows_event(event_is_known), meanwhile_(asked, core) {}

    /// Checks the transition's timer, states, conditions and guards, in this order. Stops at the first guard that returns false, unless
    /// explain_options::all_guards is set. Returns false if there is an obstacle.
    bool ask_words(candidate& c);
    /// The same for a transition whose source is not active. Skips checks that need an active source.
    void ask_words_from_outside(candidate& c);
    /// Checks the states that the transition would exit, for holds: up to the innermost that holds, or all of them. Returns false if one holds.
    bool ask_holds(std::vector<obstacle>& out, index level, index target);
    bool may_be_held(const transition_row& t) const { return core.has_holds && t.target != no_index && !t.force; }

    const transition_row& row(const candidate& c) const { return core.transitions[c.transition]; }
    std::uint32_t number(const transition_row& t) const { return core.number_of(&t) - 1; }

    machine& m;
    const chart_core& core;
    const bool all_guards;
    bool knows_event;

private:
    void ask_time(candidate& c);
    void ask_states(candidate& c);
    void ask_conditions(candidate& c);
    void ask_group(candidate& c, const group_row& group, std::uint16_t number);
    void ask_guards(candidate& c, bool source_is_active);
    bool ask_guard(candidate& c, std::uint32_t guard, bool source_is_active);
    bool ask_hold(std::vector<obstacle>& out, index s, index target);
    bool ask_hold_guards(std::vector<obstacle>& out, index s, index target);

    const asking meanwhile_;
};

} // namespace hsm::detail
