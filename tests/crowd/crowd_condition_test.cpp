// Conditions of one, some or all agents, by name and by number, in charts with few and with many.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

using namespace test;

namespace {

std::string name_of(int i) { return "C" + std::to_string(i); }

/// R{ s0, s1, ... }: condition Ci leads from s(i-1) to s(i), so there are n besides bit 0. Without hooks.
hsm::chart<animal> chart_of(int n) {
    auto root = hsm::make_fsm<animal>("R");
    auto* previous = &root->add("s0");
    for (int i = 1; i <= n; ++i) {
        auto& next = root->add("s" + std::to_string(i));
        previous->to(next).when(std::string_view(name_of(i)));
        previous = &next;
    }
    return hsm::compile(std::move(root));
}

std::string state_of(const animals& m, std::size_t i) { return std::string(m.herd.current(m.ids[i]).name()); }

} // namespace

TEST_CASE("conditions are set by name, number or handle, and have no effect before the next tick") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto& b = with_trace(root->add("B"));
    const auto third = root->condition("Third", 3);
    a.to(b).when("Go");
    b.to(a).when(third);
    animals m(2, hsm::compile(std::move(root)));
    const auto go = m.herd.number_of("Go");
    CHECK(m.herd.number_of(third) == 3);
    CHECK(m.herd.number_of("Third") == 3);
    CHECK(m.herd.set(m.ids[0], "Go"));
    CHECK(m.herd.get(m.ids[0], "Go"));
    CHECK(m.herd.get(m.ids[0], static_cast<int>(go)));
    CHECK_FALSE(m.herd.get(m.ids[1], "Go"));
    CHECK(m.r.take() == "");
    CHECK(m.tick() == "X A 0, E B 0, U B 0, U A 1");
    CHECK(m.herd.clear(m.ids[0], static_cast<int>(go)));
    CHECK_FALSE(m.herd.get(m.ids[0], "Go"));
    CHECK(m.herd.set(m.ids[0], third));
    CHECK(m.tick() == "X B 0, E A 0, U A 0, U A 1");
    CHECK(m.herd.set(m.ids[0], 3, false));
    CHECK_FALSE(m.herd.get(m.ids[0], third));
    CHECK(m.herd[m.ids[0]]->get(third) == false);
    m.herd[m.ids[1]]->set("Go");
    CHECK(m.herd.get(m.ids[1], "Go"));
}

TEST_CASE("unknown conditions and bit 0 are errors, and change nothing") {
    animals m(2);
    const auto code = [](auto call) { return code_of<hsm::condition_error>(call); };
    CHECK(code([&] { m.herd.set(m.ids[0], "Gone"); }) == 204);
    CHECK(code([&] { m.herd.set(m.ids[0], 17); }) == 204);
    CHECK(code([&] { m.herd.set(m.ids[0], 0); }) == 204);
    CHECK(code([&] { m.herd.clear(m.ids[0], 0); }) == 204);
    CHECK(code([&] { m.herd.pulse(m.ids[0], 0); }) == 204);
    CHECK(code([&] { m.herd.pulse(m.ids[0], "Gone"); }) == 204);
    CHECK(code([&] { m.herd.set(m.ids, 0); }) == 204);
    CHECK(code([&] { m.herd.set_all(0); }) == 204);
    CHECK(code([&] { m.herd.set_all("Gone"); }) == 204);
    CHECK(code([&] { m.herd.get(m.ids[0], "Gone"); }) == 204);
    CHECK(code([&] { m.herd.number_of("Gone"); }) == 204);
    CHECK(error_text([&] { m.herd.set(m.ids[0], "Goo"); }).find("Go") != std::string::npos);
    CHECK(m.tick() == "U A 0, U A 1");
}

TEST_CASE("a transition on bit 0 fires when the leaf is finished") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto& b = with_trace(root->add("B"));
    a.to(b).when("Go");
    b.to(a).when(hsm::is_over);
    animals m(2, hsm::compile(std::move(root)));
    m.herd.set(m.ids[1], "Go");
    m.tick();
    CHECK_FALSE(m.herd.get(m.ids[1], 0));
    m.herd[m.ids[1]]->finish();
    CHECK(m.herd.get(m.ids[1], 0));
    CHECK(m.herd.get(m.ids[1], hsm::is_over));
    CHECK_FALSE(m.herd.get(m.ids[0], 0));
    CHECK(m.tick() == "U A 0, X B 1, E A 1, U A 1");
    CHECK_FALSE(m.herd.get(m.ids[1], 0));
    CHECK_FALSE(m.herd.get(m.ids[1], "Go")); // the condition of the transition is reset
}

TEST_CASE("set with a span sets and counts the existing agents") {
    animals m(5);
    m.herd.remove(m.ids[1]);
    m.herd.remove(m.ids[3]);
    m.r.take();
    auto some = m.ids;
    some.push_back({});
    CHECK(m.herd.set(some, "Go") == 3);
    CHECK(m.tick() == "X A 0, E B 0, U B 0, X A 2, E B 2, U B 2, X A 4, E B 4, U B 4");
    CHECK(m.herd.set(std::span(some).first(2), "Back") == 1);
    CHECK(m.herd.set(std::span(some).first(2), "Go", false) == 1);
    CHECK(m.tick() == "X B 0, E A 0, U A 0, U B 2, U B 4");
    CHECK(m.herd.set(std::span<const hsm::agent_id>(), "Go") == 0);
    CHECK(m.herd.clear(std::span(some).first(2), "Back") == 1);
    CHECK(m.herd.pulse(std::span(some).first(4), "Go") == 2);
    CHECK(m.tick() == "X A 0, E B 0, U B 0, U B 2, U B 4");
    CHECK_FALSE(m.herd.get(some[0], "Go")); // it was a pulse
}

TEST_CASE("set_all sets a condition of all agents on all pages, but not of later agents") {
    animals m(0, chart_of(2));
    for (int i = 0; i < 5000; ++i) m.add();
    m.herd.remove(m.ids[4999]);
    m.herd.set_all("C1");
    CHECK(m.herd.tick() == hsm::result::taken);
    CHECK(m.herd.count("s1") == 4999);
    const auto late = m.add();
    CHECK_FALSE(m.herd.get(late, "C1"));
    m.herd.set_all("C1", false);
    for (const auto id : {m.ids[0], m.ids[4998], late}) CHECK_FALSE(m.herd.get(id, "C1"));
    CHECK(m.herd.tick() == hsm::result::unhandled);
}

TEST_CASE("a pulse lasts until the end of the next tick or decide, also through updates") {
    for (const int conditions : {2, 7, 31, 62, 70}) {
        CAPTURE(conditions);
        animals m(3, chart_of(conditions));
        const auto far = name_of(conditions);
        for (const bool by_tick : {true, false}) {
            CHECK(m.herd.pulse(m.ids[1], std::string_view(far)));
            CHECK(m.herd.get(m.ids[1], std::string_view(far)));
            CHECK_FALSE(m.herd.get(m.ids[0], std::string_view(far)));
            m.herd.update(0.1);
            CHECK(m.herd.get(m.ids[1], std::string_view(far)));
            by_tick ? m.herd.tick(0.1) : m.herd.decide();
            CHECK_FALSE(m.herd.get(m.ids[1], std::string_view(far)));
        }
        m.herd.pulse(m.ids[2], "C1");
        CHECK(m.herd.tick() == hsm::result::taken);
        CHECK(state_of(m, 2) == "s1");
        CHECK(state_of(m, 1) == "s0");
        CHECK_FALSE(m.herd.get(m.ids[2], "C1"));
    }
}

TEST_CASE("a pulse can become a level or be cleared before the tick") {
    animals m(2, chart_of(3));
    m.herd.pulse(m.ids[0], "C3");
    m.herd.set(m.ids[0], "C3");
    m.herd.pulse(m.ids[1], "C1");
    m.herd.clear(m.ids[1], "C1");
    m.herd.tick();
    CHECK(m.herd.get(m.ids[0], "C3"));
    CHECK(state_of(m, 1) == "s0");
}

TEST_CASE("any number of conditions: each causes its own transition only") {
    for (const int conditions : {1, 5, 6, 7, 29, 30, 31, 60, 61, 62, 63, 64, 65, 130}) {
        for (const bool vectors : {true, false}) {
            CAPTURE(conditions);
            CAPTURE(vectors);
            animals m(3, chart_of(conditions), {.vector_code = vectors});
            for (int i = 1; i <= conditions; ++i) {
                REQUIRE(m.herd.set(m.ids[1], std::string_view(name_of(i))));
                REQUIRE(m.herd.get(m.ids[1], std::string_view(name_of(i))));
                if (i < conditions) REQUIRE_FALSE(m.herd.get(m.ids[1], std::string_view(name_of(i + 1))));
                REQUIRE(m.herd.tick() == hsm::result::taken);
                REQUIRE(m.herd.tick() == hsm::result::unhandled);
                REQUIRE(state_of(m, 1) == "s" + std::to_string(i));
                REQUIRE(state_of(m, 0) == "s0");
            }
            for (int i = 1; i <= conditions; ++i) {
                REQUIRE(m.herd.get(m.ids[1], i));
                REQUIRE_FALSE(m.herd.get(m.ids[2], i));
            }
        }
    }
}

TEST_CASE("conditions are part of the hash, also in charts with many") {
    for (const int conditions : {5, 70, 130}) {
        CAPTURE(conditions);
        animals m(3, chart_of(conditions));
        const auto before = m.herd.state_hash();
        const auto last = name_of(conditions);
        m.herd.set(m.ids[1], std::string_view(last));
        const auto set = m.herd.state_hash();
        CHECK(set != before);
        m.herd.clear(m.ids[1], std::string_view(last));
        CHECK(m.herd.state_hash() == before);
        m.herd.set(m.ids[2], std::string_view(last));
        CHECK(m.herd.state_hash() != set);
    }
}

TEST_CASE("conditions are kept while an agent is inactive, and cleared by its reset") {
    animals m(1);
    m.herd.set(m.ids[0], "Go");
    m.herd[m.ids[0]]->stop();
    m.r.take();
    CHECK(m.herd.get(m.ids[0], "Go"));
    m.herd.set(m.ids[0], "Back");
    CHECK(m.tick() == "");
    CHECK(m.herd.get(m.ids[0], "Back"));
    m.herd.clear(m.ids[0], "Back");
    m.herd[m.ids[0]]->start();
    CHECK(m.tick() == "E A 0, X A 0, E B 0, U B 0");
    m.herd[m.ids[0]]->reset();
    CHECK_FALSE(m.herd.get(m.ids[0], "Go"));
}

TEST_CASE("conditions work for agents with waiting work") {
    animals m(2);
    m.herd[m.ids[0]]->post(pull{});
    m.herd[m.ids[1]]->pause();
    for (const auto id : m.ids) {
        m.herd.set(id, "Go");
        CHECK(m.herd.get(id, "Go"));
        CHECK_FALSE(m.herd.get(id, "Back"));
    }
    m.herd.clear(m.ids[1], "Go");
    CHECK_FALSE(m.herd.get(m.ids[1], "Go"));
    CHECK(m.tick() == "X A 0, E B 0, U B 0, U A 1");
    CHECK(m.herd[m.ids[1]]->paused());
}

TEST_CASE("a crowd sets a trigger of an agent, until a transition uses it") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto jump = root->condition("Jump").trigger();
    root->condition("Go");
    a.to(with_trace(root->add("B"))).when("Jump");
    animals m(2, hsm::compile(std::move(root)));
    CHECK(m.herd.trigger(m.ids[1], "Jump"));
    CHECK(m.herd.get(m.ids[1], jump));
    CHECK(m.tick() == "U A 0, X A 1, E B 1, U B 1");
    CHECK_FALSE(m.herd.get(m.ids[1], jump));
    CHECK_THROWS_AS(m.herd.trigger(m.ids[0], "Go"), hsm::condition_error);
    m.herd.remove(m.ids[0]);
    CHECK_FALSE(m.herd.trigger(m.ids[0], "Jump"));
}
