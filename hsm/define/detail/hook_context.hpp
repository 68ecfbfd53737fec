/// The data available while a hook runs. Only instances of charts with hooks that need this data have it.
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

/// Why the current transition happens.
struct cause {
    hsm::reason reason = hsm::reason::none;
    const event_ref* event = nullptr;            ///< null unless an event is being handled; without its payload
    const state_base* source = nullptr;          ///< null for start and stop
    const state_base* target = nullptr;          ///< null for internal reactions
    const state_base* previous = nullptr;        ///< the leaf before the transition
    const transition_spec* transition = nullptr; ///< null for start, stop and requests
};

/// The place of a local that a hook takes: its offset in the block. Computed when the chart is compiled.
struct local_slot {
    const local_type* type;
    std::ptrdiff_t offset;
};
/// Returns the first place of that type, from `first` on. Requires that one exists.
const local_slot& slot_of_local(const local_type& type, const local_slot* first);

struct hook_context {
    detail::cause cause;
    const state_base* state = nullptr;   ///< the state whose hook runs; locals are looked up from here; null: above the root
    const local_slot* locals = nullptr;  ///< the places of the locals that it takes
    state_ref hold_target;               ///< for a hold's predicate: the target of the waiting transition; empty if unknown
    std::int64_t elapsed = 0;            ///< nanoseconds; zero outside updates
    std::int64_t tick_elapsed = 0;       ///< of the current tick or update
    successor next;                      ///< the result of an update
    const state_base* arrived = nullptr; ///< for on_change: the leaf after the transition
    std::int64_t delay = 0;              ///< the result of a delay's function, in nanoseconds
    reason entered = reason::none;       ///< entry or history: enters the state instead of the transition's own target
    void* root_context = nullptr;
    double score = 0;                ///< the result of a candidate's score function
    std::uint32_t picked = 0;        ///< the transition that `choosing` has picked; 0xffff'ffff: none
    std::uint16_t choosing = 0xffff; ///< the state that has chosen or is choosing a candidate; no_index: none
    bool evaluating = false;         ///< it has not picked one yet
    bool rechoosing = false;         ///< a machine that is active chooses again
    bool querying = false;           ///< choices change nothing
    bool offered = false;            ///< a candidate can be chosen
    std::uint16_t level = 0xffff;    ///< of the current transition
    bool retry = false;              ///< a machine at rest repeats its entry choice
};

} // namespace hsm::detail
