// Locals: each entry copies the prototype, and each copy is destroyed exactly once.

#include <hsm/chart/detail/chart_core.hpp>

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace test;

namespace {

/// Counts the objects of its kind that are alive.
struct counted {
    explicit counted(int number = 0) : value(number) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
    int value;
    static inline int alive = 0;
};

struct alignas(64) wide {
    std::array<char, 3> data{'a', 'b', 'c'};
};

struct char_box {
    char letter = 'x';
};

struct combo {
    int count = 0;
    std::string name = "a combo whose name is long enough for the heap";
    std::vector<int> hits{1, 2, 3};
};

} // namespace

TEST_CASE("a prototype is constructed with braces from zero or more arguments") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").local<combo>(4, "short");
    auto& b = root->add("B").local<combo>();
    auto& c = root->add("C").local<combo>(combo{7, "given", {}});
    CHECK(a.locals().size() == 1);
    const auto prototype = [](const hsm::state_base& s) { return static_cast<const combo*>(s.locals()[0].object()); };
    CHECK(&a.locals()[0].type() == &hsm::detail::local_type_of<combo>);
    CHECK(a.locals()[0].type().size == sizeof(combo));
    CHECK(prototype(a)->count == 4);
    CHECK(prototype(a)->name == "short");
    CHECK(prototype(a)->hits.size() == 3);
    CHECK(prototype(b)->count == 0);
    CHECK(prototype(c)->name == "given");
}

TEST_CASE("each entry of a state copies its locals from their prototypes") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add<combo>("A", 1);
    a.on_enter([](recorder& r, combo& c) { r.note(std::to_string(++c.count) + " of " + std::to_string(c.hits.size())); });
    a.on_exit([](recorder& r, combo& c) { r.note(std::to_string(++c.count)); });
    a.to(a);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    agent.tick();
    CHECK(r.take() == "2 of 3, 3, 2 of 3, 3, 2 of 3");
}

TEST_CASE("each instance has its own locals, and the prototype never changes") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add<combo>("A", 1);
    a.on_update([](recorder&, combo& c) { c.count *= 10; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance first{chart, r}, second{chart, r};
    first.start();
    second.start();
    first.tick();
    first.tick();
    second.tick();
    CHECK(first.local<combo>()->count == 100);
    CHECK(second.local<combo>()->count == 10);
    CHECK(static_cast<const combo*>(a.locals()[0].object())->count == 1);
}

TEST_CASE("locals are destroyed exactly once: on exit, on stop, and with an instance that is still active") {
    CHECK(counted::alive == 0);
    {
        auto root = hsm::make_fsm<recorder>("R");
        root->local<counted>(1);
        auto& a = root->add<counted>("A", 2);
        auto& b = root->add("B");
        a.to(b);
        const auto chart = hsm::compile(std::move(root));
        CHECK(counted::alive == 2); // the prototypes
        recorder r;
        {
            hsm::instance agent{chart, r};
            CHECK(counted::alive == 2);
            agent.start();
            CHECK(counted::alive == 4);
            agent.tick();
            CHECK(counted::alive == 3);
            agent.stop();
            CHECK(counted::alive == 2);
            agent.start();
            CHECK(counted::alive == 4);
        }
        CHECK(counted::alive == 2);
    }
    CHECK(counted::alive == 0);
}

TEST_CASE("a definition that is not compiled, or has errors, destroys its prototypes") {
    {
        auto root = hsm::make_fsm<recorder>("R");
        root->add<counted>("A");
        CHECK(counted::alive == 1);
    }
    CHECK(counted::alive == 0);
    auto root = hsm::make_fsm<recorder>("R");
    root->add<counted>("A").to("nowhere");
    CHECK_FALSE(hsm::try_compile(std::move(root)));
    CHECK(counted::alive == 0);
}

TEST_CASE("a hook finds the nearest local of a type, from its state outwards") {
    CHECK(life_of([](auto& root) {
              const auto note_value = [](recorder& r, const counted& c) { r.note(std::to_string(c.value)); };
              root.template local<counted>(1).on_enter(note_value);
              auto& m = root.add_fsm("M").template local<counted>(2).on_enter(note_value);
              m.add("A").template local<counted>(3).on_enter(note_value);
          }) == "1, 2, 3");
    CHECK(life_of([](auto& root) {
              root.template local<counted>(1);
              root.add_fsm("M").add("A").on_enter([](recorder& r, counted& c) { r.note(std::to_string(c.value)); });
          }) == "1");
}

TEST_CASE("an action finds the locals of states that stay active") {
    CHECK(life_of([](auto& root) {
              root.template local<counted>(1);
              auto& a = root.template add<counted>("A", 2);
              a.to(root.add("B")).then([](recorder& r, counted& c) { r.note(std::to_string(c.value)); });
          }) == "1");
}

TEST_CASE("locals can have any size and alignment") {
    struct tag {};
    CHECK(life_of([](auto& root) {
              root.template local<counted>(1).template local<wide>().template local<tag>();
              auto& m = root.add_fsm("M").template local<combo>().template local<char_box>();
              m.add("A").template local<wide>().on_enter([](recorder& r, wide& w, tag&, combo& c, counted& n, char_box& b) {
                  CHECK(reinterpret_cast<std::uintptr_t>(&w) % 64 == 0);
                  r.note(std::string(w.data.begin(), w.data.end()) + std::to_string(n.value) + c.name.substr(0, 7) + b.letter);
              });
          }) == "abc1a combox");
}

TEST_CASE("a local must be copyable, but not movable or assignable") {
    struct still {
        explicit still(int n) : number(n) {}
        still(const still&) = default;
        still& operator=(const still&) = delete;
        const int number;
    };
    CHECK(life_of([](auto& root) {
              root.template add<still>("A", 4).on_enter([](recorder& r, const still& s) { r.note(std::to_string(s.number)); });
          }) == "4");
}

TEST_CASE("states that exclude each other share memory for their locals") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add<combo>("A").to("B");
    root->add<combo>("B");
    root->add_fsm("M").local<combo>().add<combo>("C");
    const auto chart = hsm::compile(std::move(root));
    CHECK(chart.core().block_size == 2 * sizeof(combo));
}
