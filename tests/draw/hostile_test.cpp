// Names and labels with special characters of the languages, and large charts: the text is complete, and Graphviz can read it.

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
#include <tests/draw/constructs.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

const std::vector<std::string> names = {
    "\"",   "\\",    "\\N",   "a\"b\\", "new\nline", "größe",      "日本",      "日本語",     "<b>",   "<tr>",
    "|",    "{",     "}",     "a|b",    "a:b",       "end",        "END",       "node",       "graph", "state",
    "note", " ",     "  ",    "a b",    "a_b",       "a-b",        "[*]",       "<<choice>>", "-->",   "%%",
    "'",    "''",    "&amp;", "&#65;",  "#35;",      ";",          "@enduml",   "\xff\xfe",   "\x01",  "\t",
    "~",    "__x__", "**x**", "$x",     "1",         "12 monkeys", "cluster_r", "r_start",    "start", std::string(5000, 'x'),
};

auto hostile() {
    auto r = drawn::root("r");
    auto& first = r->add("first");
    for (const auto& name : names) {
        auto& s = r->add(name).on_enter(hsm::named(name, [](drawn::ctx&) {}));
        first.to(s).on(name).when(hsm::named(name, [](const drawn::ctx&) { return true; })).then(hsm::named(name, [](drawn::ctx&) {}));
        auto& m = r->add_fsm(name + "m");
        m.add(name);
    }
    return hsm::compile(std::move(r));
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
    return n;
}

} // namespace

TEST_CASE("names with special characters leave each state a unique id and do not break lines") {
    const auto chart = hostile();
    const auto dot = hsm::draw::dot(chart).text;
    std::set<std::string> ids;
    std::size_t all = 0;
    for (std::size_t at = 0; (at = dot.find(" id=\"", at)) != std::string::npos; ++at, ++all) ids.insert(dot.substr(at, dot.find('"', at + 5) - at));
    CHECK(ids.size() == all);
    CHECK(count(dot, "class=\"state\"") == 2 * names.size() + 1);
    CHECK(count(dot, "class=\"state box\"") == names.size() + 1);
    for (const auto& text : {dot, hsm::draw::mermaid(chart).text, hsm::draw::plantuml(chart).text, hsm::draw::text(chart).text}) {
        CHECK(text.find('\x01') == std::string::npos);
        CHECK(text.find('\xff') == std::string::npos);
        CHECK(text.find('\t') == std::string::npos);
    }
    CHECK(count(hsm::draw::mermaid(chart).text, "\n    r_first --> ") == names.size());
    CHECK(count(hsm::draw::plantuml(chart).text, "@enduml") == 1);
}

TEST_CASE("Graphviz reads names with special characters") {
    if (!hsm::draw::can_render()) {
        MESSAGE("skipped: there is no Graphviz");
        return;
    }
    const auto svg = hsm::draw::svg(hostile());
    CHECK(count(svg, "class=\"node state\"") == 2 * names.size() + 1);
    CHECK(count(svg, "class=\"cluster state box\"") == names.size() + 1);
    CHECK(svg.find("日本語") != std::string::npos);
    CHECK(svg.find("&amp;#65;") != std::string::npos);
    CHECK(svg.find("&lt;tr&gt;") != std::string::npos);
}

TEST_CASE("all 10,000 states of a chart are drawn") {
    auto r = drawn::root();
    auto* before = &r->add("s");
    for (int i = 1; i < 10'000; ++i) {
        auto& next = r->add(i % 2 ? "é" + std::string(static_cast<std::size_t>(i), 'x').substr(0, 3) + std::to_string(i) : std::to_string(i));
        before->to(next).on("go");
        before = &next;
    }
    const auto chart = hsm::compile(std::move(r), {.program_memory = 0});
    const auto text = hsm::draw::dot(chart).text;
    CHECK(count(text, "class=\"state\"") == 10'000);
    CHECK(count(text, " -> ") == 10'000);
    CHECK(count(hsm::draw::text(chart).text, "\n") == 10'000 + 1 + 9'999 + 1);
    CHECK(count(hsm::draw::mermaid(chart).text, " --> ") == 10'000);
    CHECK(count(hsm::draw::plantuml(chart).text, " --> ") == 10'000);
}

TEST_CASE("all 200 levels of a chart are drawn") {
    auto r = drawn::root();
    auto* at = r.get();
    for (int i = 0; i < 200; ++i) at = &at->add_fsm("m");
    at->add("leaf");
    const auto chart = hsm::compile(std::move(r));
    const auto text = hsm::draw::dot(chart).text;
    CHECK(count(text, "subgraph cluster_") == 201);
    CHECK(count(hsm::draw::text(chart).text, "─ ") == 201);
}
