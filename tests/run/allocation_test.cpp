// A created instance never allocates again.

#include <hsm/constant/constant_instance.hpp>
#include <hsm/hsm.hpp>
#include <samples/character/machine.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

namespace {

using test::memory::allocations;

struct counters {
    int enters = 0, updates = 0, changes = 0;
    bool go = false;
};
struct hit {
    int damage;
};
enum class key { a, b, c };

struct swing {
    int left;
    void enter(counters& c) { ++c.enters; }
    void update(counters& c) {
        ++c.updates;
        --left;
    }
    bool finished() const { return left == 0; }
};

class fight : public hsm::fsm<counters> {
public:
    fight() : fsm("fight") {
        auto& high = add<swing>("high", 2);
        auto& low = add<swing>("low", 3);
        dispatch(high).when(&counters::go);
        dispatch(low);
        auto& over = add_final("over");
        high.to(over).on_finished();
        low.to(over).on_finished();
    }
    void enter(counters& c) const { ++c.enters; }
};

/// Uses every feature once.
auto make_root() {
    auto root = hsm::make_fsm<counters>("R");
    root->on_change([](counters& c, hsm::state_ref, hsm::state_ref, hsm::reason) { ++c.changes; });
    auto& idle = root->add("idle").on_update([](counters& c, hsm::step<counters>& s) {
        if (++c.updates % 3 == 0) s.post(hit{1});
        if (c.updates % 5 == 0) s.process(key::b);
    });
    auto& pass = root->add("pass").transient();
    auto& fighting = root->add<fight>();
    auto& rest = root->add_fsm("rest");
    rest.dispatch("nap").when(&counters::go);
    rest.add("nap");
    idle.to(pass).on<hit>().when([](const counters&, const hit& h) { return h.damage > 0; });
    pass.to(fighting);
    fighting.to(rest).on_finished().then([](counters& c) { c.go = !c.go; });
    rest.to(idle).on(key::a);
    root->on(key::b).then([](counters& c) { ++c.enters; });
    root->to(*root).on("again");
    return root;
}

void play(hsm::instance<counters>& agent) {
    agent.start();
    for (int i = 0; i < 300; ++i) {
        agent.tick(0.016f);
        if (i % 7 == 0) agent.process(key::a);
        if (i % 11 == 0) agent.post(key::b);
        if (i % 50 == 0) agent.process("again");
        if (i % 60 == 0) agent.change_to("R/rest");
        agent.decide();
        agent.update(0.001);
        (void)agent.can(hit{1});
        (void)agent.is_in("R/idle");
        (void)agent.time_in_state("R/idle");
    }
    agent.stop();
}

} // namespace

TEST_CASE("start, tick, process, post, change_to and stop allocate nothing") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        const auto chart = hsm::compile(make_root(), {.order = order});
        counters c;
        hsm::instance agent{chart, c};
        agent.reserve();
        const auto before = allocations.load();
        play(agent);
        CHECK(allocations == before);
        CHECK(c.changes > 50);
        CHECK(c.updates > 100);
    }
}

TEST_CASE("an instance is one allocation, or none in the user's memory") {
    const auto chart = hsm::compile(make_root());
    counters c;
    const auto before = allocations.load();
    {
        hsm::instance agent{chart, c};
        CHECK(allocations == before + 1);
    }
    const auto need = hsm::instance_memory(chart);
    alignas(64) static std::byte memory[4096];
    REQUIRE(need.size <= sizeof memory);
    REQUIRE(need.alignment <= 64);
    const auto placed = allocations.load();
    {
        hsm::instance agent{chart, c, {}, memory};
        play(agent);
    }
    CHECK(allocations == placed);
}

TEST_CASE("queues without options are one further allocation when one of them is first used") {
    const auto chart = hsm::compile(make_root());
    counters c;
    hsm::instance agent{chart, c};
    const auto before = allocations.load();
    agent.start();
    agent.tick(0.1);
    CHECK(agent.post("unexpected") == hsm::result::unhandled);
    CHECK(allocations == before);
    CHECK(agent.post(key::b) == hsm::result::queued);
    CHECK(allocations == before + 1);
    play(agent);
    CHECK(allocations == before + 1);
}

TEST_CASE("reserve allocates the queues; queues with a given size are allocated with the instance") {
    const auto chart = hsm::compile(make_root());
    counters c;
    hsm::instance first{chart, c};
    const auto before = allocations.load();
    first.reserve();
    CHECK(allocations == before + 1);
    first.reserve();
    CHECK(allocations == before + 1);
    hsm::instance second{chart, c, {.posted_queue = 16}};
    CHECK(allocations == before + 2);
    second.reserve();
    play(first);
    play(second);
    hsm::instance none{chart, c, {.internal_queue = 0, .posted_queue = 0}};
    none.reserve();
    CHECK(allocations == before + 3);
}

TEST_CASE("a mailbox is allocated with its instance; posting to it and handling that allocates nothing") {
    const auto chart = hsm::compile(make_root());
    counters c;
    hsm::instance agent{chart, c, {.mailbox = 8}};
    const auto before = allocations.load();
    auto& mail = agent.mailbox();
    agent.start();
    for (int i = 0; i < 100; ++i) {
        while (mail.post(key::b) == hsm::result::queued) {
        }
        CHECK(mail.post("again") == hsm::result::full);
        CHECK(agent.queued() == 8);
        agent.tick();
        CHECK(agent.queued() == 0);
        mail.post(hit{i});
    }
    agent.stop();
    CHECK(allocations == before);
    CHECK(c.enters > 700);
}

TEST_CASE("the character of the samples allocates nothing while it is played") {
    const auto chart = hsm::compile(make_character());
    character hero;
    hsm::instance agent{chart, hero};
    agent.reserve();
    agent.start();
    const auto before = allocations.load();
    std::uint32_t random = 2463534242u;
    int taken = 0;
    for (int frame = 0; frame < 5000; ++frame) {
        random ^= random << 13, random ^= random >> 17, random ^= random << 5;
        if (frame % 8 == 0) {
            hero.held = {.right = (random & 3) != 0, .left = (random & 12) == 4, .down = (random & 0x30) == 0x10, .up = (random & 0xc0) == 0x40};
            hero.held.attack = (random & 0x300) == 0x100;
            if (agent.process(static_cast<press>(random >> 10 & 3)) == hsm::result::taken) ++taken;
        }
        if (agent.tick(0.0166) == hsm::result::taken) ++taken;
    }
    CHECK(allocations == before);
    CHECK(taken > 100);
}

TEST_CASE("the instances of random charts allocate nothing while they are used") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        CHECK(differential::inputs_that_count(differential::generate(seed, 40), allocations) == std::vector<int>());
    }
}

namespace {

struct wheel {
    hsm::result (*spin)(wheel&) = nullptr;
    int turns = 0, hits = 0;
};

/// Events with and without a payload, guards, a queue, transient states, completion, ticks.
constexpr auto wheel_chart = hsm::constant_chart<wheel>([](auto& root) {
    auto& rest = root.add("rest");
    auto& through = root.add("through").transient();
    auto& turn = root.add_fsm("turn");
    auto& half = turn.add("half").on_update([](wheel& w) { w.spin(w); });
    auto& full = turn.add_final("full");
    rest.to(through).on(key::a);
    through.to(turn);
    half.to(full).template on<hit>().when([](const wheel&, const hit& h) { return h.damage > 0; }).then([](wheel& w, const hit& h) {
        w.hits += h.damage;
    });
    turn.to(rest).on_finished().then([](wheel& w) { ++w.turns; });
});
using wheel_instance = hsm::constant_instance<wheel_chart, hsm::queue<2>>;
wheel_instance* spinning = nullptr;

} // namespace

TEST_CASE("a constant instance allocates nothing, not even when it is created") {
    const auto before = allocations.load();
    wheel w;
    wheel_instance agent(w);
    spinning = &agent;
    w.spin = [](wheel&) { return spinning->process(hit{2}); };
    agent.start();
    for (int i = 0; i < 100; ++i) {
        agent.process(key::b);
        agent.process(key::a);
        agent.tick(0.01);
    }
    agent.stop();
    const auto after = allocations.load();
    CHECK(after == before);
    CHECK(w.turns == 100);
    CHECK(w.hits == 200);
}
