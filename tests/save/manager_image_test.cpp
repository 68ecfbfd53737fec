#include <hsm/save/manager_image.hpp>

#include <hsm/run/attachment.hpp>
#include <hsm/run/error.hpp>
#include <tests/save/house.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace test;
using hsm::result;

TEST_CASE("a manager restores its machines, their order, states and contexts") {
    house h;
    const auto front = h.add_door("front");
    const auto hall = h.add_lamp("hall");
    h.machines.create("idle", h.doors_chart, h.doors["idle"]);
    hall.use_real_time();
    h.machines.broadcast("push");
    h.machines.update(60ms, 10ms);
    CHECK(h.names() == "front door/open, hall lamp/on, idle -, ");
    const auto image = hsm::save(h.machines, h.kinds);
    CHECK(image.size() == hsm::image_size(h.machines, h.kinds));
    const auto hash = hsm::hash(h.machines, h.kinds);

    front->process("push");
    h.machines.update(60ms);
    h.doors["front"].sign = "closed";
    h.doors["front"].other = &h.doors["idle"];
    h.machines.remove("hall");
    const auto late = h.add_door("late");
    const auto other_hall = h.add_door("hall");
    CHECK(h.names() == "front door/shut, idle -, late door/shut, hall door/shut, ");
    CHECK(hsm::hash(h.machines, h.kinds) != hash);

    CHECK(hsm::restore(h.machines, h.kinds, image) == result::taken);
    CHECK(h.names() == "front door/open, hall lamp/on, idle -, ");
    CHECK(hsm::save(h.machines, h.kinds) == image);
    CHECK(hsm::hash(h.machines, h.kinds) == hash);
    CHECK(h.doors["front"].sign == "none");
    CHECK(h.doors["front"].other == &h.doors["idle"]); // it is not in its serialize
    CHECK(h.lamps["hall"].burnt == 1);
    CHECK(h.machines.elapsed() == 60ms);
    CHECK(h.machines.real_elapsed() == 10ms);
    CHECK(front);
    CHECK(hall); // that had been removed
    CHECK(hall.uses_real_time());
    CHECK_FALSE(late);
    CHECK_FALSE(other_hall);
    CHECK_FALSE(h.machines.has("late"));
    CHECK(h.machines.count<door>() == 2);
    CHECK(&h.machines.get<lamp>()->context() == &h.lamps["hall"]);
    h.machines.update(40ms);
    CHECK(h.names() == "front door/shut, hall lamp/on, idle -, ");
    const auto next = h.add_door("late"); // a free name, a new handle
    CHECK(next != late);
    CHECK_FALSE(late);
}

TEST_CASE("a restore into another manager keeps existing machines with their handles, and creates the others") {
    house h, other;
    h.add_lamp("hall");
    h.add_door("front");
    h.machines.broadcast("push");
    h.machines.update(60ms);
    h.doors["front"].sign = "welcome";
    const auto image = hsm::save(h.machines, h.kinds);

    hsm::machine_factory foreign; // the same labels, charts of its own
    const auto door_of = [&](std::string_view name) -> door& { return other.doors[std::string(name)]; };
    foreign.add("door", h.doors_chart, door_of, {.agent = {.posted_queue = 4}});
    foreign.add("lamp", h.lamps_chart, [&](std::string_view name) -> lamp& { return other.lamps[std::string(name)]; });
    const auto front = other.machines.create("front", h.doors_chart, other.doors["front"]);
    const auto gone = other.machines.create("gone", h.doors_chart, other.doors["gone"]);
    CHECK(hsm::restore(other.machines, foreign, image) == result::taken);
    CHECK(other.names() == h.names());
    CHECK(front);
    CHECK_FALSE(gone);
    CHECK(other.doors["front"].sign == "welcome");
    CHECK(hsm::hash(other.machines, foreign) == hsm::hash(h.machines, h.kinds));
    CHECK(hsm::difference(h.machines, other.machines, h.kinds).empty());
    other.machines.update(40ms);
    h.machines.update(40ms);
    CHECK(other.names() == "hall lamp/on, front door/shut, ");
    CHECK(hsm::hash(other.machines, foreign) == hsm::hash(h.machines, h.kinds));
}

TEST_CASE("a restore runs no hooks; observers stay and are notified, observers of the manager also about new machines") {
    house h;
    const auto front = h.add_door("front");
    h.add_lamp("hall");
    const auto image = hsm::save(h.machines, h.kinds);
    test::text_observer one, all;
    const auto of_one = front->attach(one);
    const auto of_all = h.machines.attach(all);
    front->process("push");
    h.machines.remove("hall");
    one.take(), all.take();
    CHECK(hsm::restore(h.machines, h.kinds, image) == result::taken);
    CHECK(h.doors["front"].opened == 0);
    CHECK(one.take() == "call restore, is 1 of 1 (restored), -> taken");
    CHECK(all.take() ==
          "call none, is - of 0 (attached), -> taken, call restore, is 1 of 1 (restored), -> taken, call restore, is 1 of 1 (restored), -> taken");
    h.machines.get("hall")->process("push");
    CHECK(all.take().find("E 2") != std::string::npos);
}

TEST_CASE("bytes that are not an image of these machines are refused, and change nothing") {
    house h;
    h.add_door("front");
    h.add_lamp("hall");
    const auto image = hsm::save(h.machines, h.kinds, {.checksum = true});
    const auto before = hsm::save(h.machines, h.kinds);
    const auto refused = [&](const hsm::machine_factory& kinds, std::span<const std::byte> bytes, const char* why) {
        CHECK_THROWS_WITH(hsm::restore(h.machines, kinds, bytes), doctest::Contains(why));
        CHECK(hsm::save(h.machines, h.kinds) == before);
    };
    refused(h.kinds, {}, "HSM-353 error: this is not an image of a manager");
    refused(h.kinds, std::span(image).first(image.size() - 1), "HSM-355");
    hsm::machine_factory fewer;
    fewer.add("door", h.doors_chart, [&](std::string_view) -> door& { throw 7; });
    refused(fewer, image, "HSM-354 error at lamp: the image has machines of a kind that the factory does not have");
    CHECK_THROWS_WITH(static_cast<void>(hsm::save(h.machines, fewer)),
                      doctest::Contains("HSM-351 error at hall: the machine uses the chart \"lamp\""));
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        auto altered = image;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        CHECK_THROWS_AS(hsm::restore(h.machines, h.kinds, altered), hsm::save_error);
    }
    CHECK(hsm::save(h.machines, h.kinds) == before);
    h.machines.remove("front");
    fewer.add("lamp", h.lamps_chart, [&](std::string_view) -> lamp& { throw 7; });
    CHECK_THROWS_AS(hsm::restore(h.machines, fewer, image), int); // of the factory's function: nothing has changed
    CHECK(h.names() == "hall lamp/off, ");
    h.add_door("front");
    CHECK_THROWS_AS(fewer.add("lamp", door_chart(), [&](std::string_view) -> door& { throw 7; }), hsm::usage_error);
    CHECK_THROWS_AS(fewer.add("another", h.lamps_chart, [&](std::string_view) -> lamp& { throw 7; }), hsm::usage_error);
}

TEST_CASE("an altered image is refused, or restores legal machines") {
    house h;
    h.add_door("front");
    h.add_lamp("hall");
    h.add_door("back");
    h.machines.broadcast("push");
    h.machines.update(16ms);
    const auto image = hsm::save(h.machines, h.kinds);
    int legal = 0;
    for (const bool is_own : {true, false})
        for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
            auto altered = image;
            altered[bit / 8] ^= std::byte(1) << bit % 8;
            hsm::manager others;
            auto& into = is_own ? h.machines : others;
            const auto before = hsm::hash(into, h.kinds);
            try {
                hsm::restore(into, h.kinds, altered);
            } catch (const hsm::save_error&) {
                CHECK(hsm::hash(into, h.kinds) == before);
                continue;
            }
            ++legal;
            CAPTURE(bit / 8);
            hsm::manager third;
            hsm::restore(third, h.kinds, hsm::save(into, h.kinds));
            CHECK(hsm::hash(third, h.kinds) == hsm::hash(into, h.kinds));
            try {
                into.update(1ms);
                into.broadcast("push");
                if (!is_own) into.shutdown();
            } catch (const hsm::chain_error&) {
            }
            hsm::restore(h.machines, h.kinds, image);
            CHECK(hsm::save(h.machines, h.kinds) == image);
        }
    CHECK(legal > 50);
}

TEST_CASE("save and restore return busy in hooks and while a loop visits the machines") {
    house h;
    std::vector<result> seen;
    std::vector<std::byte> image;
    auto root = hsm::make_fsm<door>("asks");
    root->add("a").on_update([&](door&) {
        seen.push_back(hsm::restore(h.machines, h.kinds, image));
        CHECK(hsm::save(h.machines, h.kinds).empty());
    });
    const auto chart = hsm::compile(std::move(root));
    h.kinds.add("asks", chart, [&](std::string_view) -> door& { return h.doors["asks"]; });
    h.machines.create("asks", chart, h.doors["asks"]).start();
    image = hsm::save(h.machines, h.kinds);
    h.machines.update(16ms);
    CHECK(seen == std::vector{result::busy});
    for (const auto m : h.machines.all()) {
        CHECK(m);
        CHECK(hsm::restore(h.machines, h.kinds, image) == result::busy);
    }
    CHECK(hsm::restore(h.machines, h.kinds, image) == result::taken);
}

TEST_CASE("a difference of managers names the machine and the field") {
    house h, other;
    for (auto* each : {&h, &other}) {
        each->add_door("front");
        each->add_lamp("hall");
    }
    const auto image = hsm::save(h.machines, h.kinds);
    h.doors["front"].sign = "closed";
    h.machines.get("hall")->process("push");
    h.add_door("back");
    const auto found = hsm::difference(h.kinds, image, hsm::save(h.machines, h.kinds));
    REQUIRE(found.size() == 6);
    CHECK(found[0].to_string() == "machines/front/context/sign: \"none\", and \"closed\"");
    CHECK(found[1].path == "machines/hall/machine/active/0");
    CHECK(found[2].path == "machines/hall/machine/states/lamp/off");
    CHECK(found[4].path == "machines/back");
    CHECK(found[5].path == "order/2");
}

TEST_CASE("saves_contexts = false leaves contexts out of an image, and save can write to your memory") {
    house h;
    hsm::machine_factory without;
    without.add("door", h.doors_chart, [&](std::string_view name) -> door& { return h.doors[std::string(name)]; }, {.saves_contexts = false});
    h.add_door("front");
    std::vector<std::byte> image(hsm::image_size(h.machines, without));
    CHECK(hsm::save(h.machines, without, image).size == image.size());
    CHECK_THROWS_AS(hsm::save(h.machines, without, std::span(image).first(10)), hsm::save_error);
    h.doors["front"].sign = "new";
    hsm::restore(h.machines, without, image);
    CHECK(h.doors["front"].sign == "new");
    CHECK_THROWS_WITH(hsm::restore(h.machines, h.kinds, image), doctest::Contains("saved in another way"));
}

TEST_CASE("random machines that are restored to any moment continue as before") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        house h;
        std::minstd_rand random(seed + 1);
        const auto step = [&](std::minstd_rand& r) {
            const auto name = std::string(1, static_cast<char>('a' + r() % 6));
            switch (r() % 7) {
            case 0:
                if (!h.machines.has(name)) h.add_door(name);
                break;
            case 1:
                if (!h.machines.has(name)) h.add_lamp(name);
                break;
            case 2: h.machines.remove(name); break;
            case 3: h.machines.broadcast("push"); break;
            case 4:
                if (h.machines.has(name)) h.machines.get(name).stop();
                break;
            case 5: h.machines.trim(); break;
            default: h.machines.update(20ms);
            }
        };
        for (int i = 0; i < 40; ++i) step(random);
        const auto image = hsm::save(h.machines, h.kinds);
        std::vector<hsm::managed_base> handles;
        for (const auto m : h.machines.all()) handles.push_back(m);
        auto again = random;
        std::vector<std::uint64_t> went;
        for (int i = 0; i < 60; ++i) step(random), went.push_back(hsm::hash(h.machines, h.kinds));
        hsm::restore(h.machines, h.kinds, image);
        CHECK(hsm::save(h.machines, h.kinds).size() == image.size());
        for (const auto& each : handles) CHECK(each);
        for (int i = 0; i < 60; ++i) {
            step(again);
            CHECK(hsm::hash(h.machines, h.kinds) == went[static_cast<std::size_t>(i)]);
        }
    }
}
