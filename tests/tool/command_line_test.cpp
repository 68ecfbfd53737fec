#include <tests/support/tool_run.hpp>

#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/command_line.hpp>

#include <doctest/doctest.h>

#include <set>

using tool_run::called;

TEST_CASE("a missing command is an error that lists the commands") {
    const auto done = called({});
    CHECK(done.code == 2);
    CHECK(done.out == "");
    CHECK(done.err.starts_with("usage: hsm <command> [option]... [file]...\n"));
    CHECK(called({"--help"}).out == done.err);
    CHECK(called({"-h"}).code == 0);
}

TEST_CASE("a group without a command lists its commands") {
    const auto done = called({"trace"});
    CHECK(done.code == 2);
    CHECK(done.err.find("trace convert") != std::string::npos);
    CHECK(done.err.find("check") == std::string::npos);
    CHECK(called({"trace", "--help"}).out == done.err);
}

TEST_CASE("--version prints the version of the library") {
    const auto done = called({"--version"});
    CHECK(done.code == 0);
    CHECK(done.out == "hsm 0.2.0\n");
    CHECK(called({"-V"}).out == done.out);
}

TEST_CASE("every command has a summary, examples that call it, and options with a sentence each") {
    const auto all = hsm::detail::tool::declare(hsm::detail::tool::all_commands());
    std::set<std::string_view> names;
    for (const auto& c : all) {
        const auto name = c.what->name();
        CAPTURE(std::string(name));
        CHECK(names.insert(name).second);
        CHECK(c.what->summary().size() > 10);
        CHECK_FALSE(c.what->summary().ends_with('.'));
        CHECK_FALSE(c.what->examples().empty());
        for (const auto& e : c.what->examples()) CHECK(e.arguments.starts_with(name));
        for (const auto& o : c.takes.all()) {
            CAPTURE(o.names);
            CHECK(o.help.ends_with('.'));
        }
    }
}

TEST_CASE("the help of each command names all its arguments and options") {
    const auto all = hsm::detail::tool::declare(hsm::detail::tool::all_commands());
    for (const auto& c : all) {
        std::vector<std::string> words;
        const auto name = std::string(c.what->name());
        const auto space = name.find(' ');
        words.push_back(name.substr(0, space));
        if (space != name.npos) words.push_back(name.substr(space + 1));
        words.emplace_back("--help");
        CAPTURE(name);
        const auto done = called(words);
        CHECK(done.code == 0);
        CHECK(done.err == "");
        for (const auto& o : c.takes.all()) CHECK(done.out.find(hsm::detail::tool::shown_names(o)) != std::string::npos);
        for (std::size_t begin = 0, end = 0; (end = done.out.find('\n', begin)) != std::string::npos; begin = end + 1) CHECK(end - begin <= 120);
    }
}

namespace {
struct mistake {
    std::vector<std::string> words;
    std::string printed;
};
} // namespace

TEST_CASE("an invalid command line is reported in one line with a hint, and the exit code is 2") {
    const mistake mistakes[] = {
        {{"chek"}, "hsm: error: there is no command chek\n    did you mean check? Otherwise see hsm --help\n"},
        {{"trace", "sho", "x"}, "hsm: error: there is no command sho\n    did you mean show? Otherwise see hsm --help\n"},
        {{"check"}, "hsm: error: FILE is required\n    see hsm check --help\n"},
        {{"check", "--frmat"}, "hsm: error: there is no option --frmat\n    did you mean --format? Otherwise see hsm check --help\n"},
        {{"draw", "a", "--dpeth=3"}, "hsm: error: there is no option --dpeth\n    did you mean --depth? Otherwise see hsm draw --help\n"},
        {{"draw", "a", "--xyzzy"}, "hsm: error: there is no option --xyzzy\n    see hsm draw --help\n"},
        {{"--versoin"}, "hsm: error: there is no option --versoin\n    did you mean --version? Otherwise see hsm --help\n"},
        {{"--xyzzy"}, "hsm: error: there is no option --xyzzy\n    see hsm --help\n"},
        {{"check", "--format", "yaml", "x"}, "hsm: error: --format: \"yaml\" is not one of text, json\n    see hsm check --help\n"},
        {{"check", "--format"}, "hsm: error: --format: 1 required FORMAT missing\n    see hsm check --help\n"},
        {{"draw", "a", "b"}, "hsm: error: unexpected argument \"b\"\n    see hsm draw --help\n"},
        {{"draw", "a", "--depth", "-1"}, "hsm: error: --depth: pass a number of 0 or more\n    see hsm draw --help\n"},
        {{"draw", "a", "--depth", "deep"}, "hsm: error: --depth: \"deep\" is not a number\n    see hsm draw --help\n"},
        {{"trace", "diff", "a"}, "hsm: error: SECOND is required\n    see hsm trace diff --help\n"},
    };
    for (const auto& m : mistakes) {
        const auto done = called(m.words);
        CHECK(done.code == 2);
        CHECK(done.out == "");
        CHECK(done.err == m.printed);
    }
}

TEST_CASE("a file may have the name of a command") {
    const auto done = called({"check", "draw"});
    CHECK(done.code == 2);
    CHECK(done.out == "draw: error: it cannot be read: no such file or directory [HSM-301]\n1 error\n");
}

TEST_CASE("all arguments after -- are files") {
    const auto done = called({"check", "--", "--format"});
    CHECK(done.out == "--format: error: it cannot be read: no such file or directory [HSM-301]\n1 error\n");
}
