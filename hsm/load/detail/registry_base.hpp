/// Names and what they stand for: the part of a registry that does not depend on the context (see registry.hpp).
///
/// Filling it is for one thread. Reading it, loading files with it among that, is for any number of threads at a time.
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
    /// A second one of the same kind, name and context is not taken, and every load tells of it.
    void add(behaviour b);
    /// True the first time that it is asked for that context.
    bool is_new(type_tag context);

    // What it has, by kind, then by name.
    std::vector<registered_name> names() const;
    /// What the loads of that file made use of; of a text, the name that it was given.
    std::vector<registered_name> used_by(std::string_view file) const;
    /// What no file has made use of so far.
    std::vector<registered_name> unused() const;
    /// What was registered more than once.
    const std::vector<registered_name>& repeated() const;

    // For loaders.
    const behaviour* find(behaviour_kind kind, std::string_view name, type_tag context) const;
    /// All of that kind that can be used over that context.
    std::vector<std::string_view> names(behaviour_kind kind, type_tag context) const;
    /// Whatever kind and context: for hints.
    std::vector<const behaviour*> named(std::string_view name) const;
    void note_use(std::string_view file, const behaviour& b) const;

    /// Who is told of names in files, and supplies what is not registered; null: nobody. As long as there is one, loading is for one thread.
    void listen(name_source* source) const;
    name_source* source() const;

private:
    struct data;
    owned<data> data_;
};

} // namespace hsm::detail
