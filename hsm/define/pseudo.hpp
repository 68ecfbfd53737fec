/// States that a machine only passes through: choices, and history. They have no hooks, and are never what is active once
/// a transition is complete.
///
///     auto& landed = air.add_choice("landed");
///     landed.to(roll).when(&character::fast);
///     landed.otherwise(idle);
///
///     auto& back = combat.add_history("back");
///     back.otherwise(guard);
///     stunned.to(back).after(1s);
#pragma once

#include <hsm/define/state_base.hpp>
#include <hsm/define/transition.hpp>

#include <concepts>

namespace hsm {

/// Decides, when it is entered, where to go on. A branch is a transition like any other: it may lead anywhere, and what
/// it leaves is exited, then its action runs, then the entries follow.
template <class Context> class choice : public state_base {
public:
    using context_type = Context;

    explicit choice(const state_name& name) : state_base(name, state_kind::choice) { set_transient(); }

    /// A branch. The first whose guard holds is taken, by priority, then in order.
    template <std::convertible_to<state_key>... More> entry_choice<Context> to(const target_key& target, const More&... more) {
        return entry_choice<Context>(branch(target, more...));
    }
    /// The branch that is taken if no other is; every choice needs one.
    template <std::convertible_to<state_key>... More> initial_choice<Context> otherwise(const target_key& target, const More&... more) {
        auto& spec = branch(target, more...);
        spec.priority = last;
        return initial_choice<Context>(spec);
    }

private:
    static constexpr int last = -2147483647 - 1;

    template <class... More> transition_spec& branch(const target_key& target, const More&... more) {
        auto& spec = add_transition(target);
        spec.aim_at_more(more...);
        return spec;
    }
};

/// As a target, the substate (or, if it is deep, the leaf, or the leaves) in which its superstate was left last.
template <class Context> class history : public state_base {
public:
    using context_type = Context;

    history(const state_name& name, history_depth depth) : state_base(name, state_kind::history) { set_history(depth); }

    /// Where to go if the machine was never left, or was at rest or finished then. Default: its entry choice.
    template <std::convertible_to<state_key>... More> initial_choice<Context> otherwise(const target_key& target, const More&... more) {
        auto& spec = add_initial(target);
        spec.aim_at_more(more...);
        return initial_choice<Context>(spec);
    }
};

} // namespace hsm
