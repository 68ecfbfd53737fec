/// Programs made from a file: what `hsm generate` writes. Same file, same options, same text.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/tool/detail/open_xml.hpp>
#include <hsm/tool/detail/program_names.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

struct program_options {
    std::string file;   ///< that it is made from, as comments and #line name it
    std::string space;  ///< the namespace of the program
    std::string hooks;  ///< the header with the context and what happens in it, as it is included
    std::string output; ///< what the text's own lines are called
    bool lines = false; ///< compilers tell the lines of the file
    decision_order order = decision_order::superstate_first;
};

/// A file that is to be a program.
struct program_source {
    const state_base& root;
    const program_names& names;
    const program_options& options;
};

/// The context, and a function, a class or an enumerator for each name. For the programmer to go on with.
std::string hooks_text(const program_source& source);
/// A source file that registers these.
std::string registry_text(const program_source& source, bool with_hooks);
/// A header with `make_definition()`: the tree that a loader makes, by the words of code.
std::string definition_text(const program_source& source);
/// A header with `chart`, a constant chart. What such a chart cannot have is a problem.
std::string constant_text(const program_source& source, problem_list& problems);
/// All that a constant chart cannot have.
void check_constant(const program_source& source, problem_list& problems);

/// "Made from monster.xml by `hsm generate constant`: ..." as a comment.
std::string made_from(const program_options& options, std::string_view word);

} // namespace hsm::detail::tool
