/// Reads traces, and traces and logs of inputs line by line, for display and comparison.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/trace_reader.hpp>
#include <hsm/op/record.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hsm::detail::tool {

inline constexpr std::string_view cut_trace = "the trace was not closed: its end can be missing";

/// A trace file named on the command line, with a progress line. "-" is stdin, which is read as data arrives.
class trace_input final : public byte_source {
public:
    /// Throws command_error if the file cannot be read, trace_error if it is not a trace.
    trace_input(const std::string& path, std::string what, environment& here);
    ~trace_input() override;

    trace_reader& reader() { return *reader_; }
    std::size_t read(void* to, std::size_t most) override;
    /// Prints a note if the writer did not close the trace. Call it after the last record.
    void report_cut(environment& here) const;

private:
    const std::string path_;
    std::FILE* file_;
    bool is_ours_;
    std::uint64_t done_ = 0;
    std::optional<progress> shown_;
    std::optional<trace_reader> reader_;
};

enum class recording : std::uint8_t { none, trace, log };
/// Returns the kind of file by its first bytes; `none` for other files and for stdin, which cannot be read twice. Throws command_error if the file
/// cannot be read.
recording recording_in(const std::string& path);

/// Runs `work` and converts its exceptions to a command_error that names the file.
template <class Work> auto with_file(const std::string& path, Work work) {
    try {
        return work();
    } catch (...) {
        throw current_error(shown_file(path));
    }
}

struct record_line {
    std::int64_t time = 0;    ///< of the machine's clock, in nanoseconds; never decreases
    std::uint32_t number = 0; ///< of its machine
    std::string machine;      ///< its name, or its number if it has none
    std::string kind;         ///< "entered"; for a call in a log "tick"
    std::string text;         ///< "entered hero/fight"
    std::size_t depth = 0;    ///< 1 inside a call
    style look = style::plain;
};

/// Selects lines. An empty field excludes nothing.
struct line_filter {
    std::vector<std::string> machines;
    std::vector<std::string> kinds;
    std::vector<std::string> states; ///< paths or ends of paths; selects lines about these states and their substates
    std::string from, to;            ///< times, written as in machine files: "1.5s"

    void declare(option_list& takes);
    void declare_for_one(option_list& takes); ///< without --machine
    /// The times of selected lines, in nanoseconds.
    struct range {
        std::int64_t first, last;
        bool contains(std::int64_t time) const { return time >= first && time <= last; }
    };
    range times() const; ///< throws command_error if an option is not a time
    bool selects_machine(std::string_view name, std::size_t number) const;
    bool selects_kind(std::string_view kind) const;
    bool is_empty() const { return machines.empty() && kinds.empty() && states.empty() && from.empty() && to.empty(); }
};

class record_lines {
public:
    record_lines() = default;
    record_lines(const record_lines&) = delete;
    record_lines& operator=(const record_lines&) = delete;
    virtual ~record_lines() = default;

    /// Reads the next line. Returns false at the end. Throws if the file is invalid.
    virtual bool next(record_line& line) = 0;
    /// Returns a remark about the file for the end of the output; may be empty.
    virtual std::string remark() const { return {}; }
    /// Returns whether the lines read so far belong to more than one machine.
    virtual bool has_several_machines() const = 0;
};

/// Opens a trace file or a log. Throws command_error if the file cannot be read or has another format. If the program has the chart, its names are
/// used.
std::unique_ptr<record_lines> open_lines(const std::string& path, const line_filter& which, environment& here);

// Each in its own file.
std::unique_ptr<record_lines> trace_lines(const std::string& path, const line_filter& which, environment& here);
/// `name` is the name of the source in messages. The source must outlive the result.
std::unique_ptr<record_lines> trace_lines(byte_source& from, const std::string& name, const line_filter& which);
std::unique_ptr<record_lines> input_lines(const std::string& path, const line_filter& which, environment& here);

/// "   0.016000"
std::string shown_time(std::int64_t nanoseconds);
/// Returns the line as a JSON object.
std::string json_of(const record_line& line);
/// "    0.016000    entered hero/fight\n"
std::string shown_line(const record_line& line, bool with_machine, const console& terminal);

} // namespace hsm::detail::tool
