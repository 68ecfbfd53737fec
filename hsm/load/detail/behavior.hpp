/// A type-erased behavior that a file can name: a hook, a guard, an action, a state class, an event, ...
///
/// A callable is registered once and used in any number of places. Each place gets its own copy, as if the definition was written in code. So a
/// loaded definition does not need the registry.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

enum class behavior_kind : std::uint8_t {
    callback,
    update,
    action,
    guard,
    change,
    delay,
    score,
    done_data,
    local,
    state,
    part,
    identifier,
    event,
    bit
};

std::string_view to_string(behavior_kind kind); ///< "guard"

/// A context type, and how to create plain nodes over it.
struct node_factory {
    type_tag context;
    std::string_view name;
    owned<state_base> (*make)(state_kind kind, history_depth depth, std::string name);
};

struct behavior {
    behavior_kind kind = behavior_kind::callback;
    std::string name;
    shared_name label;                  ///< the name of the hooks, guards and actions that use it; set by the registry
    const node_factory* over = nullptr; ///< the context that it requires; null: any

    /// For callables: returns the parts of a copy.
    erased<bound_op (*)(const void* callable)> op;
    bool (*ask)(const void* callable, machine& m) = nullptr; ///< for guards: evaluates the guard as a part of another one
    const event_type* event = nullptr;                       ///< for guards and actions: the event that they take
    bool names_successor = false;                            ///< for updates

    delay fixed; ///< for delays: a constant time

    /// Adds a local to a state, or a substate to a state; then returns the substate.
    erased<state_base* (*)(const void* arguments, state_base& at)> make;
    erased<void (*)(const void* way, state_base& at)> project; ///< sets the projection from the superstate's context
    const node_factory* inner = nullptr;                       ///< for parts and state classes: the inner context

    event_key key;
    enum_id id;
    std::int64_t index = condition_spec::any_index; ///< for bits
};

/// Returns a copy of a callable.
inline bound_op copy_of(const behavior& b) { return b.op.call()(b.op.self()); }
/// Returns a copy with the behavior's name. `at`: where a file names it.
template <class Hook = hook> Hook named_copy_of(const behavior& b, origin at) {
    Hook copy(copy_of(b));
    copy.set_name(b.label);
    copy.set_where(at);
    return copy;
}

/// An entry of lists of names.
struct registered_name {
    behavior_kind kind;
    std::string name;
    std::string context; ///< empty: any context

    friend bool operator==(const registered_name&, const registered_name&) = default;
};

} // namespace hsm::detail
