/// Shows the machines of a trace file on a page.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/inspect/detail/feed.hpp>
#include <hsm/observe/trace_reader.hpp>

#include <functional>
#include <span>

namespace hsm::detail::tool {

/// Lists the machines of a trace, and sends their records. While the ring is full, it waits. If `known` contains the chart of a machine, the page
/// also has its picture. Before each wait it calls `may_wait`; if that returns false, it returns without the remaining records. The thread of the
/// feed's lane must call it, once. Throws trace_error.
void send_trace(trace_reader& from, inspect::detail::feed& to, std::span<const chart_base> known, const std::function<bool()>& may_wait);

} // namespace hsm::detail::tool
