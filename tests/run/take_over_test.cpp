#include <hsm/run/instance.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/define/fsm.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;
using hsm::result;

namespace {

struct knight {
    std::string trace;
};

struct hit {};

/// Counts its objects. Copying it can fail, and so can moving it.
struct fragile {
    static inline int alive = 0;
    static inline bool fails = false;
    explicit fragile(int v) : value(v) { ++alive; }
    fragile(const fragile& other) : value(other.value) {
        if (fails) throw std::runtime_error("copy");
        ++alive;
    }
    ~fragile() { --alive; }
    int value;
};

struct text_of_mine {
    std::string text;
};

/// Two states with locals, a timer, a condition and history.
auto make_chart() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& field = root->add_fsm("field").remembers();
    auto& walk = field.add<text_of_mine>("walk", "a text that does not fit into the string itself");
    auto& rest = field.add<fragile>("rest", 7);
    rest.on_enter([](knight& k) { k.trace += "rest "; }).on_exit([](knight& k, const fragile& f) {
        k.trace += "up" + std::to_string(f.value) + " ";
    });
    walk.on_exit([](knight& k, const text_of_mine& t) { k.trace += t.text.substr(0, 6) + " "; });
    auto& camp = root->add("camp");
    walk.to(rest).when("IsTired");
    rest.to(walk).after(100ms);
    field.to(camp).on<hit>();
    camp.to(field).on<hit>();
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("take_over continues in the state of the other instance") {
    const auto chart = make_chart();
    knight anna, bert;
    hsm::instance a(chart, anna), b(chart, bert);
    a.start();
    a.set("IsTired");
    a.tick(10ms);
    a.tick(60ms);
    REQUIRE(a.current().path() == "knight/field/rest");
    CHECK(fragile::alive == 2); // with the prototype
    b.tick(5ms);

    CHECK(b.take_over(a) == result::taken);
    CHECK(fragile::alive == 2);
    CHECK_FALSE(a.active());
    CHECK_FALSE(a.get("IsTired"));
    CHECK(b.current().path() == "knight/field/rest");
    CHECK(b.get("IsTired"));
    CHECK(b.time_in_state() == hsm::time_span(60ms));
    CHECK(b.local<fragile>()->value == 7);
    CHECK(bert.trace.empty());
    b.clear("IsTired");
    b.tick(39ms);
    CHECK(b.current().name() == "rest");
    b.tick(1ms);
    CHECK(b.current().name() == "walk");
    CHECK(bert.trace == "up7 ");

    b.process(hit{});
    CHECK(bert.trace == "up7 a text ");
    CHECK(a.take_over(b) == result::taken); // the record, too
    a.process(hit{});
    CHECK(a.current().name() == "walk");
    CHECK(b.start() == result::taken);
    CHECK(b.current().name() == "walk");
}

TEST_CASE("a refused take_over changes nothing") {
    const auto chart = make_chart();
    const auto other_chart = make_chart();
    knight anna, bert;
    hsm::instance a(chart, anna), b(chart, bert), stranger(other_chart, bert);
    a.start();
    CHECK(stranger.take_over(a) == result::refused);
    CHECK(a.take_over(a) == result::busy);
    b.start();
    CHECK(b.take_over(a) == result::busy);
    b.stop();
    a.post(hit{});
    CHECK(b.take_over(a) == result::refused);
    a.drain();
    CHECK(a.current().name() == "camp");
    a.process(hit{});
    a.set("IsTired");
    a.tick();
    fragile::fails = true;
    CHECK_THROWS_WITH(b.take_over(a), "copy");
    fragile::fails = false;
    CHECK(a.current().name() == "rest");
    CHECK(a.local<fragile>()->value == 7);
    CHECK_FALSE(b.active());
    CHECK(fragile::alive == 3); // two prototypes
    CHECK(b.take_over(a) == result::taken);
    hsm::instance slow(chart, anna, {.internal_queue = 0, .posted_queue = 0});
    b.set_time_scale(0.5);
    CHECK(slow.take_over(b) == result::full);
    CHECK(a.take_over(b) == result::taken);
    CHECK(a.time_scale() == 0.5);
    CHECK(b.time_scale() == 1.0);
}
