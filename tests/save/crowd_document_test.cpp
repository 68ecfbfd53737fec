#include <hsm/save/crowd_document.hpp>

#include <hsm/crowd/crowd_mailbox.hpp>
#include <tests/save/fighter.hpp>
#include <tests/save/meadow.hpp>
#include <tests/save/replaced.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace test;
using hsm::result;

namespace {

struct goat {
    std::string name = "none";
    int hops = 0;
};
template <class A> void serialize(A& archive, goat& g) { archive("name", g.name)("hops", g.hops); }

hsm::chart<goat> goat_chart() {
    auto root = hsm::make_fsm<goat>("goat");
    auto& idle = root->add("idle");
    auto& jump = root->add("jump").on_enter([](goat& g) { ++g.hops; });
    idle.to(jump).on<shout>();
    jump.to(idle).after(30ms);
    hsm::serializes<shout>(*root);
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("a crowd is restored from a document, and continues as before") {
    for (const bool timed : {false, true}) {
        CAPTURE(timed);
        meadow m(timed, 300);
        for (int i = 0; i < 12; ++i) m.frame();
        m.herd[m.ids[8]]->pause();
        m.herd[m.ids[9]]->post("unexpected");
        m.herd.set_decide_every(m.ids[10], 3);
        m.herd.remove(m.ids[20]);
        m.herd.remove(m.ids[11]);
        const auto text = hsm::save_document(m.herd);
        hsm::crowd<sheep> other(m.chart);
        const auto [outcome, changes] = hsm::restore_document(other, text, {.strict = true});
        CHECK(outcome == result::taken);
        if (!timed) CHECK(hsm::save(other) == hsm::save(m.herd)); // blocks are as they are, what means nothing with them
        CHECK(hsm::difference(other, m.herd).empty());
        CHECK(hsm::hash(other) == hsm::hash(m.herd));
        CHECK(hsm::save_document(other) == text);
        CHECK(other.has(m.ids[12]));
        CHECK_FALSE(other.has(m.ids[11]));
        const auto next = m.herd.add(sheep{});
        CHECK(other.add(sheep{}) == next);
        CHECK(next.index == m.ids[11].index);
        for (int i = 0; i < 20; ++i) {
            m.herd.tick(16ms);
            other.tick(16ms);
        }
        CHECK(hsm::hash(other) == hsm::hash(m.herd));
        for (int i = 0; i < 10; ++i) m.frame();
        CHECK(hsm::restore_document(m.herd, text).outcome == result::taken); // into itself
        CHECK_FALSE(m.herd.has(next));
        CHECK(hsm::save_document(m.herd) == text);
    }
}

TEST_CASE("a document contains contexts with fields, and mail") {
    const auto chart = goat_chart();
    hsm::crowd<goat> herd(chart, {.agent = {.mailbox = 8}});
    const auto bob = herd.add(goat{"bob"}), eve = herd.add(goat{"eve"});
    herd.process_all(shout{"hop"});
    herd.mailbox().post(bob, shout{"again"});
    herd.tick(10ms);
    herd.mailbox().post(eve, shout{"later"});
    const auto text = hsm::save_document(herd);
    hsm::crowd<goat> other(chart, {.agent = {.mailbox = 4}});
    CHECK(hsm::restore_document(other, text, {.strict = true}).changes.empty());
    CHECK(other.context(bob).name == "bob");
    CHECK(other.context(eve).hops == 1);
    CHECK(hsm::save_document(other) == text);
    for (int i = 0; i < 8; ++i) herd.tick(10ms), other.tick(10ms);
    CHECK(hsm::hash(other) == hsm::hash(herd));
    hsm::crowd<goat> without(chart);
    CHECK_THROWS_WITH(hsm::restore_document(without, text), doctest::Contains("HSM-356"));
    const auto [outcome, changes] = hsm::restore_document(other, replaced(text, "\"name\": \"bob\",", ""));
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].path == "agents/0/context/name");
    CHECK(other.context(bob).name == "none");
}

TEST_CASE("contexts in an array are unchanged") {
    const auto chart = goat_chart();
    std::vector<goat> goats(10);
    hsm::crowd<goat> herd(chart, goats);
    for (const std::size_t i : {2u, 3u, 7u}) herd.add_element(i);
    herd.process_all(shout{"hop"});
    const auto seven = herd.add_element(8);
    herd.remove(seven);
    const auto text = hsm::save_document(herd);
    CHECK(text.find("context") == text.npos);
    std::vector<goat> others(10);
    hsm::crowd<goat> other(chart, others);
    CHECK(hsm::restore_document(other, text, {.strict = true}).outcome == result::taken);
    CHECK(hsm::difference(other, herd).empty());
    CHECK(hsm::save_document(other) == text);
    CHECK(others[2].hops == 0);
    std::vector<goat> few(5);
    hsm::crowd<goat> small(chart, few);
    CHECK_THROWS_WITH(hsm::restore_document(small, text), doctest::Contains("agents/2/place: this place does not exist: the crowd has 5 places"));
    CHECK(small.count() == 0);
}

TEST_CASE("a document contains regions, held states, deferred events and locals of agents") {
    const auto chart = fighter_chart();
    std::vector<fighter> fighters(40);
    hsm::crowd<fighter> herd(chart, fighters);
    for (std::size_t i = 0; i < fighters.size(); ++i) {
        const auto id = herd.add_element(i);
        herd[id]->process(shout{"kept"});
        if (i % 2) herd[id]->process(hit{static_cast<int>(i)});
        if (i % 3 == 0) herd[id]->process(hit{1});
        herd.tick(7ms);
        if (i % 5 == 0) herd[id]->post(shout{"posted"});
    }
    const auto text = hsm::save_document(herd);
    std::vector<fighter> others(40);
    hsm::crowd<fighter> other(chart, others);
    CHECK(hsm::restore_document(other, text, {.strict = true}).outcome == result::taken);
    CHECK(hsm::hash(other) == hsm::hash(herd));
    for (int i = 0; i < 40; ++i) herd.tick(31ms), other.tick(31ms);
    CHECK(hsm::hash(other) == hsm::hash(herd));
}

TEST_CASE("an invalid document of a crowd is refused, and changes nothing") {
    meadow m(true, 3);
    m.herd.remove(m.ids[1]);
    m.frame();
    const auto text = hsm::save_document(m.herd);
    const auto before = hsm::save(m.herd);
    const auto refused = [&](const std::string& bad, const char* why) {
        CHECK_THROWS_WITH(hsm::restore_document(m.herd, bad), doctest::Contains(why));
        CHECK(hsm::save(m.herd) == before);
    };
    refused("[]", "HSM-361");
    refused(replaced(text, "\"crowd\"", "\"manager\""), "HSM-361 error: this is not a document of a crowd, but of a manager; hint");
    refused(replaced(text, "\"place\": 2", "\"place\": 0"), "this place appears twice");
    refused(replaced(text, "\"place\": 2", "\"place\": 4000000000"), "the crowd has 3 places");
    refused(replaced(text, "\"generation\": 1", "\"generation\": 2"), "a handle of this place cannot have this generation");
    int legal = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        CHECK_THROWS_AS(hsm::restore_document(m.herd, text.substr(0, i)), hsm::save_error);
        for (const char c : {'"', '9', '}', 'a'}) {
            auto altered = text;
            altered[i] = c;
            try {
                hsm::restore_document(m.herd, altered);
                ++legal;
                hsm::crowd<sheep> third(m.chart);
                hsm::restore(third, hsm::save(m.herd)); // something legal
                m.herd.tick(1ms);
                m.herd.add(sheep{});
            } catch (const hsm::save_error&) {
            } catch (const hsm::chain_error&) { // of a timer that is long due
            }
            hsm::restore(m.herd, before);
        }
    }
    CHECK(legal > 100);
}
