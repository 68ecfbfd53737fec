/// Traces in memory.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/observe/trace_reader.hpp>

#include <string>

namespace test {

/// Returns a line for each record: "0 exited hero/idle".
inline std::string lines_of(std::string_view bytes) {
    hsm::memory_source source(bytes);
    hsm::trace_reader trace(source);
    std::string lines;
    while (const auto* const entry = trace.next()) {
        lines += std::to_string(entry->track) + " " + to_string(entry->what, trace.names_of_track(entry->track));
        if (!entry->text.empty()) lines += ": " + std::string(entry->text);
        lines += '\n';
    }
    return lines;
}

} // namespace test
