/// Generates the parts of a definition besides its states and targets: features, hooks, guards, times, inputs.
#pragma once

#include <tests/support/differential/dice.hpp>
#include <tests/support/differential/plan.hpp>

#include <initializer_list>
#include <vector>

namespace differential {

class parts_generator {
protected:
    explicit parts_generator(std::uint64_t seed) : dice_(seed) { plan_.seed = seed; }

    int count() const { return static_cast<int>(plan_.states.size()); }
    state_plan& at(int s) { return plan_.states[static_cast<std::size_t>(s)]; }

    /// Chooses the features of this chart. Each chart lacks some features, so that each feature is also tested in simple charts.
    void choose_character();

    std::vector<hook_plan> hooks(int percent, int forms);
    hook_plan make_hook(int forms); ///< form 0 takes only the context
    void make_successor(hook_plan& h);
    std::vector<guard_plan> guards();
    guard_plan make_guard();
    time_plan make_time();
    input_plan make_input(int position);
    void make_scores(state_plan& s);

    int priority() { return dice_.chance(30) ? dice_.below(5) - 2 : 0; }
    /// Rarely the root, because that would often end the machine.
    int some_state() { return dice_.chance(5) ? 0 : 1 + dice_.below(count() - 1); }
    int known_event();
    int several_of(int event);
    int any_event();
    int fault() { return ordinary_bits + dice_.below(all_bits - ordinary_bits); }

    dice dice_;
    plan plan_;
    int token_ = 0;
    int transitions_ = 0;
    // percentages
    int acts_ = 0, always_ = 0, changes_ = 0, choices_ = 0, completions_ = 0, deferrals_ = 0, dispatches_ = 0, faults_ = 0;
    int exclusions_ = 0, finals_ = 0, forks_ = 0, guards_ = 0, histories_ = 0, holds_ = 0, joins_ = 0, lives_ = 0, locals_ = 0, parallels_ = 0,
        ranges_ = 0, names_ = 0, settles_ = 0, anything_ = 0, tags_ = 0, scores_ = 0;
    int conditions_ = 0, projections_ = 0, steps_ = 0, successors_ = 0, timers_ = 0, transients_ = 0;
    int updates_ = 60;
    int least_states_ = 0;
    bool stays_ = false; ///< most transitions stay in their region
    bool plain_ = false; ///< most rare inputs request transitions
    int together_ = 0;   ///< percentage: parts of states are left out, so that transitions of several regions form one step

private:
    void choose_conditions();
    void stay_in_regions();
    void be_plain();
    void make_quiet();
    void choose_scores();
    void ask_conditions(guard_plan& g);
    int some_condition() { return 1 + dice_.below(static_cast<int>(plan_.conditions.size()) - 1); } ///< without is_over
    act_plan make_act();
    act_plan make_look();
    input choose_input();
    input choose_rare_input();

    bool quiet_ = false;               ///< most ticks have no effect, and depend only on conditions and time
    int events_ = 1, first_event_ = 0; ///< the events that transitions wait for
};

} // namespace differential
