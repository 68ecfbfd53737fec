// Hooks that call their crowd during a tick: they change other agents and their own, add and remove. The result is the same as if
// instances were ticked in turn.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

/// R{ A, B }, without updates: "Go" leads to B, and calls the animal's function; "Back" and pull lead to A.
hsm::chart<animal> quiet_chart() {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A").on_enter([](animal& x) { x.note("E A"); });
    auto& b = root->add("B").on_enter([](animal& x) { x.note("E B"); });
    a.to(b).when("Go").then([](animal& x) { x.act(); });
    b.to(a).when("Back");
    b.to(a).on<pull>();
    a.to(b).on<push>();
    return hsm::compile(std::move(root), {.entry_times = false});
}

void set_in_hook(const hsm::chart<animal>& of, const hsm::crowd_options& options) {
    animals m(5, of, options);
    m.herd.set(m.ids[2], "Go");
    m.of(2).does = [&](animal&) {
        m.herd.set(m.ids[0], "Go");
        m.herd.set(m.ids[4], "Go");
        m.r.note("set");
    };
    CHECK(m.tick() == "set, E B 2, E B 4");
    CHECK(m.tick() == "E B 0");
}

} // namespace

TEST_CASE("a condition that a hook sets has effect in the same tick for later agents, and in the next tick for earlier agents") {
    const auto chart = quiet_chart();
    SUBCASE("with default options") { set_in_hook(chart, {}); }
    SUBCASE("with lists") { set_in_hook(chart, {.lists = true}); }
    SUBCASE("without vectors") { set_in_hook(chart, {.vector_code = false}); }
}

TEST_CASE("hooks affect agents on other pages by a pulse, an event and a transition") {
    animals m(3 * 4096, quiet_chart());
    m.herd.set(m.ids[5000], "Go");
    m.of(5000).does = [&](animal&) {
        m.herd.set(m.ids[4999], "Go");
        m.herd.set(m.ids[10], "Go");
        m.herd.pulse(m.ids[5100], "Go");
        m.herd.pulse(m.ids[9000], "Go");
        m.herd.set(m.ids[9001], "Go");
        m.herd[m.ids[9002]]->process(push{});
        m.herd.set(m.ids[9002], "Back");
        m.herd[m.ids[9003]]->post(push{});
        m.herd[m.ids[4998]]->post(push{});
        m.herd[m.ids[5101]]->change_to("B");
    };
    CHECK(m.tick() == "E B 9002, E B 5101, E B 5000, E B 5100, E B 9000, E B 9001, E A 9002, E B 9003");
    CHECK(m.tick() == "E B 10, E B 4998, E B 4999");
    CHECK_FALSE(m.herd.get(m.ids[9000], "Go"));
    CHECK(m.tick() == "");
}

TEST_CASE("an event in an update is handled immediately by other agents, which tick in their turn") {
    animals m(4);
    m.of(1).does = [&](animal&) {
        m.herd[m.ids[0]]->process(push{});
        m.herd[m.ids[2]]->process(push{});
    };
    CHECK(m.tick() == "U A 0, U A 1, X A 0, E B 0, X A 2, E B 2, U B 2, U A 3");
}

TEST_CASE("an event of an agent to itself is queued, and handled when its update is complete") {
    animals m(3);
    m.of(1).does = [&](animal& a) {
        CHECK(m.herd[a.self]->busy());
        CHECK(m.herd[a.self]->process(push{}) == hsm::result::queued);
        CHECK(m.herd.current(a.self).name() == "A");
        CHECK(m.herd.is_in(a.self, "A"));
        m.r.note("queued");
    };
    CHECK(m.tick() == "U A 0, U A 1, queued, X A 1, E B 1, U A 2");
    m.of(1).does = [&](animal& a) { m.herd.set(a.self, "Back"); };
    CHECK(m.tick() == "U A 0, U B 1, U A 2"); // an outer level decides about it
    m.of(1).does = nullptr;
    CHECK(m.tick() == "U A 0, X B 1, E A 1, U A 1, U A 2");
}

TEST_CASE("an event is queued if a chain of calls through several agents returns to the first") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto& b = with_trace(root->add("B"));
    a.to(b).on<push>().then([](animal& x) { x.act(); });
    animals n(3, hsm::compile(std::move(root)));
    n.of(0).does = [&](animal&) { CHECK(n.herd[n.ids[1]]->process(push{}) == hsm::result::taken); };
    n.of(1).does = [&](animal&) { CHECK(n.herd[n.ids[2]]->process(push{}) == hsm::result::taken); };
    n.of(2).does = [&](animal&) {
        CHECK(n.herd[n.ids[0]]->process(push{}) == hsm::result::queued);
        n.of(0).does = n.of(1).does = n.of(2).does = nullptr;
    };
    CHECK(n.tick() == "U A 0, X A 1, X A 2, E B 2, E B 1, X A 0, E B 0, U B 1, U B 2");
}

TEST_CASE("in a hook, an agent that ticks later still has its earlier time") {
    animals m(3);
    m.tick(1s);
    m.of(1).does = [&](animal&) {
        CHECK(m.herd[m.ids[0]]->now() == 3s);
        CHECK(m.herd[m.ids[1]]->now() == 3s);
        CHECK(m.herd[m.ids[2]]->now() == 1s);
        CHECK(m.herd[m.ids[2]]->time_in_state() == 1s);
        m.herd[m.ids[2]]->process(push{});
        m.herd[m.ids[0]]->process(push{});
    };
    m.tick(2s);
    m.of(1).does = nullptr;
    CHECK(m.herd[m.ids[2]]->time_in_state() == 2s); // it moved before its own tick
    CHECK(m.herd[m.ids[0]]->time_in_state() == 0s); // and this one after
}

TEST_CASE("a tick in a hook returns busy") {
    animals m(2);
    m.of(0).does = [&](animal&) {
        CHECK(m.herd.tick(1s) == hsm::result::busy);
        CHECK(m.herd.decide() == hsm::result::busy);
        CHECK(m.herd.update(1s) == hsm::result::busy);
    };
    m.tick(1s);
    CHECK(m.herd.now() == 1s);
}

TEST_CASE("a tick in a hook of an event, or of a removal, returns busy") {
    hsm::crowd<animal>* herd = nullptr;
    auto root = hsm::make_fsm<animal>("R");
    root->add("A")
        .on_enter([&](animal& a) { a.note(to_string(herd->tick(1s))); })
        .on_exit([&](animal& a) { a.note(to_string(herd->tick(1s))); })
        .on<push>()
        .then([&](animal& a) { a.note(to_string(herd->tick(1s))); });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd own{chart};
    herd = &own;
    recorder r;
    const auto id = own.add(&r);
    own[id]->process(push{});
    own.remove(id);
    CHECK(r.take() == "busy 0, busy 0, busy 0");
    CHECK(own.now() == 0s);
}

TEST_CASE("agents that are added in a tick are ticked from the next one on") {
    animals m(2);
    m.of(0).does = [&](animal& a) {
        a.does = nullptr;
        const auto id = m.add();
        CHECK(m.herd[id]->time_in_state() == 0s);
        CHECK(m.herd[id]->now() == 5s);
        m.herd.set(id, "Go");
        m.herd[id]->post(push{});
    };
    CHECK(m.tick(5s) == "U A 0, E A 2, U A 1");
    CHECK(m.herd[m.ids[2]]->now() == 5s);
    CHECK(m.tick(1s) == "U A 0, U A 1, X A 2, E B 2, U B 2");
}

TEST_CASE("agents that are added in a tick can need new pages") {
    animals m(4095);
    m.of(4000).does = [&](animal& a) {
        a.does = nullptr;
        for (int i = 0; i < 5000; ++i) m.add();
    };
    m.herd.tick(1s);
    std::size_t updates = 0;
    for (auto at = m.r.trace.find("U A"); at != std::string::npos; at = m.r.trace.find("U A", at + 1)) ++updates;
    CHECK(updates == 4095);
    m.r.take();
    m.herd.tick(1s);
    updates = 0;
    for (auto at = m.r.trace.find("U A"); at != std::string::npos; at = m.r.trace.find("U A", at + 1)) ++updates;
    CHECK(updates == 9095);
    for (const auto id : m.ids) REQUIRE(m.herd[id]->now() == 2s);
}

TEST_CASE("a place that becomes free in a tick is reused after this tick") {
    animals m(3);
    m.of(0).does = [&](animal& a) {
        a.does = nullptr;
        m.herd.remove(m.ids[1]);
        m.herd.remove(m.ids[2]);
        CHECK(m.add().index == 3);
    };
    CHECK(m.tick() == "U A 0, X A 1, X A 2, E A 3");
    CHECK(m.add().index == 2);
    CHECK(m.add().index == 1);
    m.r.take();
    CHECK(m.tick() == "U A 0, U A 5, U A 4, U A 3");
}

TEST_CASE("a second agent of one element is not ticked in the tick that adds it") {
    for (const bool quick : {false, true}) {
        CAPTURE(quick);
        recorder r;
        std::vector<animal> contexts(4, animal{&r});
        for (std::size_t i = 0; i < 4; ++i) contexts[i].number = static_cast<int>(i);
        const auto chart = quick ? updating_chart() : animal_chart();
        hsm::crowd<animal> herd(chart, contexts);
        std::vector<hsm::agent_id> ids;
        for (std::size_t i = 0; i < 4; ++i) ids.push_back(herd.add_element(i));
        r.take();
        contexts[1].does = [&](animal& a) {
            a.does = nullptr;
            for (const std::size_t i : {0u, 2u}) {
                herd.remove(ids[i]);
                ids[i] = herd.add_element(i);
            }
        };
        herd.tick(1s);
        CHECK(r.take() == (quick ? "a 0, a 1, X a 0, E a 0, X a 2, E a 2, a 3" : "U A 0, U A 1, X A 0, E A 0, X A 2, E A 2, U A 3"));
        for (const auto id : ids) CHECK(herd[id]->now() == 1s);
        herd.tick(1s);
        CHECK(r.take() == (quick ? "a 0, a 1, a 2, a 3" : "U A 0, U A 1, U A 2, U A 3"));
    }
}

TEST_CASE("agents that are removed in a tick before their turn are not ticked") {
    animals m(5);
    m.of(2).does = [&](animal& a) {
        m.herd.remove(m.ids[0]);
        m.herd.remove(m.ids[3]);
        m.herd.remove(a.self);
        CHECK_FALSE(m.herd.has(a.self));
        CHECK_FALSE(m.herd.remove(a.self));
        a.note("goes on");
    };
    CHECK(m.tick() == "U A 0, U A 1, U A 2, X A 0, X A 3, goes on 2, X A 2, U A 4");
    CHECK(m.herd.count() == 2);
    CHECK(m.tick() == "U A 1, U A 4");
}

TEST_CASE("an agent can remove itself before a queued transition, and then throw") {
    animals m(3);
    m.herd.set(m.ids[1], "Back");
    m.of(1).does = [&](animal& a) {
        m.herd[a.self]->process(push{});
        m.herd.remove(a.self);
        throw_at(a);
    };
    CHECK(error_text([&] { m.herd.tick(); }) == "1");
    const auto trace = m.r.take();
    CHECK(trace.substr(0, 15) == "U A 0, U A 1, X");
    CHECK(trace.substr(trace.size() - 5) == "U A 2");
    CHECK(m.herd.count() == 2);
    CHECK_FALSE(m.herd.has(m.ids[1]));
    CHECK(m.tick() == "U A 0, U A 2");
}

TEST_CASE("an agent can remove itself in an event, in its enter and in its exit") {
    hsm::crowd<animal>* herd = nullptr;
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<push>().then([&](animal& x) { x.note(herd->remove(x.self) ? "removed" : "stale"); });
    b.on_enter([](animal& x) { x.note("E B"); }).on_exit([&](animal& x) { x.note(herd->remove(x.self) ? "removed" : "stale"); });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd own{chart};
    herd = &own;
    recorder r;
    const auto id = own.add(&r, 7);
    own.context(id).self = id;
    CHECK(own[id]->process(push{}) == hsm::result::taken);
    CHECK(r.take() == "removed 7, E B 7, stale 7");
    CHECK_FALSE(own.has(id));
    CHECK(own.count() == 0);
}

TEST_CASE("a tick in which all agents are removed is complete") {
    for (const bool quick : {false, true}) {
        CAPTURE(quick);
        animals m(4, quick ? updating_chart() : animal_chart());
        m.of(1).does = [&](animal&) { m.herd.clear(); };
        CHECK(m.tick() == (quick ? "a 0, a 1, X a 0, X a 2, X a 3, X a 1" : "U A 0, U A 1, X A 0, X A 2, X A 3, X A 1"));
        CHECK(m.herd.count() == 0);
        CHECK(m.tick() == "");
    }
}

TEST_CASE("an agent that is removed while it calls another agent ends when that call is complete") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    a.on<push>().then([](animal& x) {
        x.note("push");
        x.act();
    });
    animals m(3, hsm::compile(std::move(root)));
    m.of(0).does = [&](animal& x) {
        m.herd[m.ids[1]]->process(push{});
        x.note("back");
    };
    m.of(1).does = [&](animal& x) {
        x.does = nullptr;
        CHECK(m.herd.remove(m.ids[0]));
        x.note("done");
    };
    CHECK(m.tick() == "U A 0, push 1, done 1, back 0, X A 0, U A 1, U A 2");
    CHECK(m.herd.count() == 2);
}

TEST_CASE("a change of an agent's clock in any of its hooks is kept") {
    const auto pause = [](animals& m) {
        return [&m](animal& a) {
            m.herd[a.self]->pause();
            m.herd[a.self]->post(pull{});
        };
    };
    const auto slow_down = [](animals& m) { return [&m](animal& a) { CHECK(m.herd[a.self]->set_time_scale(0.5) == hsm::result::taken); }; };
    const auto check = [&](animals m) {
        m.of(0).does = [&](animal& a) { m.herd[a.self]->pause(); };
        m.of(1).does = pause(m);
        m.of(2).does = slow_down(m);
        m.herd.set_all("Go");
        m.tick(4s);
        m.herd.set_all("Go", false);
        for (std::size_t i = 0; i < 3; ++i) m.of(i).does = nullptr;
        m.tick(4s);
        CHECK(m.herd[m.ids[0]]->paused());
        CHECK(m.herd[m.ids[0]]->now() == 4s);
        CHECK(m.herd[m.ids[1]]->paused());
        CHECK(m.herd[m.ids[1]]->now() == 4s);
        CHECK(m.herd[m.ids[2]]->time_scale() == 0.5);
        CHECK(m.herd[m.ids[2]]->now() == 6s);
    };
    SUBCASE("an update") { check(animals(4)); }
    SUBCASE("a transition") { check(animals(4, quiet_chart())); }
    SUBCASE("with lists") { check(animals(4, quiet_chart(), {.lists = true})); }
}

TEST_CASE("a hook can call each and process_all in a tick") {
    animals m(4);
    m.of(1).does = [&](animal& a) {
        a.does = nullptr;
        const auto results = m.herd.process_all(push{});
        CHECK(results[hsm::result::taken] == 3);
        CHECK(results[hsm::result::queued] == 1);
        CHECK(m.herd.count("B") == 3);
        m.herd.set_all("Back");
    };
    CHECK(m.tick() == "U A 0, U A 1, X A 0, E B 0, X A 2, E B 2, X A 3, E B 3, X A 1, E B 1, "
                      "X B 2, E A 2, U A 2, X B 3, E A 3, U A 3");
    CHECK(m.tick() == "X B 0, E A 0, U A 0, X B 1, E A 1, U A 1, U A 2, U A 3");
}

TEST_CASE("if an exit throws in a removal in a tick, the exception propagates, and all other agents are ticked") {
    auto root = hsm::make_fsm<animal>("R");
    root->add("A")
        .on_update([](animal& a) {
            a.note("U");
            a.act();
        })
        .on_exit([](animal& a) {
            a.note("X");
            throw_at(a);
        });
    animals m(4, hsm::compile(std::move(root)));
    m.of(1).does = [&](animal& a) { m.herd.remove(a.self); };
    m.of(2).does = [&](animal& a) { a.note(error_text([&] { m.herd.remove(m.ids[3]); })); };
    CHECK(error_text([&] { m.herd.tick(); }) == "1");
    CHECK(m.r.take() == "U 0, U 1, X 1, U 2, X 3, 3 2");
    CHECK(m.herd.count() == 2);
}

TEST_CASE("a for_each that throws has the effect of a hook that throws") {
    animals m(8192 + 1, updating_chart());
    const auto broken = [](std::size_t, auto f) {
        f(1);
        throw std::runtime_error("no thread");
    };
    CHECK(error_text([&] { m.herd.tick(1s, broken); }) == "no thread");
    m.r.take();
    CHECK(m.herd.tick(1s) == hsm::result::unhandled);
    CHECK(m.r.take().size() > 8192 * 3);
    CHECK(m.add().index == 8193);
}
