#include <hsm/replay/rollback.hpp>

#include <hsm/replay/sync_test.hpp>
#include <hsm/run/error.hpp>
#include <tests/support/memory_use.hpp>

#include <doctest/doctest.h>
#include <hsm/hsm.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::result;

namespace {

struct jump {};
struct hit {
    int power;
};

struct hero {
    double height = 0;
    int life = 100;
    bool flawed = false; ///< a value that no save contains interferes
};
template <class A> void serialize(A& archive, hero& h) { archive("height", h.height)("life", h.life); }

/// hero {ground {idle, stunned: for 48 ms}, air: falls}
hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& ground = root->add_fsm("ground").remembers();
    auto& idle = ground.add("idle");
    auto& stunned = ground.add("stunned");
    auto& air = root->add("air").on_enter([](hero& h) { h.height = 3; });
    air.on_update([](hero& h, hsm::time_span t) { h.height -= t.seconds() * (h.flawed ? 11 : 10); });
    ground.to(air).on<jump>();
    air.to(ground).when([](const hero& h) { return h.height <= 0; });
    idle.to(stunned).on<hit>().then([](hero& h, const hit& x) { h.life -= x.power; });
    stunned.to(idle).after(48ms);
    return hsm::compile(std::move(root));
}

/// Two heroes and what is pressed: frame by frame.
struct duel {
    hsm::chart<hero> chart = hero_chart();
    hero a, b;
    hsm::instance<hero> first{chart, a}, second{chart, b};
    std::vector<int> inputs;

    duel() {
        first.start();
        second.start();
        unsigned x = 7;
        for (int i = 0; i < 200; ++i) inputs.push_back(static_cast<int>((x = x * 1664525u + 1013904223u) >> 29));
    }
    void play(std::uint64_t frame) {
        const auto input = inputs[frame];
        if (input & 1) first.process(jump{});
        if (input & 2) second.post(hit{input});
        if (input & 4) second.process(jump{});
        first.tick(16ms);
        second.tick(16ms);
    }
    std::string text() const {
        return first.path_of_leaves() + ' ' + std::to_string(a.height) + ", " + second.path_of_leaves() + ' ' + std::to_string(b.height) + ' ' +
               std::to_string(b.life);
    }
};

} // namespace

TEST_CASE("a rollback restores each of the last frames, and playing again gives the same result") {
    duel d;
    hsm::rollback<hero> frames(9);
    frames.add(d.first, d.a);
    frames.add(d.second, d.b);
    std::vector<std::string> seen;
    for (std::uint64_t frame = 0; frame < 100; ++frame) {
        d.play(frame);
        CHECK(frames.keep() == frame);
        seen.push_back(d.text());
        const auto back = frame - std::min<std::uint64_t>(frame, frame % 9);
        CHECK(frames.back_to(back));
        CHECK(d.text() == seen[back]);
        CHECK(frames.next() == back + 1);
        for (auto again = back + 1; again <= frame; ++again) {
            d.play(again);
            frames.keep();
            CHECK(d.text() == seen[again]);
        }
    }
    CHECK(frames.oldest() == 91);
    CHECK_FALSE(frames.back_to(90));
    CHECK_FALSE(frames.back_to(100));
    CHECK(d.text() == seen[99]);
}

TEST_CASE("late inputs have the same result as inputs in time") {
    duel timely, late;
    hsm::rollback<hero> frames(9);
    frames.add(late.first, late.a);
    frames.add(late.second, late.b);
    frames.keep(); // frame 0 is before the first input
    const auto inputs = late.inputs;
    late.inputs.assign(inputs.size(), 0); // not known yet
    for (std::uint64_t frame = 0; frame < inputs.size(); ++frame) {
        timely.play(frame);
        late.play(frame);
        frames.keep();
        const auto from = frame - std::min<std::uint64_t>(frame, 7);
        if (frame % 8 != 7) continue;
        std::copy(inputs.begin() + static_cast<long>(from), inputs.begin() + static_cast<long>(frame) + 1,
                  late.inputs.begin() + static_cast<long>(from));
        CHECK(frames.back_to(from));
        for (auto again = from; again <= frame; ++again) {
            late.play(again);
            frames.keep();
        }
        CHECK(late.text() == timely.text());
    }
}

TEST_CASE("restoring and playing frames allocates nothing") {
    duel d;
    for (auto* const each : {&d.first, &d.second}) each->reserve();
    hsm::rollback<hero> frames(9);
    frames.add(d.first, d.a);
    frames.add(d.second, d.b);
    for (std::uint64_t frame = 0; frame < 20; ++frame) {
        d.play(frame);
        frames.keep();
    }
    const test::peak_of_memory peak;
    frames.back_to(12);
    for (std::uint64_t frame = 13; frame < 20; ++frame) {
        d.play(frame);
        frames.keep();
    }
    CHECK(peak.bytes() == 0);
    CHECK(frames.bytes() > 0);
}

TEST_CASE("your functions select the stored part of a context") {
    struct body {
        std::vector<int> large;
        int position = 0;
    };
    auto root = hsm::make_fsm<body>("R");
    root->add("A").on<jump>().then([](body& b) { ++b.position; });
    const auto chart = hsm::compile(std::move(root));
    body b{{1, 2, 3}, 0};
    hsm::instance agent{chart, b};
    agent.start();
    hsm::rollback<body, int> frames(
        3, {[](int& kept, const body& from) { kept = from.position; }, [](body& to, const int& kept) { to.position = kept; }});
    frames.add(agent, b);
    frames.keep();
    agent.process(jump{});
    frames.keep();
    CHECK(frames.back_to(0));
    CHECK(b.position == 0);
    CHECK(b.large.size() == 3);
}

TEST_CASE("invalid calls of a rollback are errors") {
    CHECK_THROWS_WITH(hsm::rollback<hero>(0), doctest::Contains("HSM-207 error: the rollback has no frames"));
    duel d;
    hsm::rollback<hero> frames(2);
    CHECK_FALSE(frames.back_to(0));
    frames.add(d.first, d.a);
    frames.keep();
    CHECK_THROWS_WITH(frames.add(d.second, d.b), doctest::Contains("HSM-207 error: the rollback has already recorded frames without this machine"));
}

TEST_CASE("sync_test accepts a deterministic game") {
    duel d;
    hsm::rollback<hero> frames(9);
    frames.add(d.first, d.a);
    frames.add(d.second, d.b);
    for (std::uint64_t frame = 0; frame < 50; ++frame) {
        d.play(frame);
        frames.keep();
        CHECK_FALSE(hsm::sync_test(frames, 8, [&](std::uint64_t again) { d.play(again); }));
    }
}

TEST_CASE("sync_test names the field in which a game is not deterministic") {
    duel d;
    hsm::rollback<hero> frames(9);
    frames.add(d.first, d.a);
    frames.add(d.second, d.b);
    d.inputs.assign(20, 0);
    d.inputs[3] = 4;
    for (std::uint64_t frame = 0; frame < 6; ++frame) {
        d.play(frame);
        frames.keep();
    }
    const auto in_context = hsm::sync_test(frames, 8, [&](std::uint64_t again) {
        d.b.flawed = true; // of every frame that is played again
        d.play(again);
        d.b.flawed = false;
    });
    REQUIRE(in_context);
    CHECK(in_context->to_string() == "frame 3 of context 1 differs:\n  height: 2.84, and 2.824\n");
    const auto in_machine = hsm::sync_test(frames, 2, [&](std::uint64_t again) {
        d.play(again);
        if (again == 4) d.first.process(hit{1});
    });
    REQUIRE(in_machine);
    CHECK(in_machine->frame == 4);
    CHECK(in_machine->machine == 0);
    CHECK_FALSE(in_machine->in_context);
    CHECK(in_machine->differences[0].to_string() == R"(active/0: "hero/ground/idle", and "hero/ground/stunned")");
}

TEST_CASE("a rollback restores a crowd with its agents and their contexts, and allocates nothing") {
    const auto chart = hero_chart();
    hsm::crowd<hero> herd(chart);
    hero mine;
    hsm::instance<hero> self{chart, mine};
    self.start();
    for (int i = 0; i < 1'000; ++i) herd.add();
    hsm::rollback<hero> frames(9);
    frames.add(self, mine);
    frames.add(herd);
    frames.keep();
    const auto play = [&](std::uint64_t frame) {
        if (frame % 5 == 1) herd.process_all(jump());
        if (frame % 3 == 1) herd.process_in("idle", hit{static_cast<int>(frame)});
        self.process(jump());
        herd.tick(16ms);
        self.tick(16ms);
    };
    for (std::uint64_t frame = 1; frame < 30; ++frame) play(frame), frames.keep();
    const auto last = hsm::hash(herd);
    const test::peak_of_memory memory;
    for (int i = 0; i < 3; ++i) {
        frames.back_to(21);
        for (std::uint64_t frame = 22; frame < 30; ++frame) play(frame), frames.keep();
    }
    CHECK(memory.bytes() == 0);
    CHECK(hsm::hash(herd) == last);
    CHECK_FALSE(hsm::sync_test(frames, 8, play));
    int played = 0;
    const auto flawed = hsm::sync_test(frames, 8, [&](std::uint64_t frame) {
        play(frame);
        if (++played == 4) herd.context({7, 1}).life -= 1;
    });
    REQUIRE(flawed);
    CHECK(flawed->frame == 25);
    CHECK(flawed->machine == 1);
    REQUIRE(flawed->differences.size() == 1);
    CHECK(flawed->differences[0].path == "agent 7/context/life");
}

TEST_CASE("a rollback restores a crowd over an array with the array") {
    const auto chart = hero_chart();
    std::vector<hero> heroes(3);
    hsm::crowd<hero> herd(chart, heroes);
    for (std::size_t i = 0; i < heroes.size(); ++i) herd.add_element(i);
    hsm::rollback<hero> frames(4);
    frames.add(herd, heroes);
    frames.keep();
    herd.process_all(hit{7});
    frames.keep();
    CHECK(heroes[1].life == 93);
    frames.back_to(0);
    CHECK(heroes[1].life == 100);
    CHECK(herd.count("stunned") == 0);
}

TEST_CASE("choices by chance are repeated after a rollback") {
    auto root = hsm::make_fsm<hero>("hero");
    auto& move = root->add_fsm("move").choose(hsm::random);
    move.to(move).on<jump>();
    for (const auto* name : {"a", "b", "c", "d", "e"}) move.dispatch(move.add(name));
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent(chart, h, {.seed = 4});
    agent.start();
    hsm::rollback<hero> frames(20);
    frames.add(agent, h);
    frames.keep();
    const auto play = [&] {
        std::string all;
        for (int i = 0; i < 50; ++i) {
            agent.process(jump{});
            all += agent.current().name();
        }
        return all;
    };
    const auto first = play();
    frames.keep();
    CHECK(play() != first);
    CHECK(frames.back_to(0));
    CHECK(play() == first);
}
