/// A plan run by both engines, and what can be seen of it from outside.
#pragma once

#include <hsm/run/instance.hpp>
#include <tests/support/differential/plan.hpp>
#include <tests/support/differential/world.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace differential {

/// The first input after which the engines differ, or one of them breaks what always holds, and what each then shows. Empty: there is none.
struct difference {
    int input = 0; ///< counted from 0; inputs.size(): destroying the instance
    std::string instance, reference;

    explicit operator bool() const { return !instance.empty() || !reference.empty(); }
};

/// What always holds: states are entered once and exited once, superstates around their substates; a machine has one active substate or
/// rests; all regions of an active parallel are active; leaves() and current() are what is_in() says.
difference play(const plan& p);

/// What is seen of an instance of that chart, made from that plan in whatever way, after each input, and after the end.
std::vector<std::string> seen_of(const plan& p, const hsm::chart<world>& chart);

/// An instance of a chart that is played input by input. Plan and chart must outlive it.
class player {
public:
    player(const plan& p, const hsm::chart<world>& chart);
    player(const player&) = delete;
    ~player();

    void give(const input_plan& in); ///< what it throws goes nowhere
    hsm::instance<world>& machine();
    world& context() { return world_; }

private:
    const plan& plan_;
    world world_;
    std::unique_ptr<agent> agent_;
};

/// The inputs of a plan during which an instance moves that counter, leaving out those that end in an exception. Hooks say nothing, and
/// what takes memory by itself (parcels, heavy locals, can) is left out of the plan.
std::vector<int> inputs_that_count(plan p, const std::size_t& counter);

} // namespace differential
