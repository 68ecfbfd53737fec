/// Asks a machine what stands in the way of its transitions, and changes nothing. One object serves one question; as long as it
/// is there the machine is as `asking` has made it.
#pragma once

#include <hsm/observe/explain.hpp>
#include <hsm/run/detail/asking.hpp>

#include <vector>

namespace hsm::detail {

class inquiry {
public:
    /// `knows_event`: machine::payload is the event that it is about.
    inquiry(machine& asked, explain_options how, bool event_is_known)
        : m(asked), core(core_of(asked)), all_guards(how.all_guards), knows_event(event_is_known), meanwhile_(asked, core) {}

    /// Timer, states, conditions, guards, in their order. The guards as long as nothing refuses, or all of them. False: something refuses.
    bool ask_words(candidate& c);
    /// The same without its source being active: what belongs to that is not asked.
    void ask_words_from_outside(candidate& c);
    /// The states that it would leave and that hold: the innermost that does, or all of them. False if one does.
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
