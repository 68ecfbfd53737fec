/// Choices and history states: states that a machine only passes through. They have no hooks and are never active after a transition.
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

/// A state that chooses the next state when it is entered. A branch is an ordinary transition and can lead anywhere: the states that it leaves are
/// exited, then its action runs, then its target is entered.
template <class Context> class choice : public state_base {
public:
    using context_type = Context;

    explicit choice(const state_name& name) : state_base(name, state_kind::choice) { set_transient(); }

    /// Sets how a branch is chosen. `otherwise` is taken if no other branch can be chosen.
    choice& choose(hsm::choosing how) {
        this->choosing().how = how;
        return *this;
    }
    /// Adds a branch. Branches are tried by priority, then in the order of definition. The first with a true guard is taken.
    template <std::convertible_to<state_key>... More> entry_choice<Context> to(const target_key& target, const More&... more) {
        return entry_choice<Context>(branch(target, more...));
    }
    /// Sets the branch that is taken if the guards of all other branches are false. Every choice needs a branch without a guard.
    template <std::convertible_to<state_key>... More> initial_choice<Context> otherwise(const target_key& target, const More&... more) {
        auto& spec = branch(target, more...);
        spec.priority = last;
        return initial_choice<Context>(spec);
    }

private:
    static constexpr int last = -2147483647 - 1;

    template <class... More> transition_spec& branch(const target_key& target, const More&... more) {
        return add_transition(target).aim_at_more(more...);
    }
};

/// A target that stands for the substate that was active when its superstate was last exited. A deep history stands for the leaf or leaves that were
/// active. A history state from add_previous stands for the substate that was active before the current one.
template <class Context> class history : public state_base {
public:
    using context_type = Context;

    history(const state_name& name, history_depth depth) : state_base(name, state_kind::history) { set_history(depth); }

    /// Sets the target that is entered if the history has no record. It has no record if the machine was never exited, or if the machine was at rest
    /// (active without a substate) or finished when it was exited. The default is the machine's entry choice.
    template <std::convertible_to<state_key>... More> initial_choice<Context> otherwise(const target_key& target, const More&... more) {
        return initial_choice<Context>(add_initial(target).aim_at_more(more...));
    }
};

} // namespace hsm
