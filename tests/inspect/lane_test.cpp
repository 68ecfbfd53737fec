// What a lane reports: the list, states, records, breakpoints.

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <tests/inspect/watched_lane.hpp>

#include <optional>

using namespace std::chrono_literals;
using hsm::record_kind;
using test::verb;
using test::inspect::break_kind;
using test::inspect::machine_kind;

namespace {

struct empty_context {};

/// lamp {off, on}
hsm::chart<empty_context> lamp_chart() {
    auto root = hsm::make_fsm<empty_context>("lamp");
    auto& off = root->add("off");
    auto& on = root->add("on");
    off.to(on).on("press");
    on.to(off).on("press");
    on.to(off).after(5s);
    off.to(on).when("IsDark");
    return hsm::compile(std::move(root));
}

struct room {
    hsm::chart<empty_context> chart = lamp_chart();
    empty_context context;
    test::watched_lane page;

    std::uint16_t state(std::string_view path) const { return static_cast<std::uint16_t>(chart.view().find(path).number()); }
    template <class Machine> std::uint32_t list(std::string_view name, Machine& machine) {
        page.add(name, machine);
        page.take();
        return page.id_of(name);
    }
    test::inspect::command stop_at(std::uint32_t id, break_kind at, std::uint32_t number) const {
        test::inspect::command c;
        c.machine = id;
        c.verb = verb::break_;
        c.place = test::inspect::break_place{at, number};
        return c;
    }
};

} // namespace

TEST_CASE("the page lists an added machine with its chart and leaves") {
    room r;
    hsm::actor<empty_context> lamp(r.chart);
    lamp.start();
    r.list("lamp", lamp);
    const auto added = r.page.only<test::inspect::machine_added>();
    CHECK(added.kind == machine_kind::actor);
    CHECK(added.leaves == std::vector{r.state("off")});
    CHECK(added.chart->fingerprint() == r.chart.fingerprint());
    CHECK(!added.facts.stoppable);
}

TEST_CASE("names are unique and not empty; the name of a removed machine is free") {
    room r;
    hsm::instance agent{r.chart, r.context};
    r.list("lamp", agent);
    CHECK_THROWS_WITH_AS(r.page.add("lamp", agent), doctest::Contains("HSM-403"), hsm::inspect::inspect_error);
    CHECK_THROWS_WITH_AS(r.page.add("", agent), doctest::Contains("HSM-403"), hsm::inspect::inspect_error);
    r.page.lane.remove(agent);
    r.page.take();
    r.page.only<test::inspect::machine_removed>();
    r.list("lamp", agent);
}

TEST_CASE("each change of state is sent to viewers, and no state is sent without a viewer") {
    room r;
    hsm::instance agent{r.chart, r.context};
    const auto id = r.list("lamp", agent);
    agent.start();
    r.page.sample();
    CHECK(r.page.messages.empty());
    r.page.feed.add_viewer();
    r.page.sample();
    const auto changed = r.page.only<test::inspect::leaves_changed>();
    CHECK(changed.changes.front().id == id);
    CHECK(changed.leaves == std::vector{r.state("off")});
    r.page.sample();
    CHECK(r.page.messages.empty());
}

TEST_CASE("a moved machine stays in the list, and a destroyed one is removed, also without a viewer") {
    room r;
    std::optional<hsm::instance<empty_context>> agent(std::in_place, r.chart, r.context);
    r.list("lamp", *agent);
    std::optional<hsm::instance<empty_context>> other(std::move(*agent));
    agent.reset();
    other->start();
    r.page.feed.add_viewer();
    r.page.sample();
    r.page.only<test::inspect::leaves_changed>();
    r.page.feed.remove_viewer();
    other.reset();
    CHECK(r.page.feed.needs_poll());
    r.page.lane.poll();
    r.page.take();
    r.page.only<test::inspect::machine_removed>();
}

TEST_CASE("opening a machine sends a keyframe before its records, and closing it ends the recording") {
    room r;
    hsm::instance agent{r.chart, r.context};
    const auto id = r.list("lamp", agent);
    agent.start();
    agent.process("press");
    agent.tick(1s);
    agent.set("IsDark");
    r.page.send(id, verb::open);
    const auto began = r.page.only<test::inspect::recording_began>().state;
    CHECK(began.clock == 1'000'000'000);
    CHECK(began.active == std::vector{std::uint16_t(0), r.state("on")});
    CHECK(began.conditions.size() == 1);
    CHECK(began.timers == std::vector{std::pair(std::uint32_t(0), std::int64_t(5'000'000'000))});
    agent.process("press");
    r.page.take();
    REQUIRE(!r.page.records.empty());
    CHECK(r.page.records.back().record.kind == record_kind::call_end);
    CHECK(r.page.records.back().machine == id);
    r.page.send(id, verb::close);
    CHECK(!r.page.only<test::inspect::facts_changed>().facts.recording);
    agent.process("press");
    r.page.take();
    CHECK(r.page.records.empty());
}

TEST_CASE("a message of a recording has the position of its first record") {
    room r;
    hsm::instance one{r.chart, r.context}, two{r.chart, r.context};
    const auto first = r.list("one", one), second = r.list("two", two);
    r.page.lane.record(one);
    one.start();
    r.page.lane.record(two);
    two.start();
    std::vector<test::inspect::message> messages;
    std::vector<test::inspect::recorded> records;
    const auto begin = r.page.feed.take(messages, records);
    REQUIRE(messages.size() == 2);
    const auto at = messages[1].position - begin;
    CHECK(records[at - 1].machine == first);
    CHECK(records[at].machine == second);
}

TEST_CASE("a full ring drops records and counts them") {
    test::inspect::record_ring ring(4);
    for (std::uint32_t i = 1; i <= 6; ++i) ring.push({i, {}});
    CHECK(ring.dropped() == 2);
    std::vector<test::inspect::recorded> taken;
    ring.pop(taken, ring.pushed());
    REQUIRE(taken.size() == 4);
    CHECK(taken.back().machine == 4);
    ring.push({7, {}});
    CHECK(ring.dropped() == 2);
}

TEST_CASE("pause and step need a loop that asks runs, and runs is false until continue") {
    room r;
    hsm::instance agent{r.chart, r.context};
    const auto id = r.list("lamp", agent);
    CHECK(r.page.send(id, verb::pause).code == "HSM-405");
    CHECK(r.page.runs(agent));
    r.page.send(id, verb::open);
    CHECK(r.page.runs(agent));
    CHECK(r.page.send(id, verb::pause).outcome == "taken");
    CHECK(r.page.only<test::inspect::facts_changed>().facts.paused);
    CHECK(!r.page.runs(agent));
    test::inspect::command step;
    step.machine = id;
    step.verb = verb::step;
    step.ticks = 2;
    r.page.send(step);
    CHECK(r.page.runs(agent));
    CHECK(r.page.runs(agent));
    CHECK(!r.page.runs(agent));
    r.page.send(id, verb::continue_);
    CHECK(r.page.runs(agent));
    r.page.send(id, verb::close);
    CHECK(!r.page.lane.asks());
}

TEST_CASE("a breakpoint pauses the machine when the call has ended, after the record that reached it") {
    room r;
    hsm::instance agent{r.chart, r.context};
    const auto id = r.list("lamp", agent);
    agent.start();
    r.page.send(id, verb::open);
    r.page.runs(agent);
    CHECK(r.page.send(r.stop_at(id, break_kind::entry, r.state("on"))).outcome == "taken");
    CHECK(r.page.only<test::inspect::facts_changed>().facts.stops.size() == 1);
    r.page.send(id, verb::close);
    r.page.send(id, verb::open); // the recording now begins after the breakpoint was set
    r.page.take();
    CHECK(agent.process("press") == hsm::result::taken);
    CHECK(agent.is_in("on"));
    CHECK(!r.page.runs(agent));
    std::vector<test::inspect::message> messages;
    std::vector<test::inspect::recorded> records;
    const auto begin = r.page.feed.take(messages, records);
    REQUIRE(messages.size() == 1);
    CHECK(std::get<test::inspect::breakpoint_reached>(messages[0].content).by == "break at entry of lamp/on");
    CHECK(records[messages[0].position - begin - 1].record.kind == record_kind::entered);
    r.page.send(id, verb::continue_);
    CHECK(r.page.runs(agent));
    r.page.send(id, verb::unbreak);
    agent.process("press");
    agent.process("press");
    CHECK(r.page.runs(agent));
}

TEST_CASE("breakpoints stop at exits, transitions, conditions and events, and reject parts that do not exist") {
    room r;
    hsm::instance agent{r.chart, r.context};
    const auto id = r.list("lamp", agent);
    agent.start();
    r.page.send(id, verb::open);
    r.page.runs(agent);
    const auto stops = [&](break_kind at, std::uint32_t number, auto call) {
        CHECK(r.page.send(r.stop_at(id, at, number)).outcome == "taken");
        call();
        const bool stopped = !r.page.runs(agent);
        r.page.send(id, verb::unbreak);
        r.page.send(id, verb::continue_);
        return stopped;
    };
    const auto press = [&] { agent.process("press"); };
    CHECK(stops(break_kind::exit, r.state("off"), press));
    CHECK(!stops(break_kind::exit, r.state("off"), press));
    CHECK(stops(break_kind::event, 0, press));
    CHECK(stops(break_kind::condition, 1, [&] { agent.set("IsDark"); }));
    for (const auto t : r.chart.view().transitions())
        if (t.event()) CHECK(stops(break_kind::transition, t.number(), [&] { agent.force_to(t.source().ref()), press(); }));
    CHECK(r.page.send(r.stop_at(id, break_kind::entry, 99)).code == "HSM-202");
    CHECK(r.page.send(r.stop_at(id, break_kind::transition, 99)).message.find("does not belong to this chart") != std::string::npos);
}

TEST_CASE("a crowd reports populations, lists agents, and shows an agent on request") {
    room r;
    hsm::crowd<empty_context> herd{r.chart};
    const auto first = herd.add();
    for (int i = 0; i < 5000; ++i) herd.add();
    herd[herd.add()]->stop();
    const auto id = r.list("herd", herd);
    CHECK(r.page.only<test::inspect::machine_added>().facts.count == 5002);
    herd[first]->process("press");
    herd[first]->tick(0s);
    r.page.feed.add_viewer();
    r.page.sample();
    const auto all = r.page.only<test::inspect::population>();
    CHECK(all.inactive == 1);
    CHECK(all.counts == std::vector{std::pair(r.state("off"), std::uint32_t(5000)), std::pair(r.state("on"), std::uint32_t(1))});

    test::inspect::command c;
    c.machine = id;
    c.verb = verb::agents;
    c.state = r.state("on");
    const auto agents = r.page.send(c).agents;
    REQUIRE(agents->size() == 1);
    CHECK(agents->front().leaf == r.state("on"));
    c.verb = verb::agent;
    c.index = agents->front().index;
    c.generation = agents->front().generation;
    const auto agent = r.page.send(c).machine;
    CHECK(r.page.only<test::inspect::machine_added>().parent == id);
    CHECK(r.page.send(c).machine == agent);
    CHECK(r.page.send(agent, verb::open).message.empty());
    herd[first]->process("press");
    r.page.take();
    CHECK(!r.page.records.empty());
    CHECK(r.page.send(agent, verb::explain).outcome == "unhandled");
    herd.remove(first);
    r.page.sample();
    CHECK(r.page.only<test::inspect::machine_removed>().id == agent);
}

TEST_CASE("an event for a crowd reaches all agents") {
    room r;
    hsm::crowd<empty_context> herd{r.chart};
    herd.add();
    herd.add();
    test::inspect::command c;
    c.machine = r.list("herd", herd);
    c.verb = verb::process;
    c.event = "press";
    CHECK(r.page.send(c).text == "2 taken");
    CHECK(herd.count("on") == 2);
    c.verb = verb::change_to;
    CHECK(r.page.send(c).code == "HSM-405");
}

TEST_CASE("the machines of a manager are listed until they are removed, including those created later") {
    room r;
    hsm::manager machines;
    machines.create("one", r.chart, r.context).start();
    const auto id = r.list("machines", machines);
    CHECK(r.page.all_of<test::inspect::machine_added>().size() == 2);
    machines.create("two", r.chart, r.context).start();
    r.page.feed.add_viewer();
    r.page.sample();
    const auto two = r.page.only<test::inspect::machine_added>();
    CHECK(two.name == "two");
    CHECK(two.parent == id);
    CHECK(two.kind == machine_kind::managed);
    test::inspect::command c;
    c.machine = two.id;
    c.verb = verb::process;
    c.event = "press";
    CHECK(r.page.send(c).outcome == "taken");
    CHECK(machines.get("two")->is_in("on"));
    machines.remove("two");
    r.page.sample();
    CHECK(r.page.only<test::inspect::machine_removed>().id == two.id);
    { const auto gone = std::move(machines); }
    r.page.lane.poll();
    r.page.take();
    CHECK(r.page.all_of<test::inspect::machine_removed>().size() == 2);
}

TEST_CASE("a machine that a reload gives another chart is listed again, and recorded with the new chart") {
    room r;
    hsm::actor<empty_context> lamp(r.chart);
    lamp.start();
    const auto id = r.list("lamp", lamp);
    r.page.lane.record(lamp);
    r.page.send(r.stop_at(id, break_kind::entry, r.state("on")));

    auto root = hsm::make_fsm<empty_context>("lamp");
    auto& off = root->add("off");
    root->add("spare");
    auto& broken = root->add("broken");
    off.to(broken).on("press");
    broken.to(off).on("press");
    const auto next = hsm::compile(std::move(root));
    hsm::reload_plan(r.chart, next).apply(lamp);
    lamp.process("press"); // before the page knows the new chart
    r.page.lane.poll();
    r.page.take();

    const auto added = r.page.only<test::inspect::machine_added>();
    CHECK(added.id == id);
    CHECK(added.chart->fingerprint() == next.fingerprint());
    CHECK(added.leaves == std::vector{static_cast<std::uint16_t>(next.view().find("broken").number())});
    CHECK(added.facts.stops.empty());
    const auto began = r.page.only<test::inspect::recording_began>();
    CHECK(began.state.active.back() == added.leaves.front());
    CHECK(r.page.all_of<test::inspect::leaves_changed>().empty());
    // Only the records of the new recording: its first configuration, and the call around it.
    CHECK(r.page.records.size() == 3);
    CHECK(r.page.records[1].record.state == added.leaves.front());
    lamp.process("press");
    r.page.take();
    CHECK_FALSE(r.page.records.empty());
}

TEST_CASE("viewers learn the new chart of a machine that no viewer has opened") {
    room r;
    hsm::actor<empty_context> lamp(r.chart);
    lamp.start();
    r.list("lamp", lamp);
    r.page.feed.add_viewer();
    r.page.sample();
    auto root = hsm::make_fsm<empty_context>("lamp");
    root->add("off");
    const auto next = hsm::compile(std::move(root));
    hsm::reload_plan(r.chart, next).apply(lamp); // the leaf keeps its number
    r.page.sample();
    CHECK(r.page.only<test::inspect::machine_added>().chart->fingerprint() == next.fingerprint());
    r.page.sample();
    CHECK(r.page.all_of<test::inspect::machine_added>().empty());
}
