#include <tests/support/tool_run.hpp>

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/hsm.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/highlights.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using tool_run::called;
using tool_run::file;

namespace {

struct house {};

hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed").on_enter(hsm::named("dark", [](house&) {}));
    auto& open = root->add_fsm("open");
    auto& ajar = open.add("ajar");
    auto& wide = open.add("wide");
    auto& gone = root->add_final("gone");
    closed.to(open).on("push").when(hsm::named("strong", [](const house&) { return true; }));
    ajar.to(wide).on("push");
    open.to(closed).on("pull");
    closed.to(gone).on("burn");
    return hsm::compile(std::move(root));
}

struct door_program {
    door_program() : door(make_door()) {}
    tool_run::outcome operator()(const std::vector<std::string>& words) const { return tool_run::hsm_with({&door}, words); }
    hsm::tool::machine<house> door;
};

} // namespace

TEST_CASE("draw prints the library's tree by default") {
    const door_program program;
    const auto done = program({"draw", "door"});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out == hsm::draw::text(program.door.chart()).text);
}

TEST_CASE("draw selects the language by its name or the extension of the output file") {
    const door_program program;
    const auto& chart = program.door.chart();
    CHECK(program({"draw", "door", "-l", "dot"}).out == hsm::draw::dot(chart).text);
    CHECK(program({"draw", "door", "-l", "mermaid"}).out == hsm::draw::mermaid(chart).text);
    CHECK(program({"draw", "door", "-l", "plantuml"}).out == hsm::draw::plantuml(chart).text);
    const std::pair<std::string, std::string> ends[] = {
        {".dot", hsm::draw::dot(chart).text},
        {".mmd", hsm::draw::mermaid(chart).text},
        {".puml", hsm::draw::plantuml(chart).text},
        {".txt", hsm::draw::text(chart).text},
    };
    for (const auto& [end, text] : ends) {
        const file into("old", end);
        CHECK(program({"draw", "door", "-o", into.path()}).code == 0);
        CHECK(tool_run::read(into.path()) == text);
    }
}

TEST_CASE("draw lists on stderr each part that a language cannot express") {
    const door_program program;
    const auto done = program({"draw", "door", "-l", "mermaid"});
    CHECK(done.code == 0);
    const auto losses = hsm::draw::mermaid(program.door.chart()).losses;
    REQUIRE(losses.size() > 0);
    std::string printed;
    for (const auto& l : losses) printed += "(stdout): note: mermaid cannot express: " + l.text + '\n';
    CHECK(done.err == printed);
}

TEST_CASE("options of draw have the effect of the library's options") {
    const door_program program;
    const auto& chart = program.door.chart();
    hsm::draw::options how;
    how.part = "open";
    how.direction = hsm::draw::direction::right;
    CHECK(program({"draw", "door", "-l", "dot", "--part", "open", "--direction", "right"}).out == hsm::draw::dot(chart, how).text);
    how = {};
    how.depth = 1;
    how.show.hooks = how.show.guards = false;
    how.show.locations = true;
    CHECK(program({"draw", "door", "-l", "dot", "--depth", "1", "--hide", "hooks", "--hide", "guards", "--locations"}).out ==
          hsm::draw::dot(chart, how).text);
    how = {};
    how.ascii = true;
    CHECK(program({"draw", "door", "--ascii"}).out == hsm::draw::text(chart, how).text);
    how = {};
    how.line_length = 5;
    how.highlight = hsm::draw::active(chart.view(), "open/wide");
    CHECK(program({"draw", "door", "-l", "dot", "--line-length", "5", "--active", "wide"}).out == hsm::draw::dot(chart, how).text);
}

TEST_CASE("a coverage file highlights the seen items") {
    const door_program program;
    const auto& chart = program.door.chart();
    hsm::coverage seen(chart);
    std::string bytes;
    {
        house h;
        const auto typed = make_door();
        hsm::instance agent{typed, h};
        const auto attached = seen.watch(agent);
        agent.start();
        agent.process("push");
        hsm::string_sink sink(bytes);
        seen.save(sink);
    }
    const file coverage(bytes);
    hsm::draw::options how;
    how.highlight = hsm::highlights_of(seen);
    CHECK(program({"draw", "door", "-l", "dot", "--coverage", coverage.path()}).out == hsm::draw::dot(chart, how).text);

    const file other("<Project name=\"p\"><state ID=\"a\" kind=\"leaf\"/></Project>", ".xml"), garbage("no coverage");
    const auto foreign = called({"draw", other.path(), "--coverage", coverage.path()});
    CHECK(foreign.code == 1);
    CHECK(foreign.err.find("[HSM-342]") != std::string::npos);
    CHECK(foreign.out == "");
    const auto broken = program({"draw", "door", "--coverage", garbage.path()});
    CHECK(broken.code == 1);
    CHECK(broken.err.find("[HSM-341]") != std::string::npos);
    CHECK(program({"draw", "door", "--coverage", "/no/such"}).code == 2);
}

TEST_CASE("draw reports unknown states and files that it cannot read or write") {
    const door_program program;
    CHECK(program({"draw", "door", "--part", "opne"}).err == "hsm: error: no state, or several states, match \"opne\"\n    did you mean \"open\"?\n");
    CHECK(program({"draw", "door", "--active", "wdie"}).code == 2);
    const auto unclear = program({"draw", "door", "-o", "door.jpg"});
    CHECK(unclear.code == 2);
    CHECK(unclear.err.starts_with("hsm: error: unknown extension of \"door.jpg\"\n"));
    CHECK_FALSE(std::filesystem::exists("door.jpg"));
    CHECK(program({"draw", "door", "-o", "/dev/full", "-l", "dot"}).err == "/dev/full: error: it cannot be written: the disk is full\n");
    CHECK(program({"draw", "/no/such.xml"}).err == "/no/such.xml: error: it cannot be read: no such file or directory [HSM-301]\n");
    const file bad("<Project name=\"p\"><state ID=\"a\"><to ID=\"b\"/></state></Project>", ".xml"), into("old", ".dot");
    CHECK(called({"draw", bad.path(), "-o", into.path()}).code == 1);
    CHECK(tool_run::read(into.path()) == "old");
}

TEST_CASE("Graphviz creates pictures; draw reports if it is missing" * doctest::skip(std::getenv("HSM_EMULATED") != nullptr)) {
    const door_program program;
    const file into("old", ".svg");
    const auto done = program({"draw", "door", "-o", into.path()});
    if (hsm::draw::can_render()) {
        CHECK(done.code == 0);
        CHECK(tool_run::read(into.path()) == hsm::draw::svg(program.door.chart()));
    }
    setenv("PATH", "/nowhere", 1);
    const auto lacking = program({"draw", "door", "-o", into.path()});
    CHECK(lacking.code == 2);
    CHECK(lacking.err.find("[HSM-382]") != std::string::npos);
    if (hsm::draw::can_render()) CHECK(tool_run::read(into.path()) != "old");
}
