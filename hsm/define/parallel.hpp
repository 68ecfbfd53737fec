/// A state with regions: substates that are all active together. Regions are entered in the order in which they were added, and exited in reverse.
///
///     auto& fight = root->add_parallel("fight");
///     auto& legs = fight.add_fsm("legs");
///     auto& arms = fight.add<attack>();
///     fight.to(rest).on_finished(); // when every region is finished
///
/// A region can be any state, and is usually a machine. Each event is dispatched to all regions, and each region can have its own transition.
#pragma once

#include <hsm/define/composite.hpp>

namespace hsm {

template <class Context> class parallel : public composite<Context, parallel<Context>> {
public:
    explicit parallel(const state_name& name) : composite<Context, parallel<Context>>(name, state_kind::parallel) {}

    /// Makes the parallel remember its leaves. When the parallel is entered again without a target inside it, its regions enter the leaves that were
    /// active at its last exit.
    parallel& remembers_deep() {
        this->set_history(history_depth::deep);
        return *this;
    }
};

} // namespace hsm
