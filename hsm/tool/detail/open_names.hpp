/// Supplies simulated behavior for unregistered names in a file, and lists all names that the file uses.
///
///     simulation world;
///     registry<Context> names;               // registered behavior is used unchanged
///     open_names open(world);
///     const open_names::listening to(open, names);
///     auto loaded = try_load_xml(path, names);
///     for (const auto& n : open.names()) …
///
/// The simulation must outlive the chart. The open_names object is no longer needed after loading.
#pragma once

#include <hsm/load/detail/registry_base.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hsm::detail::tool {

/// A place where a file uses a name, and the role of the name there.
struct use_site {
    origin at;         ///< in the file
    std::string state; ///< the path of the state that uses it; for a class or a part: of the superstate. Empty: declared at the top of the file
    std::string event; ///< for a guard or an action: the event of its transition; may be empty
    std::string role;  ///< "enter", "update", "exit", …; "guard", "hold_until", "finished"; "action"; "delay"; "local"; "class"; "context"; …
};

struct used_name {
    behavior_kind kind;
    std::string name;
    std::string context;            ///< the name of the context's type; for simulated behavior that of the registry or of a part
    bool registered = false;        ///< whether the program registered it
    bool declared = false;          ///< whether the top of the file declares it; for events and bits
    bool contains_states = false;   ///< of a class
    std::int64_t index = 0;         ///< the index of a declared bit; 0: none
    std::vector<std::string> parts; ///< the parts of the context that lead to it, from the root on
    std::vector<use_site> sites;    ///< in the order of the file
};

class open_names final : public name_source {
public:
    explicit open_names(simulation& sim);
    open_names(const open_names&) = delete;
    open_names& operator=(const open_names&) = delete;
    ~open_names() override;

    const behavior* supply(const name_use& use) override;
    void found(const name_use& use, const behavior* registered) override;

    /// Refuses undeclared events from now on if the file declares any events. The same applies to bits.
    void refuse_undeclared();
    /// Returns the names in the order of their first use in the file.
    std::vector<used_name> names() const;

    /// Connects `open` to a registry for the lifetime of this object. The registry then passes all names to it.
    class listening {
    public:
        listening(open_names& open, const registry_base& names) : names_(names) { names_.listen(&open); }
        listening(const listening&) = delete;
        listening& operator=(const listening&) = delete;
        ~listening() { names_.listen(nullptr); }

    private:
        const registry_base& names_;
    };

private:
    struct data;
    std::unique_ptr<data> data_;
};

/// Returns warnings about names that are probably misspelled, in the order of the file.
std::vector<message> misspelt_names(const std::vector<used_name>& names, const std::string& file);

/// The context of machines whose program has no context for them.
struct simulated_context {};

} // namespace hsm::detail::tool
