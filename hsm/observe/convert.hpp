/// From a trace to what other programs read. Record by record: the memory that it takes is that of the names.
///
///     hsm::file_source from("run.trace");
///     hsm::file_sink to("run.json");
///     hsm::trace_reader trace(from);
///     hsm::write_chrome_trace(trace, to);
///
/// Where a clock goes back, because a machine was reset, times go on from where they were. All throw trace_error: what is wrong in the trace, or
/// HSM-331, what was read cannot be written.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/trace_reader.hpp>

namespace hsm {

/// A JSON object a line, one for each record: "machine", "time" in nanoseconds, "kind", and what the kind says, by name.
void write_json_lines(trace_reader& from, byte_sink& to);

/// Chrome's trace events, for chrome://tracing, speedscope and ui.perfetto.dev: a machine is a process, each region a thread, an active state a
/// slice, a transition an instant with from, to, reason and event. A state that is left at the time at which it was entered is an instant.
void write_chrome_trace(trace_reader& from, byte_sink& to);

/// Perfetto's protobuf, for ui.perfetto.dev: a machine is a track, each further region one below it.
void write_perfetto_trace(trace_reader& from, byte_sink& to);

} // namespace hsm
