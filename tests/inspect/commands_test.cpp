#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/save/machine_factory.hpp>
#include <hsm/save/serialize.hpp>
#include <tests/inspect/watched_lane.hpp>

#include <stdexcept>

using namespace std::chrono_literals;
using test::verb;

namespace {

struct guard_dog {
    int bites = 0;
    bool sick = false;
};
template <class A> void serialize(A& archive, guard_dog& d) { archive("bites", d.bites)("sick", d.sick); }

struct thief {
    int weight = 0;
};
template <class A> void serialize(A& archive, thief& t) { archive("weight", t.weight); }
enum class sign { sit, come };

/// dog {sleeps, barks, bites}
hsm::chart<guard_dog> dog_chart() {
    auto root = hsm::make_fsm<guard_dog>("dog");
    auto& sleeps = root->add("sleeps");
    auto& barks = root->add("barks");
    auto& bites = root->add("bites").on_enter([](guard_dog& d) {
        if (d.sick) throw std::runtime_error("too sick to bite");
        ++d.bites;
    });
    sleeps.to(barks).on("noise");
    sleeps.to(bites).when("IsAngry");
    barks.to(sleeps).after(2s);
    barks.to(sleeps).on(sign::sit);
    barks.to(bites).on<thief>().when([](const guard_dog&, const thief& t) { return t.weight < 100; });
    hsm::serializes<thief>(*root);
    return hsm::compile(std::move(root));
}

struct yard {
    hsm::chart<guard_dog> chart = dog_chart();
    guard_dog dog;
    hsm::instance<guard_dog> agent{chart, dog};
    test::watched_lane page;
    std::uint32_t id = 0;

    yard() {
        agent.start();
        page.add("rex", agent);
        page.take();
        id = page.id_of("rex");
    }
    test::inspect::command command(verb v) const {
        test::inspect::command c;
        c.machine = id;
        c.verb = v;
        return c;
    }
    test::inspect::command_result event(verb v, std::string name, std::optional<std::string> data = {}) {
        auto c = command(v);
        c.event = std::move(name);
        c.data = std::move(data);
        return page.send(std::move(c));
    }
    test::inspect::command_result condition(verb v, std::string_view name) {
        auto c = command(v);
        for (const auto each : chart.view().conditions())
            if (each.name() == name) c.condition = each.number();
        return page.send(std::move(c));
    }
    std::uint32_t state(std::string_view path) const { return chart.view().find(path).number(); }
};

} // namespace

TEST_CASE("process and post send events: names with data, enumerators, and types with serialize") {
    yard y;
    CHECK(y.event(verb::process, "noise", R"({"loud": true})").outcome == "taken");
    CHECK(y.agent.is_in("barks"));
    std::string sit;
    for (const auto e : y.chart.view().events())
        if (e.name() == "sit") sit = e.text();
    CHECK(y.event(verb::post, sit).outcome == "queued");
    y.agent.tick(0ms);
    CHECK(y.agent.is_in("sleeps"));
    y.agent.process("noise");
    CHECK(y.event(verb::process, "thief", R"({"weight": 150})").outcome == "guarded");
    CHECK(y.event(verb::process, "thief", R"({"weight": 50})").outcome == "taken");
    CHECK(y.dog.bites == 1);
}

TEST_CASE("an event that cannot be created is an error of the command") {
    yard y;
    CHECK(y.event(verb::process, "noise", "{").code == "HSM-405");
    CHECK(y.event(verb::process, "thief", R"({"weight": "heavy"})").code == "HSM-405");
    CHECK(y.event(verb::process, "unknown").outcome == "unhandled");
}

TEST_CASE("set, clear and pulse change conditions") {
    yard y;
    CHECK(y.condition(verb::set, "IsAngry").outcome == "taken");
    CHECK(y.agent.get("IsAngry"));
    CHECK(y.condition(verb::clear, "IsAngry").outcome == "taken");
    CHECK(!y.agent.get("IsAngry"));
    CHECK(y.condition(verb::pulse, "IsAngry").outcome == "taken");
    y.agent.tick(0ms);
    CHECK(y.agent.is_in("bites"));
    auto unknown = y.command(verb::set);
    unknown.condition = 99;
    CHECK(y.page.send(unknown).code == "HSM-204");
}

TEST_CASE("change_to, force_to, start, stop, restart and scale are calls of the machine") {
    yard y;
    auto c = y.command(verb::change_to);
    c.state = y.state("barks");
    CHECK(y.page.send(c).outcome == "taken");
    CHECK(y.agent.is_in("barks"));
    c.verb = verb::force_to;
    c.state = y.state("sleeps");
    CHECK(y.page.send(c).outcome == "taken");
    c.state = 12345;
    CHECK(y.page.send(c).code == "HSM-202");
    CHECK(y.page.send(y.id, verb::stop).outcome == "taken");
    CHECK(y.page.only<test::inspect::leaves_changed>().changes.front().count == 0);
    CHECK(y.page.send(y.id, verb::start).outcome == "taken");
    CHECK(y.page.send(y.id, verb::restart).outcome == "taken");
    c = y.command(verb::scale);
    c.factor = 0.5;
    CHECK(y.page.send(c).outcome == "taken");
    CHECK(y.agent.time_scale() == 0.5);
    CHECK(y.page.only<test::inspect::facts_changed>().facts.scale == 0.5);
}

TEST_CASE("an exception of a hook in a command is reported to the viewer") {
    yard y;
    y.dog.sick = true;
    auto c = y.command(verb::change_to);
    c.state = y.state("bites");
    const auto done = y.page.send(c);
    CHECK(done.message == "an exception was thrown: too sick to bite");
    CHECK(done.outcome.empty());
}

TEST_CASE("explain lists the candidates with their obstacles") {
    yard y;
    auto c = y.command(verb::explain);
    auto done = y.page.send(c);
    REQUIRE(done.candidates.size() == 1);
    CHECK(!done.candidates.front().taken);
    CHECK(done.candidates.front().obstacles.size() == 1);
    CHECK(done.text.find("IsAngry") != std::string::npos);
    c.of = test::inspect::explained::event;
    c.event = "noise";
    CHECK(y.page.send(c).outcome == "taken");
    c.of = test::inspect::explained::state;
    c.state = y.state("bites");
    CHECK(!y.page.send(c).candidates.empty());
    c.of = test::inspect::explained::possible;
    CHECK(y.page.send(c).text.find("noise") != std::string::npos);
    CHECK(y.agent.is_in("sleeps"));
}

TEST_CASE("a saved document contains the context, and can be loaded") {
    yard y;
    y.dog.bites = 7;
    const auto saved = y.page.send(y.id, verb::save).document;
    REQUIRE(saved);
    y.dog.bites = 0;
    y.agent.process("noise");
    auto c = y.command(verb::load);
    c.document = *saved;
    CHECK(y.page.send(c).outcome == "taken");
    CHECK(y.dog.bites == 7);
    CHECK(y.agent.is_in("sleeps"));
    c.document = "[]";
    CHECK(y.page.send(c).code == "HSM-361");
}

TEST_CASE("the document of a crowd contains all agents with their contexts") {
    yard y;
    hsm::crowd<guard_dog> pack{y.chart};
    const auto first = pack.add(), second = pack.add();
    pack.context(second).bites = 3;
    y.page.add("pack", pack);
    y.page.take();
    auto c = y.command(verb::save);
    c.machine = y.page.id_of("pack");
    const auto saved = y.page.send(c).document;
    REQUIRE(saved);
    pack.context(second).bites = 0;
    pack[first]->process("noise");
    c.verb = verb::load;
    c.document = *saved;
    CHECK(y.page.send(c).outcome == "taken");
    CHECK(pack.context(second).bites == 3);
    CHECK(pack[first]->is_in("sleeps"));
}

TEST_CASE("the page saves a manager if the program passes the kinds of its machines") {
    yard y;
    guard_dog rex;
    hsm::manager kennel, other;
    kennel.create("rex", y.chart, rex).start();
    hsm::machine_factory kinds;
    kinds.add("dog", y.chart, [&](std::string_view) -> guard_dog& { return rex; });
    y.page.lane.add("kennel", kennel, kinds);
    y.page.add("other", other);
    y.page.take();
    auto c = y.command(verb::save);
    c.machine = y.page.id_of("other");
    const auto id = y.page.id_of("kennel");
    const auto refused = y.page.send(c);
    CHECK(refused.code == "HSM-405");
    CHECK(refused.hint.find("machine_factory") != std::string::npos);
    c.machine = id;
    const auto saved = y.page.send(c).document;
    REQUIRE(saved);
    kennel.find("rex")->process("noise");
    c.verb = verb::load;
    c.document = *saved;
    CHECK(y.page.send(c).outcome == "taken");
    CHECK(kennel.find("rex")->is_in("sleeps"));
}

TEST_CASE("commands are part of input logs, like other calls") {
    yard y;
    hsm::input_log log;
    log.attach(y.agent, y.dog);
    y.event(verb::process, "noise");
    y.agent.tick(500ms);
    y.condition(verb::set, "IsAngry");
    y.event(verb::process, "thief", R"({"weight": 50})");
    const auto bytes = log.bytes();

    guard_dog dog;
    hsm::instance agent{y.chart, dog};
    agent.start();
    hsm::replay again(bytes);
    again.attach(agent, dog);
    CHECK(!again.run());
    CHECK(agent.is_in("bites"));
    CHECK(dog.bites == 1);
}

TEST_CASE("a command for a destroyed machine is an error") {
    yard y;
    { const auto moved = std::move(y.agent); }
    CHECK(y.page.send(y.id, verb::start).code == "HSM-404");
    CHECK(y.page.all_of<test::inspect::machine_removed>().size() == 1);
}
