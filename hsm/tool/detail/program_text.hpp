/// Texts of programs generated from a file, for `hsm generate`. The same file and options result in the same text.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/tool/detail/cpp_text.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/detail/open_names.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// The names of a file as parts of a C++ program: the contexts, each with namespaces guards, hooks, delays, …
///
/// The program's namespace contains the root's context. The context of each part has a nested namespace, named after the part. Names of one kind and
/// context share a scope. So a guard and a hook can have the same name, as in the file.
enum class cpp_group : std::uint8_t { guards, hooks, changes, delays, scores, done_data, locals, classes, parts, identifiers, events };
inline constexpr std::size_t cpp_groups = 11;
std::string_view to_string(cpp_group group); ///< the namespace's name, "guards"

/// A name of a file, and its counterpart in the program.
struct program_name {
    cpp_group group;
    behavior_kind kind; ///< the kind of its registration: a name used as a hook is not an update or action
    std::string name;
    std::string identifier;
    std::vector<use_site> sites;
    bool contains_states = false; ///< for a class
    std::string event;            ///< for a guard or an action: the event of all transitions that use it; empty: they have different events or none
};

struct program_context {
    std::vector<std::string> parts; ///< the parts that lead to it; empty for the root's context
    std::string space;              ///< its namespace within the outer one, "weapon_part"; empty for the root's context
    std::string scope;              ///< its qualification from the program's namespace: "body_part::weapon_part::"
    std::string member;             ///< its member name in the outer context
    std::vector<program_name> names;
};

class program_names {
public:
    /// The loaded tree determines whether events must be names in the program.
    program_names(const std::vector<used_name>& used, const std::string& file, const state_base& root);

    /// Returns the contexts: the root's first, outer ones before inner ones.
    const std::vector<program_context>& contexts() const { return contexts_; }
    const program_context& context(const std::vector<std::string>& parts) const;
    const std::vector<program_name>& events() const { return events_; }
    /// Returns whether events are names instead of classes: the file uses prefixes of names, or events that the machine raises.
    bool events_are_names() const { return events_are_names_; }
    const std::vector<program_name>& identifiers() const { return identifiers_; }
    const std::vector<used_name>& bits() const { return bits_; } ///< bits that the file does not declare

    /// Returns a qualified name such as "weapon_part::guards::ready".
    std::string qualified(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const;
    /// A qualified name in two parts. `identifier` corresponds to the name in the file.
    struct reference {
        std::string scope; ///< "weapon_part::guards::"
        std::string identifier;
    };
    reference find(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const;

    /// Returns notes about names that would become the same identifier.
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
    const bool events_are_names_;
};

struct program_options {
    std::string file;   ///< the source file, as comments and #line name it
    std::string space;  ///< the namespace of the program
    std::string hooks;  ///< the header with the context and the hooks, as it is included
    std::string output; ///< the name of the generated text in #line directives
    bool lines = false; ///< whether #line directives are written
    decision_order order = decision_order::superstate_first;

    std::string short_file() const { return file.substr(file.find_last_of("/\\") + 1); } ///< without its folder
};

/// A file from which a program is generated.
struct program_source {
    const state_base& root;
    const program_names& names;
    const program_options& options;
};

/// Returns a header with the context, and a function, class or enumerator for each name. The programmer edits it.
std::string hooks_text(const program_source& source);
/// Returns a source file that registers these names.
std::string registry_text(const program_source& source, bool with_hooks);
/// Returns a header with `make_definition()`, which builds the same tree as a loader, with definition calls.
std::string definition_text(const program_source& source);
/// Returns a header with `chart`, a constant chart. Adds problems for everything that such a chart does not support.
std::string constant_text(const program_source& source, problem_list& problems);
/// Adds a problem for everything that a constant chart does not support.
void check_constant(const program_source& source, problem_list& problems);

/// Returns a comment that names the source file and the command, "hsm generate constant".
std::string made_from(const program_options& options, std::string_view word);

} // namespace hsm::detail::tool
