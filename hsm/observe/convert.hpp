/// Converts traces to formats of other programs, record by record. The required memory depends only on the names, not on the number of records.
///
///     hsm::file_source from("run.trace");
///     hsm::file_sink to("run.json");
///     hsm::trace_reader trace(from);
///     hsm::write_chrome_trace(trace, to);
///
/// If a clock goes back because a machine was reset, times continue from their last value. All functions throw trace_error: for errors in the trace,
/// or HSM-331 if the output cannot be written.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/trace_reader.hpp>

namespace hsm {

/// Writes a line with a JSON object for each record: "machine", "time" in nanoseconds, "kind", and the named fields of that kind.
void write_json_lines(trace_reader& from, byte_sink& to);

/// Writes Chrome's trace events, for chrome://tracing, speedscope and ui.perfetto.dev. There, a machine is a process, a region is a thread, an active
/// state is a slice, and a transition is an instant with from, to, reason and event. If a state is exited at the time of its entry, it is an instant.
void write_chrome_trace(trace_reader& from, byte_sink& to);

/// Writes Perfetto's protobuf, for ui.perfetto.dev. A machine is a track, and each further region is a track below the machine's track.
void write_perfetto_trace(trace_reader& from, byte_sink& to);

} // namespace hsm
