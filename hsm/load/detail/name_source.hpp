/// An interface for tools: it is called for each name in a file, and can supply behavior that is not registered.
#pragma once

#include <hsm/load/detail/behavior.hpp>

#include <string_view>

namespace hsm::detail {

/// The use of a name in a file. A view that is valid only during the call.
struct name_use {
    behavior_kind kind; ///< the required kind: of an update hook `update`, of an action `action`, of on_change `change`
    std::string_view name;
    origin at;
    std::string_view file = {};
    const node_factory* over = nullptr; ///< the context at this place; null: it does not matter
    const state_base* state = nullptr;  ///< the state that uses it; for a class or a part the superstate. Null: a declaration at the top of the file
    const event_key* event = nullptr;   ///< the event of its transition; null or empty: none
    hook_kind hook = hook_kind::enter;  ///< for a callback, update or change: the kind of hook
    bool holds = false;                 ///< for a guard: it decides whether the state may exit
    bool finishes = false;              ///< for a guard: it decides whether the state is finished
    bool contains_states = false;       ///< for a class: the file adds substates to it
    bool is_bit_index = false;          ///< for the declaration of a bit: the file specifies its index
    std::int64_t index = 0;             ///< the specified index
};

class name_source {
public:
    virtual ~name_source() = default;
    /// Called for a name that is not registered. Returns behavior of the required kind that lives until loading ends; null: the name is an error.
    virtual const behavior* supply(const name_use& use) = 0;
    /// Called for a registered name; for an event or a bit that the file declares, with null.
    virtual void found(const name_use&, const behavior*) {}
};

} // namespace hsm::detail
