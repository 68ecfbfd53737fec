// If an allocation fails, a call to a page throws or answers with an error. Then nothing has changed, and the next call succeeds. Messages to viewers
// are late, but complete.
//
// Without memory: inspect/lane.hpp inspect/page.hpp

#include <hsm/crowd/crowd.hpp>
#include <hsm/inspect/page.hpp>
#include <hsm/manage/manager.hpp>
#include <tests/inspect/watched_lane.hpp>
#include <tests/support/scarce_memory.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using test::verb;
using test::inspect::break_kind;
using test::inspect::command;
using test::inspect::machine_facts;
using test::memory::threads;
using test::memory::trial;
using test::memory::with_every_shortage;
using test::memory::with_many_shortages;

namespace {

struct empty_context {};

/// A name that a string cannot store without an allocation.
constexpr auto lamp_name = "a lamp whose name does not fit into a string itself";

hsm::chart<empty_context> lamp_chart() {
    auto root = hsm::make_fsm<empty_context>("lamp");
    auto& off = root->add("off");
    auto& on = root->add("on");
    off.to(on).on("press").when("IsDark");
    on.to(off).on("press");
    on.to(off).after(5s);
    return hsm::compile(std::move(root));
}

const test::inspect::page_clock old_clock;

/// What a viewer knows from all messages of a lane.
struct viewer {
    struct machine {
        std::string name = {};
        std::vector<std::uint16_t> leaves = {};
        machine_facts facts = {};
        friend bool operator==(const machine&, const machine&) = default;
    };
    std::map<std::uint32_t, machine> machines;
    std::optional<test::inspect::population> counts;
    std::vector<test::inspect::command_result> answers;
    std::size_t records = 0;
    std::vector<std::string> stops;

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& [id, m] : machines) all.push_back(m.name);
        return all;
    }
};

struct watched_page : test::watched_lane {
    explicit watched_page(std::size_t most = 1000) : watched_lane(most, old_clock) {
        while (old_clock.now() < 50'000'000) std::this_thread::yield();
    }

    viewer seen;

    void read() {
        take();
        seen.records += records.size();
        for (const auto& m : messages) std::visit([&](const auto& content) { apply(content); }, m.content);
    }

private:
    void apply(const test::inspect::machine_added& m) { seen.machines[m.id] = {m.name, m.leaves, m.facts}; }
    void apply(const test::inspect::machine_removed& m) { seen.machines.erase(m.id); }
    void apply(const test::inspect::leaves_changed& m) {
        auto leaf = m.leaves.begin();
        for (const auto& each : m.changes) {
            REQUIRE(m.leaves.end() - leaf >= each.count);
            seen.machines.at(each.id).leaves.assign(leaf, leaf + each.count);
            leaf += each.count;
        }
        CHECK(leaf == m.leaves.end());
    }
    void apply(const test::inspect::facts_changed& m) { seen.machines.at(m.id).facts = m.facts; }
    void apply(const test::inspect::population& m) { seen.counts = m; }
    void apply(const test::inspect::recording_began&) {}
    void apply(const test::inspect::breakpoint_reached& m) { seen.stops.push_back(m.by); }
    void apply(const test::inspect::command_done& m) { seen.answers.push_back(m.result); }
};

/// A lamp that is off and listed, and whose loop asks whether it may run.
struct room {
    hsm::chart<empty_context> chart;
    empty_context context;
    hsm::instance<empty_context> agent{chart, context};
    watched_page page;
    std::uint32_t id = 0;

    explicit room(const hsm::chart<empty_context>& of) : chart(of) {
        agent.start();
        page.add(lamp_name, agent);
        page.read();
        id = page.seen.machines.begin()->first;
    }
    command of(verb v) const {
        command c;
        c.machine = id;
        c.verb = v;
        return c;
    }
    command stop_at_entry(const char* state) const {
        auto c = of(verb::break_);
        c.place = test::inspect::break_place{break_kind::entry, static_cast<std::uint32_t>(chart.view().find(state).number())};
        return c;
    }
    void poll() {
        page.lane.poll();
        page.read();
    }
    void send(command c) {
        REQUIRE(page.feed.push_command(std::move(c)));
        poll();
    }
    /// A viewer opens the lamp.
    void open() {
        send(of(verb::open));
        CHECK(page.runs(agent));
    }
    /// The first call samples the whole list.
    void sample() {
        page.feed.add_viewer();
        poll();
        page.feed.remove_viewer();
    }
    std::uint16_t leaf() const { return static_cast<std::uint16_t>(chart.view().find(agent.is_in("on") ? "on" : "off").number()); }
};

} // namespace

TEST_CASE("add lists an object with all its machines, or has no effect") {
    const auto chart = lamp_chart();
    empty_context context;
    hsm::instance agent{chart, context};
    agent.start();
    hsm::crowd<empty_context> herd{chart};
    herd.add();
    hsm::manager machines;
    machines.create("the first machine of the manager", chart, context).start();
    machines.create("the second machine of the manager", chart, context).start();
    const auto check = [&](auto& object, const std::vector<std::string>& names) {
        CHECK(with_every_shortage([&](trial& t) {
                  watched_page page(names.size());
                  const auto add = [&] { page.add(lamp_name, object); };
                  if (!t.attempt(add)) {
                      page.read();
                      CHECK(page.seen.machines.empty());
                      add();
                  }
                  page.read();
                  CHECK(page.seen.names() == names);
              }) > 5);
    };
    check(agent, {lamp_name});
    check(herd, {lamp_name});
    check(machines, {lamp_name, "the first machine of the manager", "the second machine of the manager"});
}

TEST_CASE("remove needs no memory, also for a destroyed object") {
    const auto chart = lamp_chart();
    for (const bool is_destroyed : {false, true}) {
        CAPTURE(is_destroyed);
        empty_context context;
        std::optional<hsm::instance<empty_context>> agent(std::in_place, chart, context);
        watched_page page;
        page.add(lamp_name, *agent);
        trial none(0, test::memory::shortage::lasting);
        CHECK(none.attempt([&] {
            if (!is_destroyed) return page.lane.remove(*agent);
            agent.reset();
            page.lane.poll();
        }));
        page.read();
        CHECK(page.seen.machines.empty());
    }
}

TEST_CASE("record records the machine, or has no effect") {
    const auto chart = lamp_chart();
    CHECK(with_every_shortage([&](trial& t) {
              room r(chart);
              const auto records_of_a_call = [&] {
                  r.page.seen.records = 0;
                  r.agent.process("press");
                  r.page.read();
                  return r.page.seen.records;
              };
              if (!t.attempt([&] { r.page.lane.record(r.agent); })) {
                  CHECK(records_of_a_call() == 0);
                  r.send(r.of(verb::open));
                  r.send(r.of(verb::close));
                  CHECK(records_of_a_call() == 0);
                  r.page.lane.record(r.agent);
              }
              CHECK(records_of_a_call() > 0);
          }) > 3);
}

TEST_CASE("a command is executed once and answered, or answered with an error and without effect") {
    const auto chart = lamp_chart();
    const auto number_of = [&](const char* state) { return static_cast<std::uint32_t>(chart.view().find(state).number()); };
    std::string document;
    {
        room r(chart);
        r.agent.set("IsDark");
        r.agent.process("press");
        document = hsm::save_document(r.agent);
    }
    struct {
        const char* name;
        verb what;
        void (*set)(command&) = [](command&) {};
    } const cases[] = {
        {"process", verb::process, [](command& c) { c.event = "press"; }},
        {"post", verb::post, [](command& c) { c.event = "press"; }},
        {"clear", verb::clear, [](command& c) { c.condition = 1; }},
        {"force_to", verb::force_to},
        {"stop", verb::stop},
        {"scale", verb::scale, [](command& c) { c.factor = 2; }},
        {"explain", verb::explain},
        {"explain an event", verb::explain, [](command& c) { c.of = test::inspect::explained::event, c.event = "press"; }},
        {"save", verb::save},
        {"load", verb::load},
        {"pause", verb::pause},
        {"record", verb::record},
        {"break", verb::break_},
        {"unbreak", verb::unbreak},
    };
    for (const auto& each : cases) {
        CAPTURE(each.name);
        const auto prepare = [&](room& r) {
            r.open();
            if (each.what == verb::unbreak) r.send(r.stop_at_entry("on"));
            r.send(r.of(verb::close));
            r.page.seen.answers.clear();
            r.agent.set("IsDark");
        };
        auto c = room(chart).of(each.what);
        each.set(c);
        if (each.what == verb::force_to) c.state = number_of("on");
        if (each.what == verb::load) c.document = document;
        if (each.what == verb::break_) c.place = test::inspect::break_place{break_kind::entry, number_of("on")};
        room usual(chart);
        prepare(usual);
        const auto before = hsm::save_document(usual.agent);
        usual.send(c);
        const auto after = hsm::save_document(usual.agent);
        REQUIRE(usual.page.seen.answers.at(0).message == "");
        CHECK(with_every_shortage([&](trial& t) {
                  room r(chart);
                  prepare(r);
                  auto& answers = r.page.seen.answers;
                  REQUIRE(r.page.feed.push_command(command(c)));
                  t.attempt([&] { r.page.lane.poll(); });
                  r.poll(); // executes the command if there was no memory for its answer
                  REQUIRE(answers.size() == 1);
                  if (!answers[0].message.empty() || answers[0].outcome == "full") {
                      CHECK(hsm::save_document(r.agent) == before);
                      r.send(c);
                      REQUIRE(answers.size() == 2);
                  }
                  const auto& expected = usual.page.seen.answers[0];
                  CHECK(answers.back().message == "");
                  CHECK(answers.back().outcome == expected.outcome);
                  CHECK(answers.back().text == expected.text);
                  CHECK(answers.back().document == expected.document);
                  CHECK(hsm::save_document(r.agent) == after);
                  r.sample();
                  CHECK(r.page.seen.machines == usual.page.seen.machines);
              }) > 0);
    }
}

TEST_CASE("a command for a crowd lists its agents and adds one, or answers with an error") {
    const auto chart = lamp_chart();
    hsm::crowd<empty_context> herd{chart};
    const auto agent = herd.add();
    for (const auto what : {verb::agents, verb::agent}) {
        CAPTURE(static_cast<int>(what));
        CHECK(with_every_shortage([&](trial& t) {
                  watched_page page(2);
                  page.add("herd", herd);
                  page.read();
                  command c;
                  c.machine = page.seen.machines.begin()->first;
                  c.verb = what;
                  c.index = agent.index;
                  c.generation = agent.generation;
                  auto& answers = page.seen.answers;
                  REQUIRE(page.feed.push_command(command(c)));
                  t.attempt([&] { page.lane.poll(); });
                  page.lane.poll();
                  page.read();
                  REQUIRE(answers.size() == 1);
                  if (!answers[0].message.empty()) {
                      CHECK(page.seen.machines.size() == 1);
                      REQUIRE(page.feed.push_command(command(c)));
                      page.lane.poll();
                      page.read();
                      REQUIRE(answers.size() == 2);
                  }
                  CHECK(answers.back().message == "");
                  if (what == verb::agents) CHECK(answers.back().agents->size() == 1);
                  CHECK(page.seen.machines.size() == (what == verb::agent ? 2 : 1));
              }) > 3);
    }
}

TEST_CASE("a machine that a viewer opens is recorded as soon as there is memory") {
    const auto chart = lamp_chart();
    CHECK(with_every_shortage([&](trial& t) {
              room r(chart);
              REQUIRE(r.page.feed.push_command(r.of(verb::open)));
              t.attempt([&] { r.page.lane.poll(); });
              r.sample();
              r.page.seen.records = 0;
              r.agent.process("press");
              r.page.read();
              CHECK(r.page.seen.records > 0);
          }) > 3);
}

TEST_CASE("a breakpoint that could not be added or removed leaves the others") {
    const auto chart = lamp_chart();
    for (const auto what : {verb::break_, verb::unbreak}) {
        CAPTURE(static_cast<int>(what));
        CHECK(with_every_shortage([&](trial& t) {
                  room r(chart);
                  r.open();
                  r.agent.set("IsDark");
                  r.send(r.stop_at_entry("on"));
                  auto c = r.stop_at_entry("off");
                  if (what == verb::unbreak) r.send(c);
                  c.verb = what;
                  REQUIRE(r.page.feed.push_command(std::move(c)));
                  t.attempt([&] { r.page.lane.poll(); });
                  r.poll();
                  r.agent.process("press");
                  CHECK(!r.page.runs(r.agent));
                  r.poll();
                  CHECK(r.page.seen.stops == std::vector<std::string>{"break at entry of lamp/on"});
              }) > 3);
    }
}

TEST_CASE("a breakpoint pauses the machine without memory, and its call does not throw") {
    const auto chart = lamp_chart();
    CHECK(with_every_shortage([&](trial& t) {
              room r(chart);
              r.open();
              r.agent.process("press");
              r.agent.set("IsDark");
              r.send(r.stop_at_entry("on"));
              CHECK(t.attempt([&] { r.agent.process("press"); }));
              CHECK(r.agent.is_in("on"));
              CHECK(!r.page.runs(r.agent));
              r.sample();
              CHECK(r.page.seen.machines.at(r.id).facts.paused);
          }) > 0);
}

TEST_CASE("a viewer receives all changes, including delayed ones") {
    const auto chart = lamp_chart();
    const auto off = static_cast<std::uint16_t>(chart.view().find("off").number());
    const auto scenario = [&](trial& t) {
        room r(chart);
        hsm::crowd<empty_context> herd{chart};
        hsm::manager machines;
        r.page.add("herd", herd);
        r.page.add("machines", machines);
        r.page.read();
        r.agent.set("IsDark");
        r.agent.process("press");
        herd.add();
        herd.add();
        for (const auto* name : {"a first machine of the manager", "a second machine of the manager"})
            machines.create(name, chart, r.context).start();
        r.page.feed.add_viewer();
        t.attempt([&] { r.page.lane.poll(); });
        r.page.read();
        auto& seen = r.page.seen;
        const std::vector<std::string> names = {lamp_name, "herd", "machines", "a first machine of the manager", "a second machine of the manager"};
        const auto has_all = [&] { return seen.machines.at(r.id).leaves == std::vector{r.leaf()} && seen.names() == names && seen.counts; };
        for (const auto limit = old_clock.now() + 10'000'000'000; !has_all() && old_clock.now() < limit;) r.poll();
        CHECK(seen.machines.at(r.id).leaves == std::vector{r.leaf()});
        CHECK(seen.names() == names);
        REQUIRE(seen.counts);
        CHECK(seen.counts->counts == std::vector{std::pair(off, std::uint32_t(2))});
    };
    CHECK(with_many_shortages(scenario) > 10);
}

TEST_CASE("a page and its lanes are created completely or not at all, and work after a call that got no memory") {
    const auto chart = lamp_chart();
    hsm::inspect::page_options quiet;
    quiet.print = false;
    quiet.most.viewers = 1;
    empty_context context;
    const auto use = [&](auto& lane) {
        hsm::instance agent{chart, context};
        lane.add(lamp_name, agent);
        lane.record(agent);
        agent.start();
        lane.poll();
        CHECK(lane.runs(agent));
        lane.remove(agent);
    };
    CHECK(with_many_shortages([&](trial& t) {
              std::optional<hsm::inspect::page> page;
              if (!t.attempt([&] { page.emplace(quiet); }, threads::this_one)) page.emplace(quiet);
              use(*page);
          }) > 5);
    CHECK(with_every_shortage([&](trial& t) {
              hsm::inspect::page page(quiet);
              hsm::inspect::lane* lane = nullptr;
              if (!t.attempt([&] { lane = &page.lane(); }, threads::this_one)) lane = &page.lane();
              use(*lane);
          }) > 3);
}
