#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>

#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/op/input.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/replay/shrink.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/crowd_image.hpp>
#include <tests/save/fighter.hpp>
#include <tests/support/sanitized.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::result;
using test::hit;
using test::shout;

namespace {

struct ant {
    std::string name = "none";
    int bites = 0;
    int flaw = 0;
};
template <class A> void serialize(A& archive, ant& a) { archive("name", a.name)("bites", a.bites); }

/// What its hooks do to the crowd is no input.
struct anthill {
    hsm::chart<ant> chart;
    hsm::crowd<ant> herd;
    std::vector<hsm::agent_id> ids;

    anthill() : chart(ants(*this)), herd(chart, {.agent = {.mailbox = 16}}) {}

    static hsm::chart<ant> ants(anthill& all) {
        auto root = hsm::make_fsm<ant>("ant");
        auto& idle = root->add("idle").defer<shout>().tag("calm");
        auto& run = root->add("run").min_duration(20ms).local<test::combo>();
        auto& rest = root->add("rest").tag("calm");
        idle.to(run).on<hit>().then([&all](ant& a, const hit& h) {
            a.bites += h.power + a.flaw;
            for (const auto id : all.ids)
                if (all.herd.has(id) && h.power == 4) {
                    all.herd.set(id, "Hungry");
                    break;
                }
        });
        run.on_update([](ant&, test::combo& c) { ++c.hits; });
        run.to(rest).on<shout>().then([](ant& a, const shout& s) { a.name = s.word; });
        run.to(idle).after(90ms);
        rest.to(idle).when("Hungry");
        rest.every(30ms).then([](ant& a) { --a.bites; });
        rest.on("fail").then([] { throw std::runtime_error("too tired"); });
        hsm::serializes<test::combo, shout>(*root);
        return hsm::compile(std::move(root));
    }

    void play(std::minstd_rand& random) {
        const auto some = [&] { return ids.empty() ? hsm::agent_id() : ids[random() % ids.size()]; };
        const auto id = some();
        const std::vector<hsm::agent_id> few{some(), some(), some()};
        const auto ignore = [](const auto& call) {
            try {
                call();
            } catch (const std::runtime_error&) {
            }
        };
        switch (random() % 21) {
        case 0:
        case 1: ids.push_back(herd.add(ant{"ant " + std::to_string(random() % 100)})); break;
        case 2: herd.remove(id); break;
        case 3: herd.process_all(hit{static_cast<int>(random() % 5)}); break;
        case 4: herd.process_in("run", shout{"a word that needs memory of its own"}); break;
        case 20: herd.process_in(hsm::tag("calm"), hit{1}); break;
        case 5: herd.process(few, hit{1}); break;
        case 6: herd.post_all(shout{"later"}); break;
        case 7: herd.post(few, hit{2}); break;
        case 8: herd.set(few, "Hungry"); break;
        case 9: herd.set_all("Hungry", random() % 2); break;
        case 10: herd.pulse(id, "Hungry"); break;
        case 11: herd.set_decide_every(id, static_cast<std::uint16_t>(1 + random() % 3)); break;
        case 12: herd.mailbox().post(id, hit{3}); break;
        case 13: herd.decide(); break;
        case 14: herd.update(5ms); break;
        case 15:
            if (herd.has(id)) herd[id]->process(hit{4});
            break;
        case 16:
            if (herd.has(id)) ignore([&] { herd[id]->process("fail"); });
            break;
        case 17:
            if (herd.has(id)) random() % 2 ? herd[id]->pause() : herd[id]->resume();
            break;
        case 18:
            if (herd.has(id)) herd[id]->post(shout{"one"});
            break;
        default:
            if (random() % 16 == 0) herd.clear();
        }
        if (random() % 2) ignore([&] { herd.tick(16ms); });
    }
};

} // namespace

TEST_CASE("random calls to a crowd are recorded, and replayed from any call") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const bool checked = seed % 2 == 0;
        anthill original;
        std::minstd_rand random(seed);
        for (int i = 0; i < 10; ++i) original.play(random);
        hsm::input_log log({.calls_between = 16, .check_calls = checked});
        log.attach(original.herd);
        std::vector<std::uint64_t> hashes, calls;
        for (int i = 0; i < 120; ++i) {
            original.play(random);
            if (i == 60) { // a savegame is loaded
                const auto image = hsm::save(original.herd);
                original.play(random);
                hsm::restore(original.herd, image);
            }
            calls.push_back(log.calls());
            hashes.push_back(hsm::hash(original.herd));
        }
        const auto bytes = log.bytes();
        anthill played;
        played.ids = original.ids; // hooks look at the first of them
        hsm::replay again(bytes);
        again.attach(played.herd);
        const auto found = again.run();
        CHECK_MESSAGE(!found, found->to_string());
        CHECK(hsm::hash(played.herd) == hashes.back());
        CHECK(played.herd.count() == original.herd.count());
        for (std::size_t i = 0; i < hashes.size(); i += 7) {
            again.seek(calls[i]);
            CHECK(hsm::hash(played.herd) == hashes[i]);
        }
    }
}

TEST_CASE("a crowd over an array is replayed with its contexts, and different agents are named") {
    const auto chart = test::fighter_chart();
    std::vector<test::fighter> fighters(6), others(6);
    hsm::crowd<test::fighter> herd(chart, fighters), other(chart, others);
    hsm::input_log log;
    log.attach(herd);
    const auto id = herd.add_element(2);
    herd.add_element(4);
    herd[id]->process(hit{1});
    herd.process_all(hit{1});
    herd.tick(16ms);
    CHECK(log.calls() == 5);
    CHECK(log.frames() == 1);
    const auto bytes = log.bytes();
    hsm::replay again(bytes);
    again.attach(other);
    CHECK_FALSE(again.run());
    CHECK(other.has(id));
    CHECK(other[id]->is_in("slash"));
    again.seek(4);
    other[id]->process("stun"); // something else happens
    while (again.step()) {
    }
    const auto found = again.check();
    REQUIRE(found);
    CHECK(found->differences[0].path.find("agent 2/machine/") == 0);
}

TEST_CASE("invalid logs, and logs of other objects, are refused by a crowd") {
    anthill original, played;
    hsm::input_log log, second;
    log.attach(original.herd);
    CHECK_THROWS_WITH(second.attach(original.herd), doctest::Contains("HSM-207"));
    std::minstd_rand random(3);
    for (int i = 0; i < 60; ++i) original.play(random);
    const auto bytes = log.bytes();
    test::fighter f;
    const auto chart = test::fighter_chart();
    hsm::instance agent{chart, f};
    hsm::replay wrong(bytes);
    CHECK_THROWS_WITH(wrong.attach(agent), doctest::Contains("at this position, the log has a crowd"));
    int refused = 0, legal = 0;
    for (std::size_t i = 0; i < bytes.size(); i += test::stride) {
        auto altered = bytes;
        altered[i] ^= std::byte(1) << i % 8;
        anthill any;
        any.ids = original.ids;
        try {
            hsm::replay again(altered);
            again.attach(any.herd);
            static_cast<void>(again.run());
            ++legal;
        } catch (const hsm::replay_error&) {
            ++refused;
        } catch (const hsm::save_error&) { // of a keyframe
            ++refused;
        }
    }
    const int tried = static_cast<int>(bytes.size() / test::stride);
    CHECK(refused > tried / 10);
    CHECK(legal > tried / 10);
}

TEST_CASE("crowd and log may be destroyed in any order") {
    auto log = std::make_unique<hsm::input_log>();
    {
        anthill gone;
        log->attach(gone.herd);
        gone.herd.tick(16ms);
    }
    CHECK(log->calls() == 1);
    log.reset();
    anthill stays;
    log = std::make_unique<hsm::input_log>();
    log->attach(stays.herd);
    log.reset();
    stays.herd.tick(16ms);
    stays.herd.add(ant{});
}

namespace {

/// Posts an event to the mailbox of a crowd when mail of an instance is reported.
struct forwarder final : hsm::observer {
    forwarder(anthill& h, hsm::agent_id id) : to(h), who(id) {}
    void on_record(const hsm::record&, const hsm::moment&) override {}
    bool wants_inputs() const override { return true; }
    void on_input(const hsm::input& what, const hsm::moment&) override {
        if (what.kind == hsm::input_kind::mailed) to.herd.mailbox().post(who, hit{1});
    }
    anthill& to;
    hsm::agent_id who;
};

} // namespace

TEST_CASE("mail that arrives after a recorded tick of a crowd was reported waits for the next tick") {
    anthill original, played;
    test::fighter f, g;
    const auto chart = test::fighter_chart();
    hsm::instance agent{chart, f, {.mailbox = 4}}, other{chart, g, {.mailbox = 4}};
    const auto id = original.herd.add(ant{"one"});
    agent.start();
    hsm::input_log log;
    log.attach(original.herd);
    log.attach(agent);
    original.herd.tick(16ms);
    {
        forwarder o(original, id);
        const auto attached = agent.attach(o);
        agent.mailbox().post(hit{1});
        original.herd.tick(16ms); // the log takes the crowd's mail, then that of the instance
    }
    CHECK(original.herd.context(id).bites == 0);
    original.herd.tick(16ms);
    CHECK(original.herd.context(id).bites == 1);

    hsm::replay again(log.bytes());
    again.attach(played.herd);
    again.attach(other);
    const auto found = again.run();
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(played.herd.context(id).bites == 1);
}

TEST_CASE("calls whose hooks throw add no keyframes to a log") {
    anthill original, played;
    const auto id = original.herd.add(ant{"one"});
    hsm::input_log log({.keyframe_bytes = 1, .check_calls = true});
    log.attach(original.herd);
    original.herd[id]->change_to("rest");
    for (int i = 0; i < 1000; ++i) CHECK_THROWS_AS(original.herd.process_all("fail"), std::runtime_error);
    CHECK(log.keyframes() == 1);
    CHECK(log.calls() == 1001);
    hsm::replay again(log.bytes());
    again.attach(played.herd);
    const auto found = again.run();
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(hsm::hash(played.herd) == hsm::hash(original.herd));
}
