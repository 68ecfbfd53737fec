/// What a file can name: a hook, a guard, an action, a class of states, an event, ... with its type forgotten.
///
/// A callable is registered once and used in any number of places; each place gets a copy of its own, as if the
/// definition had been written in code. So a definition does not need the registry any more once it has been loaded.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

enum class behaviour_kind : std::uint8_t { callback, update, action, guard, change, delay, done_data, local, state, part, identifier, event, bit };

std::string_view to_string(behaviour_kind kind); ///< "guard"

/// A context by its type, and how plain nodes over it are made.
struct node_factory {
    type_tag context;
    std::string_view name;
    owned<state_base> (*make)(state_kind kind, history_depth depth, std::string name);
};

struct behaviour {
    behaviour_kind kind = behaviour_kind::callback;
    std::string name;
    shared_name label;                  ///< the same, for what bears it; set by the registry
    const node_factory* over = nullptr; ///< the context that it is for; null: any

    /// Of what is called: the parts of a copy of the callable.
    erased<op_parts (*)(const void* callable)> op;
    bool (*ask)(const void* callable, machine& m) = nullptr; ///< of a guard, to be asked as a part of another one
    const event_type* event = nullptr;                       ///< of a guard or an action that takes it
    bool names_successor = false;                            ///< of an update

    delay fixed; ///< a delay that is known

    /// Adds a local to a state, or a substate to a state, which is then returned.
    erased<state_base* (*)(const void* arguments, state_base& at)> make;
    erased<void (*)(const void* way, state_base& at)> project; ///< sets the way from a superstate's context
    const node_factory* inner = nullptr;                       ///< of a part, or a class of states: the context inside

    event_key key;
    enum_id id;
    std::int64_t index = condition_spec::any_index; ///< of a bit
};

/// As lists name it.
struct registered_name {
    behaviour_kind kind;
    std::string name;
    std::string context; ///< empty: any

    friend bool operator==(const registered_name&, const registered_name&) = default;
};

} // namespace hsm::detail
