// Names in files cannot control the terminal; file content is written unchanged. Progress lines and colors.

#include <hsm/hsm.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/attachment.hpp>
#include <tests/support/tool_run.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

using hsm::detail::tool::console;
using hsm::detail::tool::progress;
using tool_run::called;
using tool_run::file;

namespace {

/// U+001B, U+0085 and U+009B, U+007F, U+202E and U+2066, a line end and a forged message; as XML and as bytes.
constexpr auto hostile_in_xml = "a&#x85;b&#x9b;1mc&#x202e;d&#x2066;e&#x7f;f&#10;x.xml:1:1: error: forged";
const std::string hostile = "a\xc2\x85"
                            "b\xc2\x9b"
                            "1mc\xe2\x80\xae"
                            "d\xe2\x81\xa6"
                            "e\x7f"
                            "f\nx.xml:1:1: error: forged\r\x1b[31m\xff"
                            "3";

std::string harm_in(const std::string& text) {
    for (const auto* each : {"\r", "\x1b", "\x7f", "\xc2\x85", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xff"})
        if (text.find(each) != text.npos) return fmt::format("{:02x} in: {}", static_cast<unsigned char>(each[0]), text);
    if (text.starts_with("x.xml") || text.find("\nx.xml") != text.npos) return "a forged line in: " + text;
    return {};
}

std::string harm_of(const std::vector<std::string>& words, const std::string& in = {}) {
    const auto done = called(words, in);
    CHECK(done.out.size() + done.err.size() > 0);
    return harm_in(done.out) + harm_in(done.err);
}

std::int64_t now = 0;
std::int64_t injected() { return now; }
constexpr std::int64_t second = 1'000'000'000;

/// A pseudo-terminal whose output can be read.
struct pseudo_terminal {
    pseudo_terminal() : master(posix_openpt(O_RDWR | O_NOCTTY)) {
        REQUIRE(grantpt(master) == 0);
        REQUIRE(unlockpt(master) == 0);
        file = fdopen(open(ptsname(master), O_RDWR | O_NOCTTY), "r+b"); // must not end this process when it is closed
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

struct nothing {};

std::string hostile_trace() {
    auto root = hsm::make_fsm<nothing>(hostile);
    root->add(hostile + '1').to(root->add(hostile + '2')).on(hostile);
    const auto chart = hsm::compile(std::move(root));
    nothing n;
    hsm::instance agent{chart, n};
    std::string bytes;
    hsm::string_sink sink(bytes);
    {
        hsm::trace_writer writer(sink);
        hsm::trace_writer::track one(writer, hostile), other(writer, hostile);
        const auto to_one = agent.attach(one), to_other = agent.attach(other);
        agent.start();
        agent.process(hostile);
    }
    return bytes;
}

} // namespace

TEST_CASE("names in machines, traces and of files cannot control the terminal") {
    const auto state = fmt::format("<state ID=\"{0}\" enter=\"{0}\"><to ID=\"b\" event=\"{0}\"/></state>", hostile_in_xml);
    const file machine("<Project name=\"P\">" + state + "<state ID=\"b\"/></Project>", ".xml");
    const file wrong("<Project name=\"P\">" + state + "</Project>", ".xml");
    const file script(fmt::format("test \"{0}\"\nexpect in \"{0}\"\n", "a\xc2\x9b"
                                                                       "1m\xe2\x80\xae"
                                                                       "b\x7f\r"));
    const file trace(hostile_trace()), other(hostile_trace() + "more");
    const auto missing = "/tmp/hsm_no_such_" + hostile;
    CHECK(harm_of({"check", wrong.path()}) == "");
    CHECK(harm_of({"check", "--json", wrong.path()}) == "");
    CHECK(harm_of({"check", missing}) == "");
    CHECK(harm_of({"run", machine.path()}, "names\ntree\ntree all\npossible\nexplain\nwhy b\nevent " + hostile) == "");
    CHECK(harm_of({"test", machine.path(), script.path()}) == "");
    CHECK(harm_of({"draw", machine.path()}) == "");
    CHECK(harm_of({"draw", "-l", "mermaid", machine.path()}) == "");
    CHECK(harm_of({"trace", "show", trace.path()}) == "");
    CHECK(harm_of({"trace", "show", "--format", "json", trace.path()}) == "");
    CHECK(harm_of({"trace", "show", missing}) == "");
    CHECK(harm_of({"trace", "stats", trace.path()}) == "");
    CHECK(harm_of({"trace", "diff", trace.path(), other.path()}) == "");
}

TEST_CASE("the content of a file is printed byte by byte, but not to a terminal") {
    const std::string content("\0\x1b[1m\t\xc2\x9b\xe2\x80\xae\xff", 12);
    auto* const out = std::tmpfile();
    console(stdin, out, stderr).write(content);
    CHECK(tool_run::content_of(out) == content);
    std::fclose(out);
    const pseudo_terminal terminal;
    console screen(stdin, terminal.file, stderr);
    screen.write("\x1b[1mbold\x1b[0m \x1b[2J \xc2\x9b \xff\n");
    screen.flush();
    const std::string rest = " \\x1b[2J \\xc2\\x9b \\xff\r\n";
    CHECK(terminal.text() == (screen.out_in_color() ? "\x1b[1mbold\x1b[0m" : "\\x1b[1mbold\\x1b[0m") + rest);
}

TEST_CASE("a line of stdin that is too long ends the command") {
    const file machine("<Project name=\"P\"><state ID=\"a\" enter=\"hook\"><to ID=\"b\" event=\"go\"/></state><state ID=\"b\"/></Project>", ".xml");
    const auto blanks = [](std::size_t count) { return std::string(count, ' '); };
    const auto longest = called({"run", machine.path()}, blanks(console::longest_line - 8) + "event go\npath\n");
    CHECK(longest.code == 0);
    CHECK(longest.out.find("now b") != longest.out.npos);
    const auto done = called({"run", machine.path()}, blanks(console::longest_line) + "event go\npath\n");
    CHECK(done.code == 2);
    CHECK(done.err == "hsm: error: a line of stdin is longer than 1 MB\n");
    CHECK(done.out.find("now b") == done.out.npos);
}

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
