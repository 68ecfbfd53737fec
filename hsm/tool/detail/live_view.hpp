/// The live pages of `hsm view` and `hsm watch`. In builds without hsm-inspect (live_view_none.cpp) view_file and watch_page throw command_error.
#pragma once

#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/record_lines.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace hsm::inspect::detail {
class feed;
} // namespace hsm::inspect::detail

namespace hsm::detail::tool {

class page_source;

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

// The parts that exist only in builds with hsm-inspect.

/// Lists the machines of a trace, and sends their records. While the ring is full, it waits. If `known` contains the chart of a machine, the page
/// also has its picture. Before each wait it calls `may_wait`; if that returns false, it returns without the remaining records. The thread of the
/// feed's lane must call it, once. Throws trace_error.
void send_trace(trace_reader& from, inspect::detail::feed& to, std::span<const chart_base> known, const std::function<bool()>& may_wait);
/// Prints until Ctrl-C, or until the stream ends. Throws command_error, with the error of the page.
exit_code watch(page_source& page, const watch_options& how, environment& here);

} // namespace hsm::detail::tool
