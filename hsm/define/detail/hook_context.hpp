/// What is known while a hook runs: why, of which state, since when. Charts have it whose hooks ask for it.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {
struct transition_spec;
}

namespace hsm::detail {

/// Why the transition in progress happens.
struct cause {
    hsm::reason reason = hsm::reason::none;
    const event_ref* event = nullptr;            ///< null unless an event is being handled; without its object
    const state_base* source = nullptr;          ///< null for start and stop
    const state_base* target = nullptr;          ///< null for internal reactions
    const state_base* previous = nullptr;        ///< the leaf before the transition
    const transition_spec* transition = nullptr; ///< none for start, stop and requests
};

/// Where a local that a hook takes lies: so far from the beginning of the block. Found when the chart is compiled.
struct local_place {
    const local_type* type;
    std::ptrdiff_t offset;
};
/// The first of that type, from `first` on: there is one.
const local_place& place_of(const local_type& type, const local_place* first);

/// What is known while a hook runs. Only charts with hooks that ask for it have one.
struct hook_context {
    detail::cause cause;
    const state_base* state = nullptr;   ///< whose hook runs, and where locals are looked up from; null: above the root
    const local_place* locals = nullptr; ///< those that it takes
    state_ref hold_target;               ///< of a hold's predicate: where it would be left for; empty if that is not known
    std::int64_t elapsed = 0;            ///< nanoseconds; zero outside updates
    std::int64_t tick_elapsed = 0;       ///< of the tick or update in progress
    successor next;                      ///< what an update returned
    const state_base* arrived = nullptr; ///< for on_change: the leaf after the transition
    std::int64_t delay = 0;              ///< what a delay's function returned, in nanoseconds
    reason entered = reason::none;       ///< entry or history: what enters the state, if not the transition itself
    void* root_context = nullptr;
    std::uint16_t level = 0xffff; ///< of the transition in progress
    bool retry = false;           ///< a machine at rest makes its entry choice anew
};

} // namespace hsm::detail
