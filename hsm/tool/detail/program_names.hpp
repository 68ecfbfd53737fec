/// What a file names, as the parts of a C++ program: the contexts, and in each what stands in the namespaces guards, hooks, delays, …
///
/// The program's namespace has the context of the root; that of a part of it has a namespace of its own inside, named after the part. Names of
/// one kind and context are in one scope, so a guard and a hook may be called alike, as they may in the file.
#pragma once

#include <hsm/tool/detail/cpp_names.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/detail/open_names.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

enum class cpp_group : std::uint8_t { guards, hooks, changes, delays, done_data, locals, classes, parts, identifiers, events };
inline constexpr std::size_t cpp_groups = 10;
std::string_view to_string(cpp_group group); ///< "guards": the namespace

/// What one name of a file is in the program.
struct program_name {
    cpp_group group;
    behaviour_kind kind; ///< as it is registered: what is a hook somewhere is no update and no action
    std::string name;
    std::string identifier;
    std::vector<place_of_use> places;
    bool contains_states = false; ///< of a class
    std::string event;            ///< of a guard or an action: all its transitions wait for this one; empty: they do not

    bool is_used_as(std::string_view role) const;
};

struct program_context {
    std::vector<std::string> parts; ///< names of those on the way to it; none: the root's
    std::string space;              ///< its namespace in the program's, "weapon_part"; empty: the root's
    std::string scope;              ///< how it is reached from there: "body_part::weapon_part::"
    std::string member;             ///< what it is called in the context around it
    std::vector<program_name> names;
};

class program_names {
public:
    program_names(const std::vector<used_name>& used, const std::string& file);
    /// The same of what was loaded: whether its events have to be names in the program, too.
    program_names(const std::vector<used_name>& used, const std::string& file, const state_base& root);

    /// The root's first, then those inside it, outer ones before inner ones.
    const std::vector<program_context>& contexts() const { return contexts_; }
    const program_context& context(const std::vector<std::string>& parts) const;
    const std::vector<program_name>& events() const { return events_; }
    /// The file waits for beginnings of names, or for what the machine itself raises: then events are names, and no classes.
    bool events_are_names() const { return events_are_names_; }
    const std::vector<program_name>& identifiers() const { return identifiers_; }
    const std::vector<used_name>& bits() const { return bits_; } ///< that the file does not declare

    /// "weapon_part::guards::ready"
    std::string qualified(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const;
    /// In two parts, where `identifier` is what the file says.
    struct reference {
        std::string scope; ///< "weapon_part::guards::"
        std::string identifier;
    };
    reference find(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const;

    /// What is told of names that are alike.
    const std::vector<message>& notes() const { return notes_; }

private:
    std::vector<program_name>& list_for(cpp_group group, const std::vector<std::string>& parts);
    void take(const used_name& n);
    void settle(std::vector<program_name>& names, const std::string& file);
    void name_members();

    std::vector<program_context> contexts_;
    std::vector<program_name> events_, identifiers_;
    std::vector<used_name> bits_;
    std::vector<message> notes_;
    bool events_are_names_ = false;
};

} // namespace hsm::detail::tool
