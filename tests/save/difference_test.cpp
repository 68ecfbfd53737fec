#include <hsm/save/difference.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/save/fighter.hpp>

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using test::fighter;
using test::hit;
using test::shout;
using test::stance;

namespace {

std::string texts_of(const std::vector<hsm::field_difference>& all) {
    std::string text;
    for (const auto& each : all) text += each.to_string() + '\n';
    return text;
}

} // namespace

TEST_CASE("a difference names the field") {
    const auto chart = test::fighter_chart();
    fighter f, g;
    hsm::instance agent{chart, f}, other{chart, g};
    for (auto* const each : {&agent, &other}) {
        each->start();
        each->process(hit{});
        each->tick(10ms);
        each->process(hit{});
    }
    CHECK(texts_of(hsm::difference(agent, other)).empty());
    CHECK(hsm::hash(agent) == hsm::hash(other));
    combo_of(other, g).marks = {1};
    combo_of(agent, f).hits = 1;
    agent.post(shout{"one"});
    other.post(shout{"two"});
    other.set("CanWalk");
    CHECK(hsm::hash(agent) != hsm::hash(other));
    CHECK(texts_of(hsm::difference(agent, other)) == R"(states/fighter/fight/arms/slash/locals/test::combo/hits: 1, and 0
states/fighter/fight/arms/slash/locals/test::combo/marks/0: nothing, and 1
posted/0/value/word: "one", and "two"
conditions: nothing, and {"CanWalk": "on"}
)");
    CHECK(texts_of(hsm::difference(agent, other, 1)) == "states/fighter/fight/arms/slash/locals/test::combo/hits: 1, and 0\n");
}

TEST_CASE("different remaining times are a difference, and different clocks are not") {
    const auto chart = test::fighter_chart();
    fighter f, g;
    hsm::instance agent{chart, f}, other{chart, g};
    other.start();
    other.tick(1s);
    other.stop();
    other.destroy();
    agent.start();
    other.start();
    CHECK(agent.now() != other.now());
    CHECK(hsm::hash(agent) == hsm::hash(other));
    agent.process(hit{});
    other.process(hit{});
    agent.process(hit{});
    other.tick(1ms);
    other.process(hit{});
    agent.tick(1ms);
    CHECK(texts_of(hsm::difference(agent, other)) == R"(states/fighter/fight/arms/slash/for: 1000000, and 0
states/fighter/fight/arms/slash/timers/least duration/in: 199000000, and 200000000
states/fighter/fight/arms/slash/timers/after -> fighter/fight/arms/guard/in: 499000000, and 500000000
)");
}

TEST_CASE("each altered bit that an image accepts is a named difference") {
    const auto chart = test::fighter_chart();
    fighter f;
    hsm::instance agent{chart, f}, other{chart, f};
    agent.start();
    agent.process(hit{});
    agent.tick(10ms);
    agent.process(hit{});
    agent.post(stance::low);
    agent.process("stun");
    const auto image = hsm::save(agent);
    int named = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        auto altered = image;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        try {
            hsm::restore(other, altered);
        } catch (const hsm::save_error&) {
            continue;
        }
        if (other.now() != agent.now()) continue; // what is relative to the clock moves as a whole
        CAPTURE(bit / 8);
        const auto found = hsm::difference(agent, other);
        CHECK_FALSE(found.empty());
        CHECK(hsm::hash(agent) != hsm::hash(other));
        ++named;
    }
    CHECK(named > 50);
}

TEST_CASE("an instance, an agent of a crowd and a restored copy have one hash, the same in every build") {
    const auto chart = test::fighter_chart();
    fighter f, g;
    hsm::instance agent{chart, f}, other{chart, g};
    hsm::crowd<fighter> herd(chart);
    const auto id = herd.add(fighter{});
    agent.start();
    agent.process(hit{});
    herd[id]->process(hit{});
    agent.tick(16ms);
    herd.tick(16ms);
    hsm::restore(other, hsm::save(agent));
    CHECK(hsm::hash(agent) == hsm::hash(*herd[id]));
    CHECK(hsm::hash(agent) == hsm::hash(other));
    CHECK(hsm::hash(chart, hsm::save(agent)) == hsm::hash(agent));
    CHECK(hsm::hash(agent) == 12246077022616460660u);
}
