// The documents of the SCXML suites that need neither data nor time: the whole set of active leaves after each event, as the
// scripts of the SCION suite say, and the final state in which each document of the W3C's ends.

#include <hsm/hsm.hpp>
#include <tests/support/scxml/json.hpp>
#include <tests/support/scxml/machine.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using names = std::set<std::string>;

std::string written(const names& set) {
    std::string text;
    for (const auto& name : set) text += (text.empty() ? "" : " ") + name;
    return text;
}
names names_in(const json::value& list) {
    const auto texts = list.texts();
    return {texts.begin(), texts.end()};
}

/// A document that runs.
class running {
public:
    running(scxml::node document, const std::vector<std::string>& outside)
        : document_(std::move(document)), chart_(hsm::compile(scxml::make_machine(document_, outside), scxml::rules)) {
        session_.is_active = [this](const hsm::state_base& s) { return agent_.is_in(s); };
        agent_.start();
    }
    running(const running&) = delete;
    running& operator=(const running&) = delete;

    void send(const std::string& event) { agent_.process(event); }
    names leaves() const {
        names found;
        for (const auto leaf : agent_.leaves()) found.emplace(leaf.name());
        return found;
    }
    bool finished() const { return agent_.finished(); }

private:
    scxml::node document_;
    hsm::chart<scxml::session> chart_;
    scxml::session session_;
    hsm::instance<scxml::session> agent_{chart_, session_, {.internal_queue = 64}};
};

/// Where it first goes wrong; empty if it does not.
std::string play(const std::filesystem::path& document, const json::value& script) {
    std::vector<std::string> events;
    for (const auto& step : script["events"].items) events.push_back(step["event"]["name"].text);
    running machine(scxml::read(document), events);
    const auto compare = [&](const std::string& when, const json::value& wanted) {
        if (machine.leaves() == names_in(wanted)) return std::string();
        return when + ": {" + written(machine.leaves()) + "} instead of {" + written(names_in(wanted)) + "}";
    };
    auto wrong = compare("after the start", script["initialConfiguration"]);
    for (std::size_t i = 0; i < events.size() && wrong.empty(); ++i) {
        machine.send(events[i]);
        wrong = compare("after event " + std::to_string(i + 1) + " (" + events[i] + ")", script["events"].items[i]["nextConfiguration"]);
    }
    return wrong;
}

/// The leaves at first, and after each of these events.
std::string leaves_along(const std::string& document, const std::vector<std::string>& events) {
    running machine(scxml::parse(document), events);
    auto text = written(machine.leaves());
    for (const auto& event : events) {
        machine.send(event);
        text += ", " + written(machine.leaves());
    }
    return text;
}

/// What exceptions say is a failure like any other.
template <class F> std::string outcome(F f) {
    try {
        return f();
    } catch (const std::exception& e) {
        return e.what();
    }
}

/// The documents of a suite that need no more than the core of SCXML; none if the suite is not here.
std::vector<json::value> core_of(const std::filesystem::path& suite) {
    std::vector<json::value> found;
    if (!std::filesystem::exists(suite / "manifest.json")) {
        const auto name = suite.string();
        MESSAGE("skipped: there is no ", name);
        return found;
    }
    const auto manifest = json::load(suite / "manifest.json");
    for (const auto& test : manifest["tests"].items)
        if (test["category"].text == "a_core" && test["needs_engine"].text == "false") found.push_back(test);
    return found;
}

const std::filesystem::path suites = HSM_SHARED_DATA "/scxml";

} // namespace

TEST_CASE("SCION's suite: the active leaves after each event are those of the script") {
    const auto suite = suites / "scion";
    const auto tests = core_of(suite);
    if (tests.empty()) return;
    CHECK(tests.size() >= 72);
    for (const auto& test : tests) {
        CAPTURE(test["id"].text);
        CHECK(outcome([&] { return play(suite / test["file"].text, json::load(suite / test["script"].text)); }) == "");
    }
}

TEST_CASE("the W3C's suite: the documents end in the state that means that all is well") {
    const auto suite = suites / "irp";
    const auto tests = core_of(suite);
    if (tests.empty()) return;
    CHECK(tests.size() >= 10);
    for (const auto& test : tests) {
        CAPTURE(test["id"].text);
        const auto end = outcome([&] {
            const running machine(scxml::read(suite / test["file"].text), {});
            return written(machine.leaves()) + (machine.finished() ? "" : ", and goes on");
        });
        CHECK(end == test["pass_final_state"].text);
    }
}

// What neither suite notices (their own documents; the legacySemantics of scripts are those of SCION's older versions, and left out).

TEST_CASE("a parallel is done when all its regions are, after its last region") {
    const auto document = R"(<scxml><state id="o">
        <parallel id="p">
            <state id="a"><state id="a1"><transition event="x" target="af"/></state><final id="af"/></state>
            <state id="b"><state id="b1"><transition event="y" target="bf"/></state><final id="bf"/></state>
        </parallel>
        <transition event="done.state.p" target="early"/>
        <transition event="done.state.b" target="then"/>
        <state id="then"><transition event="done.state.p" target="late"/></state>
        <state id="early"/><state id="late"/>
    </state></scxml>)";
    CHECK(leaves_along(document, {"x", "y"}) == "a1 b1, af b1, late");
}

TEST_CASE("a parallel in a parallel is in a final state when all its regions are") {
    const auto document = R"(<scxml><parallel id="p">
        <transition event="done.state.p" target="over"/>
        <parallel id="q">
            <state id="a"><state id="a1"><transition event="x" target="af"/></state><final id="af"/></state>
            <state id="b"><state id="b1"><transition event="y" target="bf"/></state><final id="bf"/></state>
        </parallel>
        <state id="c"><state id="c1"><transition event="z" target="cf"/></state><final id="cf"/></state>
    </parallel><state id="over"/></scxml>)";
    CHECK(leaves_along(document, {"x", "y", "z"}) == "a1 b1 c1, af b1 c1, af bf c1, over");
    // A done.state event goes no further than the grandparent.
    CHECK(leaves_along(document, {"x", "z", "y"}) == "a1 b1 c1, af b1 c1, af b1 cf, af bf cf");
}

TEST_CASE("history goes back to a final state") {
    const auto document = R"(<scxml>
        <state id="m"><state id="a"><transition event="x" target="f"/></state><final id="f"/>
            <history id="h"><transition target="a"/></history>
            <transition event="out" target="n"/></state>
        <state id="n"><transition event="back" target="h"/></state>
    </scxml>)";
    CHECK(leaves_along(document, {"x", "out", "back"}) == "a, f, n, f");
}

TEST_CASE("what is not understood is refused") {
    CHECK_THROWS_WITH(scxml::parse("<scxml><state id=\"a\"><onentry><script/></onentry></state></scxml>"),
                      "a document: <script> in <onentry> is not understood here");
    const auto document = "<scxml><state id=\"a\"><transition event=\"e\" target=\"b\"/></state></scxml>";
    CHECK_THROWS_WITH(leaves_along(document, {"e"}), "there is no state \"b\"");
}
