/// The input and output of a command: a terminal, a pipe, a file, or memory in a test.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hsm::detail::tool {

enum class style : std::uint8_t { plain, bold, faint, red, green, yellow, blue, magenta, cyan };

class console {
public:
    console(std::FILE* in, std::FILE* out, std::FILE* err);

    // Characters that could control the terminal are escaped, as in draw/detail/lines.hpp. Line ends are not escaped: pass names through
    // legible_line().
    void print(std::string_view text);        ///< to stdout
    void complain(std::string_view text);     ///< to stderr, after flushing stdout
    void replace_line(std::string_view text); ///< replaces the current line of stderr
    /// Writes the content of a file to stdout unchanged. On a terminal it is printed instead, with the colors that draw::text set.
    void write(std::string_view bytes);
    std::FILE* in() const { return in_; }
    /// Reads a line of stdin without its end. Returns false at the end of input. Throws command_error if the line is longer than `longest_line`.
    bool read_line(std::string& line);
    /// Waits for input at a terminal. Returns false if none came in this time; true also after Ctrl-C.
    bool waits_for_input(std::chrono::milliseconds time) const;
    static constexpr std::size_t longest_line = 1'000'000; ///< bytes

    bool in_is_terminal() const { return in_is_terminal_; }
    bool out_is_terminal() const { return out_is_terminal_; }
    bool err_is_terminal() const { return err_is_terminal_; }
    /// Returns text for `print` or `complain`. It is colored if the output is a terminal, and neither NO_COLOR (https://no-color.org) nor TERM=dumb
    /// is set.
    std::string painted(style how, std::string_view text) const { return paint(out_in_color_, how, text); }
    std::string painted_err(style how, std::string_view text) const { return paint(err_in_color_, how, text); }
    bool out_in_color() const { return out_in_color_; }
    std::size_t columns() const; ///< columns of the terminal on stdout; 80 if stdout is not a terminal

    /// Returns false if printed text could not be written. Nothing is printed after such an error.
    bool flush();
    int error() const { return error_; } ///< errno of the failed write, otherwise 0

private:
    bool has_input() const;

    void put(std::string_view bytes);
    static std::string paint(bool in_color, style how, std::string_view text);

    std::FILE *in_, *out_, *err_;
    bool in_is_terminal_, out_is_terminal_, err_is_terminal_;
    bool out_in_color_, err_in_color_;
    bool line_is_too_long_ = false;
    int error_ = 0;
};

/// A progress line for long operations. It is printed to stderr if that is a terminal, after one second.
class progress {
public:
    /// Returns nanoseconds of a monotonic clock.
    using clock = std::int64_t (*)();
    static std::int64_t steady_clock();

    /// A `total` of 0 means unknown.
    progress(console& terminal, std::string what, std::uint64_t total, clock now = &steady_clock);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    /// Removes the line.
    ~progress();

    /// Reports progress. Cheap: reads the clock once in 1024 calls, unless `done` has moved far.
    void reach(std::uint64_t done);

    /// Returns "converting  [######              ]  31%  5 s left".
    static std::string line(std::string_view what, std::uint64_t done, std::uint64_t total, std::int64_t elapsed);

private:
    void show(std::uint64_t done);

    console& terminal_;
    std::string what_;
    std::uint64_t total_;
    clock now_;
    std::int64_t began_, shown_;
    std::uint32_t calls_ = 0;
    bool visible_ = false;
};

/// Handles Ctrl-C during its lifetime: at the prompt it discards the line, during ticks it stops them. At most one object can exist.
class interruptions {
public:
    interruptions();
    interruptions(const interruptions&) = delete;
    interruptions& operator=(const interruptions&) = delete;
    ~interruptions();
    static bool none();  ///< no Ctrl-C since the last `taken`
    static bool taken(); ///< whether Ctrl-C was pressed; resets it
};

} // namespace hsm::detail::tool
