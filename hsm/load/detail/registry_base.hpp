/// The part of a registry that does not depend on the context. See registry.hpp.
///
/// Only one thread at a time may fill it. Any number of threads may read it, for instance to load files.
#pragma once

#include <hsm/load/detail/name_source.hpp>

#include <vector>

namespace hsm::detail {

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
