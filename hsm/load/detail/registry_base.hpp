/// The part of a registry that does not depend on the context. See registry.hpp.
///
/// Only one thread at a time may fill it. Any number of threads may read it, for instance to load files.
#pragma once

#include <hsm/load/detail/behavior.hpp>

#include <string_view>
#include <vector>

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

/// For tools: can supply behavior that is not registered.
class name_source {
public:
    virtual ~name_source() = default;
    /// Called for a name that is not registered. Returns behavior of the required kind that lives until loading ends; null: the name is an error.
    virtual const behavior* supply(const name_use& use) = 0;
    /// Called for a registered name; for an event or a bit that the file declares, with null.
    virtual void found(const name_use&, const behavior*) {}
};

class registry_base {
public:
    explicit registry_base(const node_factory& context);
    registry_base(registry_base&& other) noexcept;
    registry_base& operator=(registry_base&&) = delete;
    ~registry_base();

    const node_factory& context() const;
    /// Adds a behavior. A second one with the same kind, name and context is ignored, and every load reports it.
    void add(behavior b);
    /// Returns true at the first call for that context.
    bool is_new(type_tag context);

    // The contents, by kind, then by name.
    std::vector<registered_name> names() const;
    /// Returns the names that loads of that file have used; for a text, pass the name that you passed to load_xml_text.
    std::vector<registered_name> used_by(std::string_view file) const;
    /// Returns the names that no load has used so far.
    std::vector<registered_name> unused() const;
    /// Returns the names that were registered more than once.
    const std::vector<registered_name>& repeated() const;

    // For loaders.
    const behavior* find(behavior_kind kind, std::string_view name, type_tag context) const;
    /// Returns all names of that kind that can be used with that context.
    std::vector<std::string_view> names(behavior_kind kind, type_tag context) const;
    /// Returns behavior of any kind and context, for hints.
    std::vector<const behavior*> named(std::string_view name) const;
    void add_use(std::string_view file, const behavior& b) const;

    /// Sets the source that is called for names in files; null: none. While there is one, only one thread may load.
    void listen(name_source* source) const;
    name_source* source() const;

private:
    struct data;
    owned<data> data_;
};

} // namespace hsm::detail
