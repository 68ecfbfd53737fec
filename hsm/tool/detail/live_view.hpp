/// The live pages of `hsm view` and `hsm watch`. In builds without hsm-inspect (live_view_none.cpp) every function throws command_error.
#pragma once

#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/record_lines.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace hsm::detail::tool {

struct view_options {
    std::string file;
    std::uint64_t port = 0;                   ///< 0: any free port
    std::optional<double> seconds;            ///< ends after this time, also without Ctrl-C
    std::string machine;                      ///< that replays a log; empty: the one with the log's chart
    file_options loading;                     ///< for a machine file
    guard_setting guards = guard_setting::no; ///< initial result of simulated guards
};

/// Serves the page until Ctrl-C: with the machines of a trace or of a log of inputs, or with a machine that runs in real time.
exit_code view_file(const view_options& how, environment& here);

struct watch_options {
    std::string url = {};
    std::string machine = {}; ///< its name; empty: the list
    bool once = false;        ///< prints the present state and ends
    line_filter which = {};   ///< for the log of a machine
};

/// Prints the list of a program's machines, or the log of one, until Ctrl-C.
exit_code watch_page(const watch_options& how, environment& here);

} // namespace hsm::detail::tool
