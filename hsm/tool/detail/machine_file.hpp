/// Files that machines are in: one table of their formats.
///
/// The end of a name says which format a file has; SCXML is known by its root element, too, whatever it is called.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/load/load_error.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/file_options.hpp>
#include <hsm/tool/detail/open_names.hpp>
#include <hsm/tool/session.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// For whom a file is loaded.
struct load_request {
    const known_machine* over = nullptr; ///< whose context and names; null: nobody's
    open_names* open = nullptr;          ///< hears of names, and supplies what nobody has registered; null: that is an error
    file_options how = {};
};

struct saved_machine {
    std::string text;
    std::vector<load_problem> losses; ///< what the format has no words for
};

struct machine_format {
    std::string_view name;      ///< "xml"
    std::string_view extension; ///< ".xml"
    /// Makes a root, or tells what is in the way and leaves `root` empty. Messages call it by `file`.
    std::vector<load_problem> (*load)(std::string text, const std::string& file, const load_request& request, owned<state_base>& root);
    /// A definition as such a file, as far as it goes; the definition is good for nothing else then. `original`: the file of this format that it was
    /// loaded from, whose comments and the like go along; empty: none. Null: only read.
    saved_machine (*save)(state_base& root, std::string_view original);
    /// A machine of nobody's context at work; the chart is kept.
    owned<hsm::tool::session> (*play)(const chart_base& chart, simulation& world);
};

/// All that were built in; the first one is for files whose name says nothing. (Without pugixml there are none: machine_formats_none.cpp.)
std::span<const machine_format> machine_formats();
/// Null: it was built without (scxml_format_none.cpp).
const machine_format* scxml_format();
inline bool is_scxml(const machine_format& f) { return f.name == "scxml"; }
/// By the end of the name, or that of the format itself ("xml"). Null: none.
const machine_format* format_of_file(std::string_view path);
/// For what is read or written under that name; "-" and names without an end have the first format. Throws command_error if there is none.
const machine_format& format_for(const std::string& path);
/// The same for a file with that text in it.
const machine_format& format_to_read(const std::string& path, std::string_view text);
/// Is the root element <scxml>, in whatever namespace? A glance: the text may be no XML.
bool looks_like_scxml(std::string_view text);

/// What is in the way of a file, in the words of a command line.
std::vector<message> messages_of(const std::vector<load_problem>& problems);

} // namespace hsm::detail::tool
