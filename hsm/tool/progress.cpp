#include <hsm/tool/detail/progress.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <chrono>

namespace hsm::detail::tool {

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
