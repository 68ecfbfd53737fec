/// Plays a plan with both engines, and compares what is visible from outside.
#pragma once

#include <hsm/run/instance.hpp>
#include <tests/support/differential/edit.hpp>
#include <tests/support/differential/plan.hpp>
#include <tests/support/differential/test_context.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace differential {

/// The first input after which the engines differ, or one of them violates an invariant, and what each then shows. Empty: none.
struct difference {
    int input = 0; ///< counted from 0; inputs.size(): destroying the instance
    std::string instance, reference;

    explicit operator bool() const { return !instance.empty() || !reference.empty(); }
};

/// Plays a plan. The invariants are: states are entered once and exited once, superstates around their substates; a machine has one active substate
/// or is at rest; all regions of an active parallel are active; leaves() and current() agree with is_in().
difference play(const plan& p);

/// Returns what is seen of an instance of that chart after each input, and after the end. The chart can be made from the plan in any way.
std::vector<std::string> seen_of(const plan& p, const hsm::chart<test_context>& chart);

/// Plays the first inputs of `before`, reloads, and plays the inputs of `after`. The reference is placed by `place`.
struct reloaded_play {
    difference found;
    bool is_played = false; ///< not if a transition, event or request waits for a state that holds
    std::size_t same = 0, moved = 0, replaced = 0, dropped = 0;
};
reloaded_play play_edited(edited e, std::size_t first_inputs);

/// Plays an instance of a chart input by input. Plan and chart must outlive it.
class player {
public:
    player(const plan& p, const hsm::chart<test_context>& chart);
    player(const player&) = delete;
    ~player();

    void give(const input_plan& in); ///< exceptions are ignored
    hsm::instance<test_context>& machine();
    test_context& context() { return test_context_; }

private:
    const plan& plan_;
    test_context test_context_;
    std::unique_ptr<agent> agent_;
};

/// Returns the inputs of a plan during which an instance changes that counter, except those that end with an exception. Hooks record nothing, and
/// parts of the plan that allocate memory (parcels, heavy locals, can) are removed.
std::vector<int> inputs_that_count(plan p, const std::size_t& counter);

} // namespace differential
