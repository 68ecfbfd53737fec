#include <hsm/tool/detail/console.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/message.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>

namespace hsm::detail::tool {

namespace {

bool is_terminal(std::FILE* file) {
    const int number = fileno(file); // -1 for streams in memory
    return number >= 0 && isatty(number) != 0;
}

bool colors_are_forbidden() {
    const char* const none = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return (none && *none) || (terminal && std::string_view(terminal) == "dumb");
}

constexpr std::string_view sequences[] = {"0", "1", "2", "31", "32", "33", "34", "35", "36"}; ///< by style

/// Marks a style in painted text, followed by the style's number. This byte does not occur in UTF-8.
constexpr char style_mark = '\xff';

/// Returns `text` with control characters escaped and, if `in_color`, style marks replaced by terminal sequences.
std::string written(std::string_view text, bool in_color) {
    std::string out;
    while (true) {
        const auto mark = in_color ? text.find(style_mark) : text.npos;
        out += legible(text.substr(0, mark));
        if (mark == text.npos) return out;
        const auto how = mark + 1 < text.size() ? static_cast<std::size_t>(text[mark + 1] - '0') : std::size(sequences);
        const bool is_style = how < std::size(sequences);
        out += is_style ? fmt::format("\x1b[{}m", sequences[how]) : legible(text.substr(mark, 1));
        text.remove_prefix(mark + (is_style ? 2 : 1));
    }
}

} // namespace

console::console(std::FILE* in, std::FILE* out, std::FILE* err)
    : in_(in), out_(out), err_(err), in_is_terminal_(is_terminal(in)), out_is_terminal_(is_terminal(out)), err_is_terminal_(is_terminal(err)),
      out_in_color_(out_is_terminal_ && !colors_are_forbidden()), err_in_color_(err_is_terminal_ && !colors_are_forbidden()) {}

void console::put(std::string_view bytes) {
    if (error_ != 0) return;
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), out_) != bytes.size()) error_ = errno ? errno : EIO;
}

void console::print(std::string_view raw) { put(written(raw, out_in_color_)); }

void console::write(std::string_view bytes) {
    if (!out_is_terminal_) return put(bytes);
    while (!bytes.empty()) {
        const auto begin = out_in_color_ ? bytes.find("\x1b[") : bytes.npos;
        const auto end = begin == bytes.npos ? begin : bytes.find_first_not_of("0123456789;", begin + 2);
        const bool is_color = end != bytes.npos && bytes[end] == 'm';
        put(legible(bytes.substr(0, is_color ? begin : begin == bytes.npos ? begin : begin + 2)));
        if (is_color) put(bytes.substr(begin, end + 1 - begin));
        bytes.remove_prefix(is_color ? end + 1 : begin == bytes.npos ? bytes.size() : begin + 2);
    }
}

void console::complain(std::string_view raw) {
    flush();
    const auto text = written(raw, err_in_color_);
    std::fwrite(text.data(), 1, text.size(), err_);
    std::fflush(err_);
}

void console::replace_line(std::string_view raw) {
    flush();
    const auto text = "\r\x1b[K" + written(raw, err_in_color_);
    std::fwrite(text.data(), 1, text.size(), err_);
    std::fflush(err_);
}

namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction action_before;
sigset_t mask_before;

sigset_t only_this() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

bool is_pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1;
}

} // namespace

interruptions::interruptions() {
    struct sigaction how {};
    how.sa_handler = [](int) { interrupted = 1; };
    sigemptyset(&how.sa_mask);
    interrupted = 0;
    // SIGINT is only delivered while console::read_line waits, and polled at all other times. So none is lost between a check and the wait.
    const auto this_one = only_this();
    pthread_sigmask(SIG_BLOCK, &this_one, &mask_before);
    sigaction(SIGINT, &how, &action_before);
}

interruptions::~interruptions() {
    taken();
    sigaction(SIGINT, &action_before, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
}

bool interruptions::none() { return interrupted == 0 && !is_pending(); }

bool interruptions::taken() {
    bool was = interrupted != 0;
    interrupted = 0;
    if (is_pending()) {
        const auto this_one = only_this();
        int which = 0;
        was |= sigwait(&this_one, &which) == 0;
    }
    return was;
}

namespace {
/// Waits for input; without limit if `limit` is null. Returns the result of ppoll. SIGINT may be blocked at other times, so no Ctrl-C is lost before
/// the wait.
int wait_for_input(std::FILE* in, const timespec* limit) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    sigdelset(&mask, SIGINT);
    pollfd input{fileno(in), POLLIN, 0};
    return ppoll(&input, 1, limit, &mask);
}
} // namespace

/// Returns false if Ctrl-C was pressed instead.
bool console::has_input() const { return wait_for_input(in_, nullptr) >= 0 || errno != EINTR; }

bool console::waits_for_input(std::chrono::milliseconds time) const {
    const timespec limit{static_cast<time_t>(time.count() / 1000), static_cast<long>(time.count() % 1000 * 1'000'000)};
    return wait_for_input(in_, &limit) != 0;
}

bool console::read_line(std::string& line) {
    line.clear();
    if (line_is_too_long_) throw command_error("a line of stdin is longer than 1 MB");
    if (in_is_terminal_ && !has_input()) return false;
    int c = 0;
    while ((c = std::getc(in_)) != EOF && c != '\n') {
        if (line.size() == longest_line) {
            line_is_too_long_ = true; // the rest of the line is skipped; it is not another line
            return read_line(line);
        }
        line += static_cast<char>(c);
    }
    return c != EOF || !line.empty();
}

std::size_t console::columns() const {
    winsize size{};
    if (out_is_terminal_ && ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

bool console::flush() {
    errno = 0;
    if (error_ == 0 && std::fflush(out_) != 0) error_ = errno ? errno : EIO;
    return error_ == 0;
}

std::string console::paint(bool in_color, style how, std::string_view text) {
    if (!in_color || how == style::plain || text.empty()) return std::string(text);
    return fmt::format("{0}{1}{2}{0}0", style_mark, static_cast<int>(how), text);
}

namespace {
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t between = second / 10; ///< minimum time between two updates
constexpr std::size_t width = 30;             ///< of the bar
} // namespace

std::int64_t progress::steady_clock() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

progress::progress(console& terminal, std::string what, std::uint64_t total, clock now)
    : terminal_(terminal), what_(std::move(what)), total_(total), now_(now), began_(now()), shown_(began_ + second - between) {}

progress::~progress() {
    if (visible_) terminal_.replace_line({});
}

void progress::reach(std::uint64_t done) {
    if (!terminal_.err_is_terminal() || ++calls_ % 1024 != 1) return;
    if (now_() - shown_ >= between) show(done);
}

void progress::show(std::uint64_t done) {
    shown_ = now_();
    visible_ = true;
    terminal_.replace_line(line(what_, done, total_, shown_ - began_));
}

std::string progress::line(std::string_view what, std::uint64_t done, std::uint64_t total, std::int64_t elapsed) {
    if (total == 0) return fmt::format("{}  {} s", what, elapsed / second);
    const auto part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(part * width);
    auto text = fmt::format("{}  [{}{}] {:3}%", what, std::string(filled, '#'), std::string(width - filled, ' '), static_cast<int>(part * 100));
    if (part > 0) text += fmt::format("  {} s left", static_cast<std::int64_t>(static_cast<double>(elapsed) * (1 - part) / part) / second);
    return text;
}

} // namespace hsm::detail::tool
