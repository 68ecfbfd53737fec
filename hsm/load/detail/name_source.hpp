/// Names in a file, one use after the other, for tools: they are told of each, and may supply what nobody has registered.
#pragma once

#include <hsm/load/detail/behaviour.hpp>

#include <string_view>

namespace hsm::detail {

/// A name where it stands in a file. A view: it is valid as long as the source is told of it.
struct name_use {
    behaviour_kind kind; ///< what is wanted by it: a hook of an update is an `update`, of an action an `action`, of on_change a `change`
    std::string_view name;
    origin at;
    std::string_view file = {};
    const node_factory* over = nullptr; ///< the context that is worked on there; null: it does not matter
    const state_base* state = nullptr;  ///< whose it is; of a class or a part: the superstate. Null: a declaration at the top of the file
    const event_key* event = nullptr;   ///< that its transition waits for; null or empty: none
    hook_kind hook = hook_kind::enter;  ///< of a callback, update or change: which hook of the state
    bool holds = false;                 ///< a guard that is asked whether a state may be left
    bool finishes = false;              ///< a guard that is asked whether a state is over
    bool contains_states = false;       ///< of a class: the file adds substates to it
    bool is_bit_index = false;          ///< of a bit's declaration: the file says at which index
    std::int64_t index = 0;             ///< that one
};

class name_source {
public:
    virtual ~name_source() = default;
    /// Nobody has registered it. Null: it remains unknown, and is an error. What is returned has the kind that is wanted and lives as long as
    /// the loading takes.
    virtual const behaviour* supply(const name_use& use) = 0;
    /// It is registered; or, an event or a bit, declared in the file: then it is null.
    virtual void found(const name_use&, const behaviour*) {}
};

} // namespace hsm::detail
