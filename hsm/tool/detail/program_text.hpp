/// Texts of programs generated from a file, for `hsm generate`. The same file and options result in the same text.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/tool/detail/open_xml.hpp>
#include <hsm/tool/detail/program_names.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

struct program_options {
    std::string file;   ///< the source file, as comments and #line name it
    std::string space;  ///< the namespace of the program
    std::string hooks;  ///< the header with the context and the hooks, as it is included
    std::string output; ///< the name of the generated text in #line directives
    bool lines = false; ///< whether #line directives are written
    decision_order order = decision_order::superstate_first;
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
