// Once the memory exists, machines are created and removed without allocations.

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using test::memory::allocations;
using test::memory::allowed;

struct agent {
    int enters = 0, exits = 0, updates = 0, destroyed = 0;
};
struct pest : agent {};
struct wound {
    int depth = 1;
};

template <class Context> hsm::chart<Context> agent_chart() {
    auto root = hsm::make_fsm<Context>("R");
    auto& idle = root->template add<wound>("idle");
    idle.on_enter([](Context& a) { ++a.enters; }).on_update([](Context& a) { ++a.updates; }).on_exit([](Context& a) { ++a.exits; });
    idle.on_destroy([](Context& a) { ++a.destroyed; });
    root->add("busy");
    idle.to("busy").template on<test::push>();
    return hsm::compile(std::move(root));
}

/// A name of 15 characters, the longest that fits inside a std::string.
struct name_of {
    std::array<char, 15> text{};
    explicit name_of(int number) {
        text.fill('-');
        for (auto& digit : text) {
            digit = static_cast<char>('0' + number % 10);
            number /= 10;
        }
    }
    operator std::string_view() const { return {text.data(), text.size()}; }
};

constexpr int rounds = 1000, at_once = 100;

} // namespace

TEST_CASE("repeated creation, use and removal of a hundred thousand machines of two charts allocates nothing") {
    const auto agents = agent_chart<agent>();
    const auto pests = agent_chart<pest>();
    hsm::manager machines;
    agent a;
    pest p;
    const auto round = [&](int first) {
        for (int i = 0; i < at_once; ++i) {
            if (i % 3 == 0)
                machines.create(name_of(first + i), pests, p).start();
            else
                machines.create(name_of(first + i), agents, a, {.posted_queue = 4}).start("idle");
        }
        machines.update(0.016f, 0.02f);
        machines.broadcast(test::push{});
        for (const auto m : machines.all<pest>()) machines.remove(m);
        for (int i = at_once; i-- > 0;)
            if (i % 3 != 0 && i % 2 == 0) machines.remove(name_of(first + i));
        machines.shutdown();
    };
    round(0);
    const auto before = allocations.load();
    for (int i = 1; i <= rounds; ++i) round(i * at_once);
    CHECK(allocations == before);
    CHECK(a.enters + p.enters == (rounds + 1) * at_once);
    CHECK(a.updates + p.updates == (rounds + 1) * at_once);
    CHECK(a.exits + p.exits == (rounds + 1) * at_once);
    CHECK(a.destroyed + p.destroyed == (rounds + 1) * at_once);
    CHECK(machines.count() == 0);
}

TEST_CASE("machines that remove themselves and each other in an update allocate nothing") {
    struct mortal {
        hsm::manager* machines;
        int* alive;
        int next = 0;
    };
    hsm::manager machines;
    int alive = 0;
    mortal m{&machines, &alive};
    auto root = hsm::make_fsm<mortal>("R");
    root->add("A").on_enter([](mortal& c) { ++*c.alive; }).on_exit([](mortal& c) { --*c.alive; }).on_update([](mortal& c) {
        c.machines->remove(name_of(c.next)); // removes the oldest; in an update, the first machine removes itself
        ++c.next;
    });
    const auto chart = hsm::compile(std::move(root));
    int born = 0;
    const auto round = [&] {
        while (alive < at_once) machines.create(name_of(born++), chart, m).start();
        while (machines.count() > 0) machines.update();
    };
    round();
    const auto before = allocations.load();
    for (int i = 0; i < rounds; ++i) round();
    CHECK(allocations == before);
    CHECK(alive == 0);
    CHECK(born == (rounds + 1) * at_once);
    CHECK(m.next == born);
}

TEST_CASE("a machine is one allocation besides its place in the tables; trim releases both") {
    const auto chart = agent_chart<agent>();
    hsm::manager machines;
    agent a;
    machines.create("one", chart, a);
    machines.create("two", chart, a);
    machines.remove("two");
    auto before = allocations.load();
    machines.create("three", chart, a); // in the slot of two
    CHECK(allocations == before);
    machines.shutdown();
    machines.trim();
    before = allocations.load();
    machines.create("one", chart, a);
    CHECK(allocations > before);
}

TEST_CASE("a create without memory changes nothing") {
    const auto chart = agent_chart<agent>();
    hsm::manager machines;
    agent a;
    const std::string_view long_name = "a name that does not fit into a string itself";
    int failures = 0;
    for (std::size_t memory = 0;; ++memory) {
        bool failed = false;
        allowed = memory;
        try {
            machines.create(long_name, chart, a);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allowed = std::size_t(-1);
        if (!failed) break;
        ++failures;
        CHECK(machines.count() == 0);
        CHECK(machines.count<agent>() == 0);
        CHECK_FALSE(machines.has(long_name));
        machines.update();
        for (const auto m : machines.all()) FAIL(m.name());
        if (memory % 2 == 1) machines.trim(); // otherwise the allocated memory is used next time
    }
    CHECK(failures > 4);
    machines.get<agent>().start();
    machines.shutdown();
    CHECK(a.enters == 1);
    CHECK(a.destroyed == 1);
}

TEST_CASE("a machine without memory for its mailbox is not created") {
    const auto chart = agent_chart<agent>();
    agent a;
    for (std::size_t memory = 0;; ++memory) {
        hsm::manager machines;
        bool failed = false;
        allowed = memory;
        try {
            machines.create("a", chart, a, {.mailbox = 4});
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allowed = std::size_t(-1);
        if (!failed) break;
        CHECK_FALSE(machines.has("a"));
        machines.update();
        machines.create("a", chart, a, {.mailbox = 4}).start();
        machines.shutdown();
        CHECK(a.destroyed == static_cast<int>(memory + 1));
    }
    CHECK(a.enters > 4);
}

TEST_CASE("later calls use the memory that a failed call allocated") {
    const auto chart = agent_chart<agent>();
    agent a;
    const std::string_view long_name = "a name that does not fit into a string itself";
    auto before = allocations.load();
    hsm::manager one;
    one.create(long_name, chart, a);
    const auto needed = allocations - before;
    before = allocations.load();
    hsm::manager other;
    allowed = needed - 1 - (allocations - before); // all allocations except the last, which is for the table of names
    CHECK_THROWS_AS(other.create(long_name, chart, a), std::bad_alloc);
    allowed = std::size_t(-1);
    before = allocations.load();
    other.create(long_name, chart, a);
    CHECK(allocations - before <= 2);
}
