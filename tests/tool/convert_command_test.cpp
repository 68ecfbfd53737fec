#include <tests/support/tool_run.hpp>

#include <doctest/doctest.h>

#include <filesystem>

using tool_run::called;
using tool_run::file;

namespace {

constexpr const char* written = R"(<Project name="door">
     <event ID="push"/>  <!-- by a hand -->
  <state   ID="closed"><to ID="open" event="push"><condition ID="strong"/></to></state>
  <state ID="open"><enter ID="light"/><to ID="closed" after="1500ms"/></state>
</Project>)";

constexpr const char* clean = R"(<?xml version="1.0" encoding="UTF-8"?>
<Project name="door">
  <event ID="push"/> <!-- by a hand -->
  <state ID="closed">
    <to ID="open" event="push">
      <condition ID="strong" Priority="0"/>
    </to>
  </state>
  <state ID="open" enter="light">
    <to ID="closed" after="1500ms"/>
  </state>
</Project>
)";

} // namespace

TEST_CASE("convert rewrites a file in hsm's format, with its comments") {
    const file from(written, ".xml"), into("old", ".xml");
    const auto done = called({"convert", from.path(), into.path()});
    CHECK(done.code == 0);
    CHECK(done.out == "");
    CHECK(done.err == "");
    CHECK(tool_run::read(into.path()) == clean);
}

TEST_CASE("convert writes from stdin to stdout, and replaces its own input file") {
    CHECK(called({"convert", "-", "-"}, written).out == clean);
    const file same(written, ".xml");
    CHECK(called({"convert", same.path(), same.path()}).code == 0);
    CHECK(tool_run::read(same.path()) == clean);
}

TEST_CASE("convert refuses a file with errors, and keeps the old output file") {
    const file from("<Project name=\"p\"><state ID=\"a\"><to ID=\"b\"/></state></Project>", ".xml"), into("old", ".xml");
    const auto done = called({"convert", from.path(), into.path()});
    CHECK(done.code == 1);
    CHECK(tool_run::replaced(done.err, from.path(), "p.xml").starts_with("p.xml:1:33: error: <to> names \"b\""));
    CHECK(tool_run::read(into.path()) == "old");
}

TEST_CASE("convert refuses unknown formats and a full disk") {
    const file from(written, ".xml");
    const auto unknown = called({"convert", from.path(), "door.yaml"});
    CHECK(unknown.code == 2);
    CHECK(unknown.err.starts_with("door.yaml: error: its extension is not that of a machine file\n"));
    CHECK_FALSE(std::filesystem::exists("door.yaml"));
    CHECK(called({"convert", from.path(), "-", "--to", "yaml"}).code == 2);
    CHECK(called({"convert", from.path(), "/dev/full", "--to", "xml"}).err == "/dev/full: error: it cannot be written: the disk is full\n");
}
