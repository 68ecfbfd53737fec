/// A registry's other half: behaviour for all names in a file that nobody has registered, and a list of what the file names.
///
///     simulation world;
///     registry<Context> names;               // what a program has registered is used as it is
///     open_names open(world);
///     const open_names::listening to(open, names);
///     auto loaded = try_load_xml(path, names);
///     for (const auto& n : open.names()) …
///
/// The chart needs the simulation as long as it lives, and the open_names no more.
#pragma once

#include <hsm/load/detail/registry_base.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hsm::detail::tool {

/// A place where a file names something, and how.
struct place_of_use {
    origin at;         ///< in the file
    std::string state; ///< the path of the state whose it is; of a class or a part: of the superstate. Empty: declared at the top of the file
    std::string event; ///< of a guard or an action: what its transition waits for; empty: nothing
    std::string role;  ///< "enter", "update", "exit", …; "guard", "hold_until", "finished"; "action"; "delay"; "local"; "class"; "context"; …
};

struct used_name {
    behaviour_kind kind;
    std::string name;
    std::string context;              ///< by the name of its type; of simulated behaviour that of the registry's, or of a part's
    bool registered = false;          ///< the program has it
    bool declared = false;            ///< an event or a bit, at the top of the file
    bool contains_states = false;     ///< of a class
    std::int64_t index = 0;           ///< of a declared bit with an index; 0: it has none
    std::vector<std::string> parts;   ///< names of the parts of the context on the way to it, from the root's on
    std::vector<place_of_use> places; ///< the first in the file comes first
};

class open_names final : public name_source {
public:
    explicit open_names(simulation& world);
    open_names(const open_names&) = delete;
    open_names& operator=(const open_names&) = delete;
    ~open_names() override;

    const behaviour* supply(const name_use& use) override;
    void found(const name_use& use, const behaviour* registered) override;

    /// From now on it does not supply events (bits) that the file does not declare, if the file declares any events (bits).
    void refuse_undeclared();
    /// By their first place in the file.
    std::vector<used_name> names() const;

    /// As long as it is there, the registry has it for what it does not know.
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

/// Warnings about names that are probably misspelt, in their order in the file.
std::vector<message> misspelt_names(const std::vector<used_name>& names, const std::string& file);

/// The context of machines that are nobody's yet.
struct simulated_context {};

} // namespace hsm::detail::tool
