// The basic format: conditions with priorities, and how their order matters.

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

/// The test sets which facts are true.
struct monster {
    std::set<std::string, std::less<>> facts;
};

auto is(const char* fact) {
    return [fact](const monster& m) { return m.facts.contains(fact); };
}

struct monster_names : hsm::registry<monster> {
    monster_names() {
        for (const char* fact : {"noTarget", "hasTarget", "timeUp", "timeUp_2", "agentDead", "tooLong", "targetDead"}) guard(fact, is(fact));
        for (const char* name : {"entered", "countChase", "forgetChases"}) hook(name, [](monster&) {});
    }
};

/// The monster of the sample, moved to a state.
struct game {
    monster_names names;
    hsm::chart<monster> chart = hsm::compile(hsm::load_xml(HSM_SAMPLE_DATA "/monster.xml", names));
    monster m;
    hsm::instance<monster> agent{chart, m};

    game() { agent.start(); }
    std::string tick(std::set<std::string, std::less<>> facts) {
        m.facts = std::move(facts);
        agent.tick();
        return std::string(agent.current().name());
    }
};

} // namespace

TEST_CASE("the monster follows its transition table") {
    game g;
    CHECK(g.agent.current().path() == "MonsterFSM/init");
    CHECK(g.tick({}) == "search");
    CHECK(g.tick({}) == "search");
    CHECK(g.tick({"noTarget"}) == "idle");
    CHECK(g.tick({"timeUp"}) == "idle"); // another clock
    CHECK(g.tick({"timeUp_2"}) == "search");
    CHECK(g.tick({"noTarget", "hasTarget"}) == "chase");
    CHECK(g.tick({"timeUp"}) == "chase");
    CHECK(g.tick({"tooLong"}) == "reset");
    CHECK(g.tick({"agentDead"}) == "search");
    CHECK(g.tick({"noTarget"}) == "idle");
    CHECK(g.tick({"timeUp_2", "agentDead"}) == "finish");
    CHECK(g.agent.finished());
}

TEST_CASE("in chase, the own death precedes a dead target, which precedes the clock") {
    const auto from_chase = [](std::set<std::string, std::less<>> facts) {
        game g;
        g.tick({});
        REQUIRE(g.tick({"hasTarget"}) == "chase");
        return g.tick(std::move(facts));
    };
    CHECK(from_chase({"agentDead", "targetDead", "timeUp"}) == "finish");
    CHECK(from_chase({"targetDead", "timeUp"}) == "reset");
    CHECK(from_chase({"tooLong", "timeUp"}) == "reset");
    CHECK(from_chase({"timeUp"}) == "chase");
    CHECK(from_chase({}) == "chase");
}

TEST_CASE("saving a null definition is refused") {
    hsm::owned<hsm::fsm<monster>> none;
    try {
        static_cast<void>(hsm::save_xml(none));
        FAIL("no error");
    } catch (const hsm::load_error& e) {
        CHECK(e.problems().front().code == hsm::code::no_root);
    }
}

TEST_CASE("any_event is read and written, unless it is the name of an event") {
    hsm::registry<monster> names;
    const auto text_of = [&](const std::string& inside) {
        return "<Project name=\"R\">" + inside + "<on event=\"any_event\"/><state ID=\"A\" kind=\"leaf\"/></Project>";
    };
    auto any = hsm::load_xml_text(text_of(""), names);
    CHECK(hsm::save_xml(any).find("<on event=\"any_event\"/>") != std::string::npos);
    auto named = hsm::load_xml_text(text_of("<event ID=\"any_event\"/>"), names);
    monster m;
    const auto result_of = [&](auto root) {
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, m};
        agent.start();
        return agent.process("go");
    };
    CHECK(result_of(std::move(any)) == hsm::result::internal);
    CHECK(result_of(std::move(named)) == hsm::result::unhandled);
}
