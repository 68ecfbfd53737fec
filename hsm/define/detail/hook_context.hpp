/// The data available while a hook runs. Only instances of charts with hooks that need this data have it.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/detail/op.hpp>

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

/// The last choice by score or chance.
struct evaluation {
    double highest = 0;             ///< of the scores so far; 0: no candidate can be chosen yet
    double bar = 0;                 ///< scores that are not above it change nothing
    std::uint32_t picked = 0;       ///< the transition that `chooser` has picked; 0xffff'ffff: none
    std::uint16_t chooser = 0xffff; ///< the state that has chosen or is choosing a candidate; no_index: none
    bool evaluating = false;        ///< it has not picked one yet
    bool lists = false;             ///< the values of all candidates are stored
    const op* after = nullptr;      ///< where the program continues that chooses; null: it ends
};

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
    double score = 0;               ///< the result of a candidate's score function
    const double* scores = nullptr; ///< of the first candidate of `scorer`, computed in advance
    evaluation choice;
    bool rechoosing = false;       ///< the next evaluation is that of a machine that is active
    bool querying = false;         ///< choices change nothing
    std::uint16_t level = 0xffff;  ///< of the current transition
    bool retry = false;            ///< a machine at rest repeats its entry choice
    bool uses_scores = false;      ///< the current evaluation uses `scores`
    std::uint16_t scorer = 0xffff; ///< the machine whose next evaluation can use `scores`; no_index: none
};

/// Makes a score count that is above the bar, and continues after at[1]. at[1] has the index of the candidate, and its transition in the upper half.
const op* take_offer(const op* at, machine& m);

} // namespace hsm::detail
