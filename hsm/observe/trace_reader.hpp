/// Reads a trace file, record by record. The file is untrusted: invalid input results in a trace_error. Memory is used for names only, at most 256
/// MB.
///
///     hsm::file_source file("run.trace");
///     hsm::trace_reader trace(file);
///     while (const auto* entry = trace.next()) std::puts(to_string(entry->what, trace.names_of_track(entry->track)).c_str());
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

/// A machine in a trace file.
struct trace_track {
    std::uint32_t chart = 0;
    std::uint32_t agent = 0;
    std::uint32_t generation = 0;
    std::string name; ///< can be empty
};

struct trace_entry {
    record what;
    std::uint32_t track = 0;
    std::string_view text; ///< the payload of an event, if it was recorded; valid until next()
};

class trace_reader {
public:
    /// The source must outlive the reader. Throws trace_error: HSM-332 if the file is not a trace; HSM-333 for a trace of another version.
    explicit trace_reader(byte_source& from);

    /// Returns the next record, or null at the end. Includes records of kind `more`, except those of event texts. Throws trace_error: HSM-334 if the
    /// file is broken; HSM-335 if its names are too large.
    const trace_entry* next();

    /// Returns whether the writer closed the file. If the writer did not close it, the end can be missing. Call this function after the last record.
    bool complete() const { return complete_; }
    /// Returns the position in bytes.
    std::uint64_t offset() const { return offset_; }

    // These functions return the definitions read so far. They throw std::out_of_range for unknown numbers.
    std::size_t chart_count() const { return charts_.size(); }
    std::size_t track_count() const { return tracks_.size(); }
    const chart_names& chart(std::uint32_t number) const { return charts_.at(number); }
    const trace_track& track(std::uint32_t number) const { return tracks_.at(number); }
    const chart_names& names_of_track(std::uint32_t number) const { return chart(track(number).chart); }

private:
    struct head {
        std::uint32_t kind, size, number, other;
    };

    std::size_t available() const { return end_ - at_; }
    /// Makes at least `bytes` bytes available at at_. Returns false if the file ends earlier.
    bool fill(std::size_t bytes);
    const char* take(std::size_t bytes);
    void read_file_head();
    bool next_chunk();
    void begin_records(const head& h);
    std::string read_payload(const head& h);
    void read_chart(const head& h);
    void read_track(const head& h);
    void check(const record& r) const;
    record take_record(bool is_text);
    void take_text();
    [[noreturn]] void complain(std::string problem) const;

    byte_source& from_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t definitions_ = 0; ///< bytes of names
    std::uint32_t left_ = 0;        ///< remaining records of this chunk
    bool complete_ = false;
    std::deque<chart_names> charts_;
    std::vector<std::uint64_t> weights_; ///< by chart: bytes that tracking one machine takes
    std::vector<trace_track> tracks_;
    const chart_names* names_ = nullptr; ///< names of the current chunk
    trace_entry entry_;
    std::string text_;
};

} // namespace hsm
