// Handles: starting, stopping and changing states, and handles of removed machines.

#include <hsm/manage/managed.hpp>
#include <tests/support/machines.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <type_traits>

using namespace test;
using namespace std::chrono_literals;

namespace {

enum class pose { idle, hang };

struct swing {
    int left = 2;
};
struct slash : hsm::state<recorder> {
    slash() : state("slash") {}
    void enter(recorder& r) const { r.note("E slash"); }
};
struct attack : hsm::fsm<recorder> {
    attack() : fsm("attack") {
        add<swing>("aim").on_enter(tracing("E aim"));
        add<slash>();
    }
    void enter(recorder& r) const { r.note("E attack"); }
};

/// hero { idle, attack { aim: swing, slash }, hang }
hsm::chart<recorder> hero_chart() {
    auto root = hsm::make_fsm<recorder>("hero");
    auto& idle = root->add<pose::idle>();
    root->add<attack>();
    root->add<pose::hang>();
    idle.to("hang").on<push>();
    return hsm::compile(std::move(root));
}

struct heroes {
    hsm::chart<recorder> chart = hero_chart();
    hsm::manager machines;
    recorder r;
    hsm::managed<recorder> hero = machines.create("hero", chart, r);

    std::string where() const { return hero->current().path(); }
};

} // namespace

TEST_CASE("a machine starts in its first state, or in a state specified by class, path, enumerator or reference") {
    heroes h;
    SUBCASE("in the first state") {
        h.hero.start();
        CHECK(h.where() == "hero/idle");
    }
    SUBCASE("by the class of a node: a machine makes its entry choice") {
        h.hero.start<attack>();
        CHECK(h.r.take() == "E attack, E aim");
    }
    SUBCASE("by the class of a node inside a machine") {
        h.hero.start<slash>();
        CHECK(h.r.take() == "E attack, E slash");
    }
    SUBCASE("by the class of a local") {
        h.hero.start<swing>();
        CHECK(h.where() == "hero/attack/aim");
        CHECK(h.hero->local<swing>()->left == 2);
    }
    SUBCASE("by path") {
        h.hero.start("attack/slash");
        CHECK(h.where() == "hero/attack/slash");
    }
    SUBCASE("by enumerator") {
        h.hero.start<pose::hang>();
        CHECK(h.where() == "hero/hang");
        h.hero.stop();
        h.hero.start(pose::idle);
        CHECK(h.where() == "hero/idle");
    }
    SUBCASE("by reference") {
        h.hero.start(h.chart.find("hang"));
        CHECK(h.where() == "hero/hang");
    }
}

TEST_CASE("change_to accepts the same keys of states") {
    heroes h;
    h.hero.start();
    CHECK(h.hero.change_state<attack>() == hsm::result::taken);
    CHECK(h.where() == "hero/attack/aim");
    CHECK(h.hero.change_state<slash>() == hsm::result::taken);
    CHECK(h.where() == "hero/attack/slash");
    h.hero.change_state<swing>();
    CHECK(h.where() == "hero/attack/aim");
    h.hero.change_state<pose::hang>();
    CHECK(h.where() == "hero/hang");
    h.hero.change_state("attack/slash");
    CHECK(h.where() == "hero/attack/slash");
    h.hero.change_state(pose::idle);
    CHECK(h.where() == "hero/idle");
    h.hero.stop();
    CHECK(h.hero.change_state<attack>() == hsm::result::inactive);
}

TEST_CASE("a state that the chart does not have is an error, and changes nothing") {
    heroes h;
    struct dance {};
    CHECK(error_text([&] { h.hero.start("attak"); }) ==
          "HSM-202 error at hero: \"attak\" is not a state of this chart; hint: did you mean \"hero/attack\"?");
    CHECK(error_text([&] { h.hero.start<dance>(); }).starts_with("HSM-202 error at hero: \"dance\" is not a state of this chart"));
    CHECK_FALSE(h.hero.running());
    CHECK(h.r.take() == "");
    h.hero.start();
    CHECK(error_text([&] { h.hero.change_state<dance>(); }).starts_with("HSM-202 error at hero: \"dance\" is not a state of this chart"));
    CHECK(h.where() == "hero/idle");
}

TEST_CASE("a start of a running or finished machine is an error; the instance itself returns busy") {
    auto root = hsm::make_fsm<recorder>("door");
    auto& open = root->add("open");
    open.to(root->add_final("shut")).on<push>();
    hsm::manager machines;
    recorder r;
    const auto door = machines.create("front", hsm::compile(std::move(root)), r);
    door.start();
    CHECK(error_text([&] { door.start(); }) == "HSM-216 error at front: the machine is running already, in \"door/open\"; "
                                               "hint: call stop() first, or change_state() to change to another state");
    CHECK(error_text([&] { door.start("shut"); }).starts_with("HSM-216 error at front"));
    CHECK(door->start() == hsm::result::busy);
    door->process(push{});
    CHECK(door->finished());
    CHECK(door.running());
    CHECK(error_text([&] { door.start(); }).starts_with("HSM-216 error at front"));
    door.stop();
    CHECK_FALSE(door.running());
    CHECK(door.stop() == hsm::result::inactive);
    door.start();
    CHECK(door->current().path() == "door/open");
}

TEST_CASE("a machine cannot be started by its own hooks while it starts or ends") {
    struct restless : recorder {
        hsm::managed<restless> self;
        std::string message;
    };
    auto root = hsm::make_fsm<restless>("R");
    root->add("A").on_init([](restless& r) { r.message = error_text([&] { r.self.start(); }); });
    hsm::manager machines;
    restless r;
    r.self = machines.create("it", hsm::compile(std::move(root)), r);
    r.self.start();
    CHECK(r.message == "HSM-216 error at it: the machine is starting or ending; hint: start it when the call in progress is complete");
    CHECK(r.self.running());
}

TEST_CASE("a handle of a removed machine refuses all calls, also when another machine has its place") {
    heroes h;
    h.hero.start();
    h.hero.use_real_time();
    const auto copy = h.hero;
    h.machines.remove(h.hero);
    const std::string gone = "HSM-215 error at (no machine): the machine of this handle has been removed; "
                             "hint: check the handle first: if (hero) hero->process(hit{});";
    const auto again = h.machines.create("hero", h.chart, h.r);
    CHECK(again);
    CHECK_FALSE(again == copy);
    CHECK_FALSE(copy);
    CHECK(error_text([&] { copy.start(); }) == gone);
    CHECK(error_text([&] { copy.start<attack>(); }) == gone);
    CHECK(error_text([&] { copy.stop(); }) == gone);
    CHECK(error_text([&] { copy.change_state<attack>(); }) == gone);
    CHECK(error_text([&] { copy->process(push{}); }) == gone);
    CHECK(error_text([&] { (*copy).tick(); }) == gone);
    CHECK(error_text([&] { (void)copy.name(); }) == gone);
    CHECK(error_text([&] { (void)copy.running(); }) == gone);
    CHECK(error_text([&] { copy.use_real_time(); }) == gone);
    CHECK(error_text([&] { (void)copy.as<recorder>(); }) == gone);
    CHECK_FALSE(h.machines.remove(copy));
    CHECK(h.machines.count() == 1);
    CHECK_FALSE(again.running());
    CHECK_FALSE(again.uses_real_time());
}

TEST_CASE("a call through an empty handle throws") {
    hsm::managed<recorder> none;
    CHECK_FALSE(none);
    CHECK(error_text([&] { none.start(); }).starts_with("HSM-215 error at (no machine): the handle is empty"));
    CHECK(error_text([&] { none->tick(); }).starts_with("HSM-215 error at (no machine): the handle is empty"));
    hsm::manager machines;
    CHECK_FALSE(machines.remove(none));
}

TEST_CASE("a handle belongs to one manager") {
    heroes h;
    hsm::manager other;
    const auto namesake = other.create("hero", h.chart, h.r);
    CHECK_FALSE(namesake == h.hero);
    CHECK_FALSE(other.remove(h.hero));
    CHECK(h.hero);
    CHECK(namesake);
}

TEST_CASE("a handle of a removed machine stays stale after trim") {
    heroes h;
    const auto old = h.hero;
    h.machines.remove("hero");
    h.machines.trim();
    CHECK_FALSE(old);
    const auto first = h.machines.create("first", h.chart, h.r);
    const auto second = h.machines.create("second", h.chart, h.r);
    CHECK(first.name() == "first");
    CHECK(second.name() == "second");
    CHECK_FALSE(old);
}

TEST_CASE("a handle without the context's type supports all other calls") {
    heroes h;
    const hsm::managed_base any = h.hero;
    any.start<attack>();
    CHECK(any->is_in(hsm::state_of<attack>()));
    CHECK(any.is<recorder>());
    CHECK_FALSE(any.is<named_context>());
    CHECK(any.as<recorder>() == h.hero);
    CHECK(error_text([&] { (void)any.as<named_context>(); }) ==
          "HSM-213 error at hero: the context of the machine is a \"test::recorder\", not a \"test::named_context\"; "
          "hint: get<test::recorder>(\"hero\")");
    any->tick(16ms);
    CHECK(any->now() == hsm::time_span(16ms));
    static_assert(std::is_trivially_copyable_v<hsm::managed<recorder>>);
}

TEST_CASE("a start in a region enters the other regions of its parallel") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(root->add("A"));
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    traced(one.add("a"));
    traced(one.add<swing>("b"));
    auto& two = traced(p.add_fsm("2"));
    traced(two.add("c"));
    traced(two.add("d"));
    hsm::manager machines;
    recorder r;
    const auto it = machines.create("it", hsm::compile(std::move(root)), r);
    it.start<swing>();
    CHECK(r.take() == "E P, E 1, E b, E 2, E c");
    CHECK(it->is_in(hsm::state_of<swing>()));
    it.stop();
    r.take();
    it.start("P/2/d");
    CHECK(r.take() == "E P, E 1, E a, E 2, E d");
    it.stop();
    it.start();
    r.take();
    it.change_state<swing>();
    CHECK(r.take() == "X A, E P, E 1, E b, E 2, E c");
    machines.remove(it);
    CHECK(r.take() == "X c, X 2, X b, X 1, X P");
}
