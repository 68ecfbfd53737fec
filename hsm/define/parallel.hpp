/// A state all of whose substates are active together: its regions. They are entered in the order in which they were added,
/// and exited in reverse.
///
///     auto& fight = root->add_parallel("fight");
///     auto& legs = fight.add_fsm("legs");
///     auto& arms = fight.add<attack>();
///     fight.to(rest).on_finished(); // when every region is over
///
/// A region is any state, most often a machine. An event goes to all regions, and each may make its own transition.
#pragma once

#include <hsm/define/composite.hpp>

namespace hsm {

template <class Context> class parallel : public composite<Context, parallel<Context>> {
public:
    explicit parallel(const state_name& name) : composite<Context, parallel<Context>>(name, state_kind::parallel) {}

    /// Entered again, its regions go to the leaves in which they were left, if no target inside is given.
    parallel& remembers_deep() {
        this->set_history(history_depth::deep);
        return *this;
    }
};

} // namespace hsm
