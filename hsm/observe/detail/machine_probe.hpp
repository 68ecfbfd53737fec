/// Finds the obstacles of a machine's transitions, without changing the machine. One object serves one query. During its lifetime the machine is in
/// the mode that `query_scope` sets.
#pragma once

#include <hsm/observe/explain.hpp>
#include <hsm/run/detail/query_scope.hpp>

#include <vector>

namespace hsm::detail {

class machine_probe {
public:
    /// If `event_is_known`, machine::payload is the event of the query; otherwise null.
    machine_probe(machine& checked, explain_options how, bool event_is_known)
        : m(checked), core(core_of(checked)), all_guards(how.all_guards), knows_event(event_is_known), meanwhile_(checked, core) {
        if (!event_is_known) m.payload = nullptr;
    }

    /// Checks the transition's timer, states, conditions and guards, in this order. Stops at the first guard that returns false, unless
    /// explain_options::all_guards is set. Returns false if there is an obstacle.
    bool check_all(candidate& c);
    /// The same for a transition whose source is not active. Skips checks that need an active source.
    void check_inactive(candidate& c);
    /// The same for an entry choice, or a branch of a choice, which is tried after its source is entered. `leaf` is the source, or no_index if the
    /// source is exited before.
    void check_options_of_entry(candidate& c, bool source_is_active, index leaf);
    /// Checks the states that the transition would exit, for holds: up to the innermost that holds, or all of them. Returns false if one holds.
    bool check_holds(std::vector<obstacle>& out, index level, index target);
    bool may_be_held(const transition_row& t) const { return core.has_holds && t.target != no_index && !t.force; }

    const transition_row& row(const candidate& c) const { return core.transitions[c.transition]; }
    std::uint32_t number(const transition_row& t) const { return core.number_of(&t) - 1; }

    machine& m;
    const chart_core& core;
    const bool all_guards;
    bool knows_event;

private:
    void check_timer(candidate& c);
    void check_states(candidate& c);
    void check_conditions(candidate& c, index leaf);
    void check_group(candidate& c, const group_row& group, std::uint16_t number, index leaf);
    index leaf_of(const candidate& c) const { return region_leaf_of(m, core, core.states[row(c).source].region); }
    void check_guards(candidate& c, bool source_is_active);
    bool check_guard(candidate& c, std::uint32_t guard, bool source_is_active);
    void check_score(candidate& c, bool source_is_active);
    void check_cooldown(candidate& c);
    bool check_hold(std::vector<obstacle>& out, index s, index target);
    bool check_hold_guards(std::vector<obstacle>& out, index s, index target);

    const query_scope meanwhile_;
};

} // namespace hsm::detail
