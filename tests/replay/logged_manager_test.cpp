#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>

#include <hsm/save/manager_image.hpp>
#include <tests/save/fighter.hpp>
#include <tests/save/house.hpp>

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace test;
using hsm::result;

namespace {

template <class Log, class Factory>
concept attaches = requires(Log& log, hsm::manager& machines, Factory&& kinds) {
    log.attach(machines, std::forward<Factory>(kinds));
};
static_assert(attaches<hsm::input_log, hsm::machine_factory&> && attaches<hsm::replay, hsm::machine_factory&>);
static_assert(!attaches<hsm::input_log, hsm::machine_factory> && !attaches<hsm::replay, hsm::machine_factory>);

void play(house& h, std::minstd_rand& random) {
    const auto name = std::string(1, static_cast<char>('a' + random() % 6));
    const auto found = h.machines.find(name);
    switch (random() % 12) {
    case 0:
        if (!found) h.add_door(name);
        break;
    case 1:
        if (!found) h.add_lamp(name);
        break;
    case 2: h.machines.remove(name); break;
    case 3: h.machines.broadcast("push"); break;
    case 4:
        if (found) found.stop();
        break;
    case 5:
        if (found && !found.running()) found.start();
        break;
    case 6:
        if (found) found->process("push");
        break;
    case 7:
        if (found) found->post("push");
        break;
    case 8:
        if (found) found.use_real_time(random() % 2);
        break;
    case 9: h.machines.trim(); break;
    case 10:
        if (random() % 8 == 0) h.machines.shutdown();
        break;
    default: h.machines.broadcast("unexpected");
    }
    if (random() % 2) random() % 2 ? h.machines.update(20ms) : h.machines.update(20ms, 5ms);
}

} // namespace

TEST_CASE("random calls to machines are recorded, and replayed from any call") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        house original, played;
        std::minstd_rand random(seed);
        for (int i = 0; i < 10; ++i) play(original, random);
        hsm::input_log log({.calls_between = 16, .check_calls = seed % 2 == 0});
        log.attach(original.machines, original.kinds);
        std::vector<std::uint64_t> hashes, calls;
        for (int i = 0; i < 120; ++i) {
            play(original, random);
            if (i == 60) { // a savegame is loaded
                const auto image = hsm::save(original.machines, original.kinds);
                play(original, random);
                hsm::restore(original.machines, original.kinds, image);
            }
            calls.push_back(log.calls());
            hashes.push_back(hsm::hash(original.machines, original.kinds));
        }
        const auto bytes = log.bytes();
        hsm::machine_factory kinds; // of the same charts, over other contexts
        kinds.add("door", original.doors_chart, [&](std::string_view name) -> door& { return played.doors[std::string(name)]; });
        kinds.add("lamp", original.lamps_chart, [&](std::string_view name) -> lamp& { return played.lamps[std::string(name)]; });
        hsm::replay again(bytes);
        again.attach(played.machines, kinds);
        const auto found = again.run();
        CHECK_MESSAGE(!found, found->to_string());
        CHECK(hsm::hash(played.machines, kinds) == hashes.back());
        CHECK(played.names() == original.names());
        for (std::size_t i = 0; i < hashes.size(); i += 7) {
            again.seek(calls[i]);
            CHECK(hsm::hash(played.machines, kinds) == hashes[i]);
        }
    }
}

TEST_CASE("one log can contain a manager and an instance, and differences are named") {
    house original, played;
    const auto chart = fighter_chart();
    fighter f, g;
    hsm::instance hero{chart, f}, other{chart, g};
    hsm::input_log log;
    log.attach(original.machines, original.kinds);
    log.attach(hero);
    original.add_door("front");
    hero.start();
    original.machines.update(16ms);
    original.machines.get("front")->process("push");
    hero.process(hit{1});
    original.machines.update(16ms, 8ms);
    CHECK(log.frames() == 2);
    const auto bytes = log.bytes();
    hsm::replay again(bytes);
    CHECK_THROWS_WITH(again.attach(other), doctest::Contains("at this position, the log has a manager"));
    again.attach(played.machines, played.kinds);
    again.attach(other);
    CHECK_FALSE(again.run());
    CHECK(played.names() == "front door/open, ");
    CHECK(other.current().name() == hero.current().name());
    again.seek_frame(1);
    CHECK(played.names() == "front door/open, ");
    CHECK(played.machines.elapsed() == 16ms);
    played.doors["front"].sign = "another";
    while (again.step()) {
    }
    const auto found = again.check();
    REQUIRE(found);
    CHECK(found->differences[0].to_string() == "machines/front/context/sign: \"none\", and \"another\"");
}

TEST_CASE("create refuses machines of unknown kinds while a log records") {
    house h;
    hsm::machine_factory fewer;
    fewer.add("door", h.doors_chart, [&](std::string_view name) -> door& { return h.doors[std::string(name)]; });
    hsm::input_log log;
    log.attach(h.machines, fewer);
    h.add_door("front");
    CHECK_THROWS_WITH(h.add_lamp("hall"), doctest::Contains("HSM-351 error at hall"));
    CHECK(h.names() == "front door/shut, ");
    hsm::input_log second;
    CHECK_THROWS_WITH(second.attach(h.machines, fewer), doctest::Contains("HSM-207"));
}

TEST_CASE("invalid logs of managers are refused, or replayed to an end") {
    house original;
    hsm::input_log log;
    log.attach(original.machines, original.kinds);
    std::minstd_rand random(5);
    for (int i = 0; i < 40; ++i) play(original, random);
    const auto bytes = log.bytes();
    int refused = 0, legal = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto altered = bytes;
        altered[i] ^= std::byte(1) << i % 8;
        house any;
        hsm::machine_factory kinds;
        kinds.add("door", original.doors_chart, [&](std::string_view name) -> door& { return any.doors[std::string(name)]; });
        kinds.add("lamp", original.lamps_chart, [&](std::string_view name) -> lamp& { return any.lamps[std::string(name)]; });
        try {
            hsm::replay again(altered);
            again.attach(any.machines, kinds);
            static_cast<void>(again.run());
            ++legal;
        } catch (const hsm::replay_error&) {
            ++refused;
        } catch (const hsm::save_error&) { // of a keyframe
            ++refused;
        }
    }
    CHECK(refused > 100);
    CHECK(legal > 100);
}

namespace {
struct thrower {
    int calls = 0;
};
hsm::chart<thrower> throwing_chart() {
    auto root = hsm::make_fsm<thrower>("thrower");
    root->add("only");
    root->on("fail").then([](thrower& t) {
        ++t.calls;
        throw std::runtime_error("failed");
    });
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("calls whose hooks throw, and failed calls, add no keyframes to the log of a manager") {
    const auto chart = throwing_chart();
    thrower context, other, again_context;
    hsm::manager machines, played;
    hsm::machine_factory kinds, kinds_again;
    kinds.add("thrower", chart, [&](std::string_view) -> thrower& { return context; });
    kinds_again.add("thrower", chart, [&](std::string_view) -> thrower& { return again_context; });
    machines.create("one", chart, context).start();
    hsm::input_log log({.keyframe_bytes = 1, .check_calls = true});
    log.attach(machines, kinds);
    for (int i = 0; i < 300; ++i) {
        CHECK_THROWS_AS(machines.broadcast("fail"), std::runtime_error);
        CHECK_THROWS_AS(machines.create("one", chart, other), hsm::manager_error);
    }
    CHECK(log.keyframes() == 1);
    CHECK(log.calls() == 600);
    hsm::replay again(log.bytes());
    again.attach(played, kinds_again);
    const auto found = again.run();
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(again_context.calls == 300);
}
