// The saved state of choices by chance.

#include <hsm/hsm.hpp>
#include <hsm/save.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <regex>
#include <string>

namespace {

struct fighter {};

auto attacks() {
    auto root = hsm::make_fsm<fighter>("R");
    auto& idle = root->add("idle");
    auto& attack = root->add_fsm("M").choose(hsm::weighted);
    idle.to(attack).on("go");
    attack.to(idle).on("end");
    for (const auto* name : {"a", "b", "c", "d"}) attack.dispatch(attack.add(name));
    return hsm::compile(std::move(root));
}

std::string play(hsm::instance_base& agent, int count) {
    std::string all;
    while (count-- > 0) {
        agent.process("go");
        all += agent.current().name();
        agent.process("end");
    }
    return all;
}

} // namespace

TEST_CASE("images, documents and hashes contain the seed, the stream and the number of draws") {
    const auto chart = attacks();
    fighter f;
    hsm::instance<fighter> agent(chart, f, {.seed = 5, .stream = ~std::uint64_t(0)}), other(chart, f);
    agent.start();
    play(agent, 7);
    const auto image = hsm::save(agent);
    const auto document = hsm::save_document(agent);
    CHECK(document.find("\"draws\": 7") != std::string::npos);
    CHECK(document.find("\"stream\": -1") != std::string::npos);
    const auto hash = hsm::hash(agent);
    const auto next = play(agent, 50);
    CHECK(hsm::hash(agent) != hash);
    hsm::restore(other, image);
    CHECK(hsm::hash(other) == hash);
    hsm::restore_document(agent, document);
    CHECK(hsm::hash(agent) == hash);
    CHECK(play(agent, 50) == next);
    CHECK(play(other, 50) == next);
    hsm::restore(agent, image);
    CHECK(play(agent, 50) == next);
    hsm::instance<fighter> heir(chart, f);
    hsm::restore(agent, image);
    CHECK(heir.take_over(agent) == hsm::result::taken);
    CHECK(play(heir, 50) == next);
}

TEST_CASE("a document without chance restores seed 0, stream 0 and no draws") {
    const auto chart = attacks();
    fighter f;
    hsm::instance<fighter> agent(chart, f, {.seed = 5}), fresh(chart, f);
    agent.start();
    fresh.start();
    play(agent, 3);
    const auto text = std::regex_replace(hsm::save_document(agent), std::regex(R"(,\s*"chance":\s*\{[^}]*\})"), "");
    CHECK(text.find("chance") == std::string::npos);
    hsm::restore_document(agent, text);
    CHECK(play(agent, 50) == play(fresh, 50));
}

TEST_CASE("images, documents and hashes contain cooldowns that have not passed") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& idle = root->add("idle");
    auto& attack = root->add_fsm("M").choose(hsm::best);
    idle.to(attack).on("go");
    attack.to(idle).on("end");
    attack.dispatch(attack.add("a")).weight(2).cooldown(std::chrono::seconds(10));
    attack.dispatch(attack.add("b"));
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance<fighter> agent(chart, f), other(chart, f), fresh(chart, f);
    agent.start();
    fresh.start();
    CHECK(play(agent, 2) == "ab");
    agent.tick(4.0f);
    const auto document = hsm::save_document(agent);
    CHECK(document.find("\"cooldowns\"") != std::string::npos);
    for (const bool by_document : {true, false}) {
        hsm::instance<fighter> heir(chart, f);
        if (by_document)
            hsm::restore_document(other, document);
        else
            hsm::restore(other, hsm::save(agent));
        CHECK(hsm::hash(other) == hsm::hash(agent));
        CHECK(heir.take_over(other) == hsm::result::taken);
        CHECK(play(heir, 1) == "b");
        heir.tick(5.9f);
        CHECK(play(heir, 1) == "b");
        heir.tick(0.2f);
        CHECK(play(heir, 1) == "a");
    }
    agent.tick(6.0f);
    fresh.tick(10.0f);
    CHECK(hsm::hash(agent) == hsm::hash(fresh));
    CHECK(hsm::save_document(agent).find("cooldowns") == std::string::npos);
}
