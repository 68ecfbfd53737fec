/// Coverage for people, and for what shows coverage of sources.
///
///     hsm::write_coverage(seen, "character.html");
///
/// All of them throw coverage_error (HSM-341) if something cannot be written, or the file cannot be opened.
#pragma once

#include <hsm/observe/coverage.hpp>

#include <string>
#include <string_view>

namespace hsm {

/// A table, and a line for each item that is missing: "character.cpp:42: never taken: idle -> run on press". Of pairs and events 20 at most.
void write_coverage_text(const coverage& seen, byte_sink& to);
std::string coverage_text(const coverage& seen);

/// A page that needs no other file: the tree of states with their transitions and guards, how often each, what is missing marked.
void write_coverage_html(const coverage& seen, byte_sink& to);

/// For genhtml of lcov (--rc lcov_branch_coverage=1), and editors: states and transitions are functions, answers of guards branches, at the lines
/// where they were written. A line is as often covered as the rarest state or transition on it. What has no place is left out. `root` is put in front
/// of paths that are relative: code knows its files by the names that the compiler was given.
void write_coverage_lcov(const coverage& seen, byte_sink& to, std::string_view root = {});

/// By the end of the name: .html, .info for lcov, else text.
void write_coverage(const coverage& seen, const std::string& path);

} // namespace hsm
