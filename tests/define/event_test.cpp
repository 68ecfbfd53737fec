// Events: objects with a payload, enumerators and names. How they are distinguished and stored.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using namespace test;

namespace {

namespace game {
struct hit {
    int damage = 0;
};
} // namespace game

enum class input : std::uint8_t { jump, duck, last = 255 };
enum class deep : std::int64_t { below = -5'000'000'000, above = 5'000'000'000 };
enum old_style { old_zero, old_one };

struct message {
    std::string text;
    operator std::string_view() const { return text; } // reads as a name
};

struct counted {
    explicit counted(int n) : value(n) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive, ++copies; }
    counted(counted&& other) noexcept : value(other.value) { ++alive, ++moves; }
    ~counted() { --alive; }
    int value;
    static inline int alive = 0, copies = 0, moves = 0;
};

struct parcel {
    std::unique_ptr<int> content;
};

} // namespace

TEST_CASE("classes and enumerations are events; a class that converts to a string is a name") {
    static_assert(hsm::event_object<game::hit> && hsm::event_object<const game::hit&> && hsm::event_object<input>);
    static_assert(hsm::event_object<old_style> && hsm::event_object<parcel&&>);
    static_assert(!hsm::event_object<const char*> && !hsm::event_object<std::string> && !hsm::event_object<message>);
    static_assert(!hsm::event_object<int> && !hsm::event_object<char[4]>);
}

TEST_CASE("events are distinguished by type, by value, and by name") {
    using namespace hsm::detail;
    CHECK(key_of_type<game::hit>() == key_of_type<game::hit>());
    CHECK_FALSE(key_of_type<game::hit>() == key_of_type<parcel>());
    CHECK(key_of_value(input::jump) == key_of_value(input::jump));
    CHECK_FALSE(key_of_value(input::jump) == key_of_value(input::duck));
    CHECK_FALSE(key_of_value(input::jump) == key_of_value(old_zero));
    CHECK(key_of_name("jump") == key_of_name(std::string("jump")));
    CHECK_FALSE(key_of_name("jump") == key_of_name("Jump"));
    CHECK_FALSE(key_of_name("input(0)") == key_of_value(input::jump));
}

TEST_CASE("a hook can take a named event and read its name, whether it is processed or queued") {
    std::vector<std::string> taken;
    const auto take = [&](const hsm::named_event& e) { taken.emplace_back(e.name()); };
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on("at once").when([](const recorder&, const hsm::named_event&) { return true; }).then([take](recorder&, const hsm::named_event& e) {
        take(e);
    });
    a.on("generic").when([](const auto&, const auto&) { return true; }).then([take](auto&, const hsm::named_event& e) { take(e); });
    a.on("by value").then([take](recorder&, hsm::named_event e) { take(e); });
    a.on("ask").then([take](recorder& r, hsm::step<recorder>& s) {
        if (const auto* e = s.event<hsm::named_event>()) take(*e);
        r.note(s.event_name());
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    for (const auto* name : {"at once", "generic", "by value", "ask"}) {
        CHECK(agent.process(name) == hsm::result::internal);
        CHECK(agent.post(name) == hsm::result::queued);
        agent.drain();
    }
    CHECK(taken == std::vector<std::string>{"at once", "at once", "generic", "generic", "by value", "by value", "ask", "ask"});
    CHECK(r.take() == "ask, ask");
}

TEST_CASE("event keys have readable names") {
    using namespace hsm::detail;
    CHECK(key_of_type<game::hit>().name == "hit");
    CHECK(key_of_value(input::duck).name == "duck");
    CHECK(key_of_value(input::last).name == "input(255)");
    CHECK(key_of_value(deep::below).name == "deep(-5000000000)");
    CHECK(key_of_name("jump").name == "jump");
    CHECK_FALSE(hsm::event_key{});
    CHECK(key_of_type<game::hit>());
}

TEST_CASE("a machine handles events in each form that its transitions wait for") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<game::hit>().then([](recorder& r, const game::hit& h) { r.note("hit " + std::to_string(h.damage)); });
    a.on<input::jump>().then(tracing("jump"));
    a.on(input::duck).then(tracing("duck"));
    a.on(deep::below).then([](recorder& r, deep d) { r.note(std::to_string(std::int64_t(d))); });
    a.on(old_one).then(tracing("old"));
    a.on("duck").then(tracing("name"));
    a.on("a longer name, with spaces").then(tracing("longer name"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process(game::hit{3}) == hsm::result::internal);
    CHECK(agent.process(input::jump) == hsm::result::internal);
    CHECK(agent.process(input::duck) == hsm::result::internal);
    CHECK(agent.process(deep::below) == hsm::result::internal);
    CHECK(agent.process(old_one) == hsm::result::internal);
    CHECK(agent.process("duck") == hsm::result::internal);
    CHECK(agent.process(std::string("a longer name, with spaces")) == hsm::result::internal);
    CHECK(agent.process(message{"duck"}) == hsm::result::internal);
    CHECK(r.take() == "hit 3, jump, duck, -5000000000, old, name, longer name, name");
    CHECK(agent.process(input::last) == hsm::result::unhandled);
    CHECK(agent.process(deep::above) == hsm::result::unhandled);
    CHECK(agent.process(old_zero) == hsm::result::unhandled);
    CHECK(agent.process("Duck") == hsm::result::unhandled);
    CHECK(agent.process("") == hsm::result::unhandled);
    CHECK(agent.process(parcel{}) == hsm::result::unhandled);
}

TEST_CASE("process neither copies nor moves an event; post copies or moves it once") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<counted>().then([](recorder& r, const counted& c) { r.note(std::to_string(c.value)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    counted::copies = counted::moves = 0;
    const counted one(1);
    counted two(2);
    agent.process(one);
    agent.process(counted(5));
    CHECK(counted::copies + counted::moves == 0);
    agent.post(one);
    CHECK(counted::copies == 1);
    agent.post(two);
    CHECK(counted::copies == 2);
    agent.post(std::move(two));
    agent.post(counted(3));
    CHECK(counted::moves == 2);
    CHECK(counted::alive == 6);
    agent.drain();
    CHECK(counted::alive == 2);
    CHECK(counted::copies == 2);
    CHECK(counted::moves == 2);
    CHECK(r.take() == "1, 5, 1, 2, 2, 3");
}

TEST_CASE("a move-only event can be posted, and reaches the hook") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<parcel>().then([](recorder& r, const parcel& p) { r.note(std::to_string(*p.content)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process(parcel{std::make_unique<int>(1)});
    agent.post(parcel{std::make_unique<int>(2)});
    parcel third{std::make_unique<int>(3)};
    agent.post(std::move(third));
    agent.tick();
    CHECK(r.take() == "1, 2, 3");
}

TEST_CASE("a hook can take a named event as hsm::named_event or with a generic parameter") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on("wave").then([](recorder& r, const hsm::named_event&) { r.note("named"); });
    a.on("bow").then([](auto& r, const auto&) { r.note("generic"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process("wave");
    agent.process("bow");
    agent.post("wave");
    agent.post("bow");
    agent.tick();
    CHECK(r.take() == "named, generic, named, generic");
}

TEST_CASE("post copies the name of an event") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on("a name that is long enough for the heap").then([](recorder& r, hsm::step<recorder>& s) { r.note(s.event_name()); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    {
        std::string name = "a name that is long enough for the heap";
        CHECK(agent.post(name) == hsm::result::queued);
        name.assign(name.size(), '-');
    }
    agent.tick();
    CHECK(r.take() == "a name that is long enough for the heap");
}
