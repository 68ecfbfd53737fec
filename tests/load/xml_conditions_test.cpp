// Conditions and priorities in files: docs/reference/xml_format.md.

#include <tests/support/xml_game.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace std::chrono_literals;
using namespace test;

TEST_CASE("transitions are tried by priority, then in the order of definition") {
    const auto a = "<to ID='b'><condition ID='go' Priority='1'/></to><to ID='c'><condition ID='ready' Priority='2'/></to><to ID='d'><condition "
                   "ID='go' Priority='1'/></to>";
    const auto rest = state("b", "", "kind='leaf'") + state("c", "", "kind='leaf'") + state("d", "", "kind='leaf'");
    game both(state("a", a) + rest);
    both.start();
    both.r.go = both.r.ready = true;
    both.tick();
    CHECK(both.at() == "c");
    game first(state("a", a) + rest);
    first.start();
    first.r.go = true;
    first.tick();
    CHECK(first.at() == "b");
}

TEST_CASE("all conditions in one transition must hold, and are evaluated by their priority") {
    game g(state("a", "<to ID='b'><condition ID='asks go' Priority='1'/><condition ID='asks ready' Priority='4'/></to>", "") +
           state("b", "", "enter='E'"));
    g.start();
    g.r.go = true;
    CHECK(g.tick() == "ready?");
    g.r.ready = true;
    g.r.go = false;
    CHECK(g.tick() == "ready?, go?");
    g.r.go = true;
    CHECK(g.tick() == "ready?, go?, E b");
}

TEST_CASE("the priority of a transition is its own, or the highest in it at any depth") {
    const auto priority = [](const std::string& to) {
        game g(state("a", to) + state("b", ""));
        return g.chart.find("a").get()->transitions().front()->priority;
    };
    CHECK(priority("<to ID='b'/>") == 0);
    CHECK(priority("<to ID='b'><condition ID='go' Priority='-3'/></to>") == -3);
    CHECK(priority("<to ID='b'><condition ID='go' Priority='2'/><condition ID='ready' Priority='5'/></to>") == 5);
    CHECK(priority("<to ID='b'><any><not><condition ID='go' Priority='8'/></not><condition ID='ready'/></any></to>") == 8);
    CHECK(priority("<to ID='b'><all Priority='9'><condition ID='go' Priority='8'/></all></to>") == 9);
    CHECK(priority("<to ID='b' Priority='1'><condition ID='go' Priority='8'/></to>") == 1);
    CHECK(priority("<to ID='b' Priority='+7'/>") == 7);
}

TEST_CASE("true always holds, false never, alone and in groups") {
    const auto goes = [](const std::string& condition) {
        game g(state("a", "<to ID='b'>" + condition + "</to>", "") + state("b", ""));
        g.start();
        g.tick();
        return g.at() == "b";
    };
    CHECK(goes("<condition ID='true'/>"));
    CHECK_FALSE(goes("<condition ID='false'/>"));
    CHECK(goes("<not><condition ID='false'/></not>"));
    CHECK(goes("<any><condition ID='go'/><condition ID='true'/></any>"));
    CHECK_FALSE(goes("<any><condition ID='go'/><condition ID='false'/></any>"));
    CHECK_FALSE(goes("<all><condition ID='true'/><condition ID='go'/></all>"));
    CHECK_FALSE(goes("<not><condition ID='true'/></not>"));
}

TEST_CASE("all, any and not combine conditions and bits") {
    const auto goes = [](const std::string& condition, bool go, bool ready, bool bit) {
        game g("<bit ID='B' index='3'/>" + state("a", "<to ID='b'>" + condition + "</to>", "") + state("b", ""));
        g.start();
        g.r.go = go;
        g.r.ready = ready;
        g.agent.set("B", bit);
        g.tick();
        return g.at() == "b";
    };
    for (const bool go : {false, true})
        for (const bool ready : {false, true})
            for (const bool bit : {false, true}) {
                CHECK(goes("<any><condition ID='go'/><condition ID='ready'/></any>", go, ready, bit) == (go || ready));
                CHECK(goes("<all><condition ID='go'/><condition ID='ready'/></all>", go, ready, bit) == (go && ready));
                CHECK(goes("<not><any><condition ID='go'/><bit ID='B'/></any></not>", go, ready, bit) == !(go || bit));
                CHECK(goes("<any><bit ID='!B'/><all><condition ID='go'/><condition ID='ready'/></all></any>", go, ready, bit) ==
                      (!bit || (go && ready)));
                CHECK(goes("<bit index='3'/><condition ID='go'/>", go, ready, bit) == (bit && go));
                CHECK(goes("<not><bit index='3'/></not>", go, ready, bit) == !bit);
                CHECK(goes("<bit index='-3'/>", go, ready, bit) == !bit);
            }
}

TEST_CASE("plain bits are conditions of the chart with the registered or declared index") {
    game g("<bit ID='B'/><bit ID='C' index='9'/>" +
           state("a", "<to ID='b'><bit ID='B'/><bit ID='C'/><any><bit ID='registered'/><bit index='0'/></any></to>", "") + state("b", ""));
    CHECK(g.chart.find("a").get()->transitions().front()->guards.empty());
    CHECK(g.chart.condition("B").number() == 1);
    CHECK(g.chart.condition("C").number() == 9);
    CHECK(g.chart.condition("registered").number() == 7);
}

TEST_CASE("a guard that throws inside a group leaves a valid machine") {
    recorder_registry names;
    names.guard("throws", [](const recorder& r) { return r.go ? throw 7 : false; });
    const auto chart = hsm::compile(hsm::load_xml_text(
        "<Project name='R'><state ID='a'><to ID='b'><any><condition ID='throws'/><condition ID='ready'/></any></to></state><state ID='b'/></Project>",
        names));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.go = true;
    CHECK_THROWS_AS(agent.tick(), int);
    CHECK(agent.current().name() == "a");
    r.go = false;
    r.ready = true;
    agent.tick();
    CHECK(agent.current().name() == "b");
}

TEST_CASE("the index of a bit is accepted at its limits, and refused beyond them") {
    const auto problem_of = [](const std::string& index, bool declared) {
        const auto bit = "<bit ID='B'" + (declared ? " index='" + index + "'" : std::string()) + "/>";
        const auto asked = declared ? std::string("<bit ID='B'/>") : "<bit index='" + index + "'/>";
        try {
            game g(bit + state("a", "<to ID='b'>" + asked + "</to>", "") + state("b", ""));
        } catch (const hsm::load_error& e) {
            return e.problems().front().problem;
        }
        return std::string();
    };
    for (const auto* good : {"1", "61", "62", "63", "64", "65535", "+65535"}) {
        CHECK_MESSAGE(problem_of(good, true) == "", good);
        CHECK_MESSAGE(problem_of(good, false) == "", good);
    }
    for (const auto* asked_only : {"0", "-1", "-64", "-65535"}) {
        CHECK_MESSAGE(problem_of(asked_only, true) != "", asked_only);
        CHECK_MESSAGE(problem_of(asked_only, false) == "", asked_only);
    }
    for (const auto* bad :
         {"65536", "-65536", "2147483647", "-2147483648", "2147483648", "-2147483649", "99999999999999999999", "1.0", "", "-", "0x1"}) {
        CHECK_MESSAGE(problem_of(bad, true) != "", bad);
        CHECK_MESSAGE(problem_of(bad, false) != "", bad);
    }
}

TEST_CASE("registering a bit with the lowest int as its index is an error, not a request for a free index") {
    recorder_registry names;
    names.bit("B", -2147483647 - 1);
    auto root = hsm::load_xml_text("<Project name='R'>" + state("a", "<to ID='b'><bit ID='B'/></to>", "") + state("b", "") + "</Project>", names);
    CHECK_THROWS_AS(static_cast<void>(hsm::compile(std::move(root))), hsm::definition_error);
}
