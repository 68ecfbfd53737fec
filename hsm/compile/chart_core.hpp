/// A compiled definition: flat, immutable tables over plain indices, and the tree of nodes that they were made from.
///
/// States are numbered in preorder, so the descendants of s are s+1 .. last. Transitions stand by source, then by role,
/// and within that in the order in which they are tried. A hook is a function pointer and the object it is called with.
#pragma once

#include <hsm/compile/finding.hpp>
#include <hsm/compile/options.hpp>
#include <hsm/compile/outline.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <vector>

namespace hsm {

/// Entries first .. first + count - 1 of a table.
struct span_of {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct hook_row {
    hook::function_type call;
    const void* self;
};

struct guard_row {
    guard::function_type call;
    const void* self;
};

struct local_row {
    const local_prototype* prototype;
    std::uint32_t offset; ///< in the instance's block
};

struct state_row {
    const state_base* node;
    index superstate; ///< no_index for the root
    index last;
    index depth;
    state_kind kind;
    bool transient;
    span_of enter, update, exit, change; ///< hooks
    span_of predicates;                  ///< guards
    span_of locals;
    span_of choices;   ///< transitions: dispatch
    span_of initial;   ///< at most one
    span_of polled;    ///< without event, with a target; those on completion, too
    span_of reactions; ///< without event and target
    span_of events;    ///< with an event
};

struct transition_row {
    const transition_spec* spec;
    index source;
    index target; ///< no_index: internal
    index level;  ///< no_index: above the root
    std::uint16_t event; ///< no_index: polled
    int priority;
    bool on_finished;
    bool any_state; ///< from a superstate to its own substate: satisfied while that is active
    span_of guards;
    span_of actions;
};

struct chart_core {
    mutable std::uint32_t users = 1; ///< handles that share it; changed atomically, by retain and release only

    owned<state_base> root;
    compile_options options;
    std::vector<finding> warnings;

    std::vector<state_row> states;
    std::vector<transition_row> transitions;
    std::vector<event_key> events; ///< sorted, see find_event
    std::vector<hook_row> hooks;
    std::vector<guard_row> guards;
    std::vector<local_row> locals;

    std::uint32_t block_size = 0;      ///< bytes of an instance's locals
    std::uint32_t block_alignment = 1;
    std::uint32_t event_size = 0;      ///< of the largest payload
    std::uint32_t event_alignment = 1;

    bool contains(index outer, index inner) const { return outer <= inner && inner <= states[outer].last; }
    index index_of(const state_base& s) const; ///< no_index if it is not of this chart
    std::uint16_t find_event(const event_ref& event) const; ///< no_index if no transition waits for it
    /// What `key` means, seen from `from`; no_index if there is no such state.
    index find(const state_key& key, index from = 0) const;
};

/// In the order that find_event relies on, each once.
void sort_events(std::vector<event_key>& events);

/// Shared ownership, counted across threads.
void retain(const chart_core* core) noexcept;
void release(const chart_core* core) noexcept;

} // namespace hsm
