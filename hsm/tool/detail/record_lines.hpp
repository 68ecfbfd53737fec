/// A trace, or a log of inputs, line by line: for people, and to be compared.
#pragma once

#include <hsm/op/record.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/progress.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hsm::detail::tool {

struct record_line {
    std::int64_t time = 0;    ///< of its machine's clock, in nanoseconds; it does not go back
    std::uint32_t number = 0; ///< of its machine
    std::string machine;      ///< its name, or else its number
    std::string kind;         ///< "entered"; of a call in a log "tick"
    std::string text;         ///< "entered hero/fight"
    std::size_t depth = 0;    ///< 1: inside a call
    style look = style::plain;
};

/// Which lines are wanted. What is empty excludes nothing.
struct line_filter {
    std::vector<std::string> machines;
    std::vector<std::string> kinds;
    std::vector<std::string> states; ///< by path, or the end of one: what is about them, or what is inside them
    std::string from, to;            ///< times, as files of machines have them: "1.5s"

    void declare(option_list& takes);
    bool is_empty() const { return machines.empty() && kinds.empty() && states.empty() && from.empty() && to.empty(); }
};

class record_lines {
public:
    record_lines() = default;
    record_lines(const record_lines&) = delete;
    record_lines& operator=(const record_lines&) = delete;
    virtual ~record_lines() = default;

    /// False: there are no more. Throws what is wrong with the file.
    virtual bool next(record_line& line) = 0;
    /// What is to be said of the file behind its last line; may be empty.
    virtual std::string remark() const { return {}; }
    /// Does more than one machine occur, as far as it has been read?
    virtual bool has_several_machines() const = 0;
};

/// Of a trace file, or of a log. Throws command_error if the file cannot be read, or is neither; `program` names what there is in it if it
/// knows the chart.
std::unique_ptr<record_lines> open_lines(const std::string& path, const line_filter& which, surroundings& here);

// Each in its own file.
std::unique_ptr<record_lines> trace_lines(const std::string& path, const line_filter& which, surroundings& here);
std::unique_ptr<record_lines> input_lines(const std::string& path, const line_filter& which, surroundings& here);

/// A time of the command line; nothing was said: `otherwise`.
std::int64_t time_given(const std::string& text, std::string_view option, std::int64_t otherwise);
/// "   0.016000"
std::string shown_time(std::int64_t nanoseconds);

} // namespace hsm::detail::tool
