// Hooks on all agents in a state.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

/// R{ idle{ sits, lies }, runs }: push leads from sits to lies to runs, "Go" from lies to runs. Entries are recorded.
hsm::chart<animal> calm_chart() {
    auto root = hsm::make_fsm<animal>("R");
    auto& idle = root->add_fsm("idle");
    auto& sits = idle.add("sits");
    auto& lies = idle.add("lies");
    auto& runs = root->add("runs").on_enter([](animal& a) { a.note("E runs"); });
    sits.to(lies).on<push>();
    lies.to(runs).on<push>();
    lies.to(runs).when("Go");
    return hsm::compile(std::move(root), {.entry_times = false});
}

void note_all(recorder& r, const char* who, hsm::batch<animal>& some) {
    std::string text = who;
    for (const animal& a : some) text += ' ' + std::to_string(a.number);
    r.note(text);
}

} // namespace

TEST_CASE("a batch contains the agents in the state, in ticks and updates; batch hooks run before the agents' hooks, superstates first") {
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(4, calm_chart(), {.lists = lists});
        m.herd[m.ids[1]]->process(push{});
        m.herd.on_update("idle/lies", [&](hsm::batch<animal>& some) { note_all(m.r, "lies", some); });
        m.herd.on_update("runs", [&](hsm::batch<animal>& some) { note_all(m.r, "runs", some); });
        m.herd.on_update("idle", [&](hsm::batch<animal>& some) { note_all(m.r, "idle", some); });
        m.herd.on_update("R", [&](hsm::batch<animal>& some) { note_all(m.r, "R", some); });
        m.herd.on_update("R", [&](hsm::batch<animal>& some) { note_all(m.r, "again", some); });
        CHECK(m.tick() == "R 0 1 2 3, again 0 1 2 3, idle 0 1 2 3, lies 1");
        m.herd.set(m.ids[1], "Go");
        CHECK(m.tick() == "R 0 1 2 3, again 0 1 2 3, idle 0 1 2 3, lies 1, E runs 1");
        CHECK(m.update() == "R 0 1 2 3, again 0 1 2 3, idle 0 2 3, runs 1");
        CHECK(m.decide() == "");
        m.herd[m.ids[3]]->stop();
        m.herd.remove(m.ids[0]);
        CHECK(m.tick() == "R 1 2, again 1 2, idle 2, runs 1");
        CHECK(code_of<hsm::state_error>([&] { m.herd.on_update("jumps", [](hsm::batch<animal>&) {}); }) == 202);
    }
}

TEST_CASE("a batch has the elapsed time, in seconds or as a time_span") {
    animals m(2, calm_chart());
    m.herd.on_update("idle", [&](hsm::batch<animal>& some, float dt) { m.r.note(std::to_string(some.size()) + " " + std::to_string(dt)); });
    m.herd.on_update("R", [&](hsm::batch<animal>&, hsm::time_span t) { m.r.note(std::to_string(t.nanoseconds())); });
    CHECK(m.tick(250ms) == "250000000, 2 0.250000");
}

TEST_CASE("a batch supports queries") {
    animals m(5000, calm_chart());
    m.herd.remove(m.ids[2]);
    const auto go = m.herd.number_of("Go");
    for (const auto id : {m.ids[3], m.ids[4098], m.ids[4999]}) m.herd[id]->process(push{});
    m.herd.set(m.ids[3], "Go");
    int calls = 0;
    m.herd.on_update("idle/lies", [&](hsm::batch<animal>& some) {
        ++calls;
        for (std::size_t i = 0; i < some.size(); ++i) {
            CHECK(m.herd.has(some.id(i)));
            CHECK(&m.herd.context(some.id(i)) == &some[i]);
            CHECK(some.get(i, go) == (calls == 1 && some[i].number == 3));
            some.set(i, go, some[i].number == 4999);
        }
    });
    CHECK(m.tick() == "E runs 4999"); // in the same tick
    CHECK(calls == 2);
    CHECK_FALSE(m.herd.get(m.ids[3], "Go"));
    CHECK(m.tick() == "");
}

TEST_CASE("a batch hook that throws: all agents are ticked, and the crowd continues") {
    animals m(4200);
    m.herd.on_update("A", [](hsm::batch<animal>& some) { throw_at(some[0]); });
    m.herd.on_update("A", [&](hsm::batch<animal>& some) { m.r.note(std::to_string(some.size())); });
    CHECK(error_text([&] { m.herd.tick(1s); }) == "0");
    const auto trace = m.r.take();
    CHECK(trace.substr(0, 13) == "4096, U A 0, ");
    CHECK(trace.find("104, U A 4096") != std::string::npos);
    CHECK(trace.substr(trace.size() - 8) == "U A 4199");
    CHECK(m.herd.now() == 1s);
}

TEST_CASE("a batch hook can remove and add agents and process events") {
    animals m(4);
    m.herd.on_update("A", [&](hsm::batch<animal>& some) {
        note_all(m.r, "A", some);
        if (m.herd.count() != 4) return;
        m.herd.remove(some.id(1));
        m.herd[some.id(2)]->process(push{});
        m.add();
    });
    CHECK(m.tick() == "A 0 1 2 3, X A 1, X A 2, E B 2, E A 4, U A 0, U B 2, U A 3");
}

TEST_CASE("an agent that is added in a tick is in no batch of this tick") {
    animals m(4096 + 2);
    m.of(0).does = [&](animal& a) {
        a.does = nullptr;
        m.add(); // on the second page, which is not ticked yet
    };
    m.herd.on_update("A", [&](hsm::batch<animal>& some) { m.r.note(std::to_string(some.size())); });
    const auto first = m.tick();
    CHECK(first.substr(0, 5) == "4096,");
    CHECK(first.find(", 2, U A 4096, U A 4097") != std::string::npos);
    CHECK(m.tick().find(", 3, U A 4096, U A 4097, U A 4098") != std::string::npos);
}

TEST_CASE("a batch hook that is added in a hook is called from the next tick on") {
    animals m(3, calm_chart());
    bool added = false;
    m.herd.on_update("idle", [&](hsm::batch<animal>&) {
        m.r.note("idle");
        if (added) return;
        added = true;
        for (int i = 0; i < 20; ++i) m.herd.on_update("R", [&, i](hsm::batch<animal>&) { m.r.note(std::to_string(i)); });
    });
    CHECK(m.tick() == "idle");
    CHECK(m.tick() == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, idle");
}

TEST_CASE("a batch sets and reads conditions by name") {
    animals m(2, calm_chart());
    int errors = 0;
    m.herd.on_update("idle", [&](hsm::batch<animal>& some) {
        some.set(1, "Go");
        CHECK(some.get(1, "Go"));
        CHECK_FALSE(some.get(0, "Go"));
        some.set(1, "Go", false);
        CHECK_FALSE(some.get(1, "Go"));
        errors += code_of<hsm::condition_error>([&] { some.set(0, "Gone"); }) == 204;
    });
    m.herd.tick();
    CHECK(errors == 1);
}

TEST_CASE("unknown condition numbers and bit 0 are errors in a batch") {
    animals m(2, calm_chart());
    int errors = 0;
    m.herd.on_update("idle", [&](hsm::batch<animal>& some) {
        for (const std::uint32_t number : {0u, 2u, 64u, std::uint32_t(-1)})
            errors += code_of<hsm::condition_error>([&] { some.set(0, number); }) == 204;
        errors += code_of<hsm::condition_error>([&] { some.get(0, 2); }) == 204;
        some.set(1, 1);
        CHECK(some.get(1, 1));
        CHECK_FALSE(some.get(0, 1));
    });
    m.herd.tick();
    CHECK(errors == 5);
}
