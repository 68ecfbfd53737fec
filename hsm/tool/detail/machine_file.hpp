/// Files that machines are in: one table of their formats, by the end of the name.
#pragma once

#include <hsm/load/detail/registry_base.hpp>
#include <hsm/load/load_error.hpp>
#include <hsm/load/load_options.hpp>
#include <hsm/tool/detail/command.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

struct machine_format {
    std::string_view name;      ///< "xml"
    std::string_view extension; ///< ".xml"
    /// Makes a root over the context of `names`, with that in it; or tells what is in the way, and leaves `root` empty. Messages call it by `file`.
    std::vector<load_problem> (*load)(std::string text, const std::string& file, const registry_base& names, const load_options& options,
                                      owned<state_base>& root);
    /// A definition as such a file; throws load_error for what cannot be said in it. `original`: the file of this format that it was loaded from,
    /// whose comments and the like go along; empty: none. Null: only read.
    std::string (*save)(const state_base& root, std::string_view original);
};

/// All that were built in; the first one is for files whose name says nothing. (Without pugixml there are none: machine_formats_none.cpp.)
std::span<const machine_format> machine_formats();
/// By the end of the name, or that of the format itself ("xml"). Null: none.
const machine_format* format_of_file(std::string_view path);
/// The same for what is read; "-" and names without an end have the first format. Throws command_error if there is none.
const machine_format& format_to_read(const std::string& path);

} // namespace hsm::detail::tool
