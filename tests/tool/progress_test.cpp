#include <hsm/tool/detail/console.hpp>

#include <tests/support/tool_run.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

using hsm::detail::tool::console;
using hsm::detail::tool::progress;

namespace {

std::int64_t now = 0;
std::int64_t injected() { return now; }
constexpr std::int64_t second = 1'000'000'000;

/// A pseudo-terminal whose output can be read.
struct pseudo_terminal {
    pseudo_terminal() : master(posix_openpt(O_RDWR | O_NOCTTY)) {
        REQUIRE(grantpt(master) == 0);
        REQUIRE(unlockpt(master) == 0);
        file = std::fopen(ptsname(master), "w");
        REQUIRE(file);
        fcntl(master, F_SETFL, O_NONBLOCK);
    }
    ~pseudo_terminal() {
        std::fclose(file);
        close(master);
    }
    std::string text() const {
        char buffer[4096];
        const auto count = ::read(master, buffer, sizeof buffer);
        return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
    }
    int master;
    std::FILE* file = nullptr;
};

} // namespace

TEST_CASE("the line shows the finished part and the remaining time") {
    CHECK(progress::line("reading", 0, 100, second) == "reading  [                              ]   0%");
    CHECK(progress::line("reading", 50, 100, 3 * second) == "reading  [###############               ]  50%  3 s left");
    CHECK(progress::line("reading", 100, 100, 3 * second) == "reading  [##############################] 100%  0 s left");
    CHECK(progress::line("reading", 200, 100, second).find("100%") != std::string::npos);
    CHECK(progress::line("reading", 7, 0, 12 * second) == "reading  12 s");
}

TEST_CASE("the line appears after one second, and is erased at the end") {
    const pseudo_terminal terminal;
    console c(stdin, stdout, terminal.file);
    REQUIRE(c.err_is_terminal());
    now = 0;
    {
        progress shown(c, "reading", 100, &injected);
        const auto reach = [&](std::uint64_t done) {
            for (int i = 0; i < 1024; ++i) shown.reach(done);
        };
        now = second - 1;
        reach(10);
        CHECK(terminal.text() == "");
        now = second;
        reach(50);
        CHECK(terminal.text() == "\r\x1b[K" + progress::line("reading", 50, 100, second));
        now = second + second / 20;
        reach(51);
        CHECK(terminal.text() == ""); // at most ten updates per second
    }
    CHECK(terminal.text() == "\r\x1b[K");
}

TEST_CASE("output to a file has no progress line") {
    std::FILE* const err = std::tmpfile();
    console c(stdin, stdout, err);
    now = 0;
    {
        progress shown(c, "reading", 100, &injected);
        now = 10 * second;
        for (int i = 0; i < 2048; ++i) shown.reach(50);
    }
    CHECK(tool_run::content_of(err) == "");
    std::fclose(err);
}

TEST_CASE("only terminals get colors, unless NO_COLOR or a dumb terminal forbids them") {
    using hsm::detail::tool::style;
    const pseudo_terminal terminal;
    std::FILE* const file = std::tmpfile();
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    console colored(stdin, terminal.file, file);
    colored.print(colored.painted(style::red, "x"));
    colored.flush();
    CHECK(terminal.text() == "\x1b[31mx\x1b[0m");
    CHECK(console(stdin, terminal.file, file).painted_err(style::red, "x") == "x");
    CHECK(console(stdin, file, terminal.file).painted(style::red, "x") == "x");
    CHECK(console(stdin, terminal.file, file).painted(style::plain, "x") == "x");
    setenv("NO_COLOR", "1", 1);
    CHECK(console(stdin, terminal.file, file).painted(style::red, "x") == "x");
    setenv("NO_COLOR", "", 1);
    setenv("TERM", "dumb", 1);
    CHECK(console(stdin, terminal.file, file).painted(style::red, "x") == "x");
    std::fclose(file);
}
