/// A trace of all games of a run, in the format given by the name of its file.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/trace_writer.hpp>

#include <deque>
#include <string>

class game_trace {
public:
    /// .json: Chrome's trace events; .pftrace: Perfetto; .jsonl: JSON lines; otherwise the format of hsm::trace_writer.
    explicit game_trace(std::string path) : path_(std::move(path)) {}

    /// Returns an observer for one more game, which must not outlive this object.
    hsm::observer& add_game(const std::string& name) { return tracks_.emplace_back(writer_, name); }
    /// Throws hsm::trace_error if the file cannot be written.
    void save();

private:
    std::string path_;
    std::string bytes_;
    hsm::string_sink sink_{bytes_};
    hsm::trace_writer writer_{sink_};
    std::deque<hsm::trace_writer::track> tracks_;
};
