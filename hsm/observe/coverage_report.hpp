/// Coverage reports for people, and for programs that display source coverage.
///
///     hsm::write_coverage(seen, "character.html");
///
/// All functions throw coverage_error (HSM-341) if the file cannot be opened or written.
#pragma once

#include <hsm/observe/coverage.hpp>

#include <string>
#include <string_view>

namespace hsm {

/// Writes a table, and a line for each missing item: "character.cpp:42: never taken: idle -> run on press". At most 20 pairs and 20 events are
/// listed.
void write_coverage_text(const coverage& seen, byte_sink& to);
std::string coverage_text(const coverage& seen);

/// Writes a self-contained page: the tree of states with transitions, guards and counts. Missing items are marked.
void write_coverage_html(const coverage& seen, byte_sink& to);

/// Writes a file for lcov's genhtml (--rc lcov_branch_coverage=1) and editors. In the file, states and transitions are functions, and results of
/// guards are branches, at the lines of their definitions. The count of a line is the lowest count of a state or transition that is defined there.
/// Items without a position are left out. `root` is prepended to relative paths; positions in code contain the paths that were passed to the
/// compiler.
void write_coverage_lcov(const coverage& seen, byte_sink& to, std::string_view root = {});

/// Selects the format by the extension: .html, .info for lcov, otherwise text.
void write_coverage(const coverage& seen, const std::string& path);

} // namespace hsm
