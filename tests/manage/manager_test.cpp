// Machines by name: created, found, counted, updated, notified, removed.

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

using namespace test;
using namespace std::chrono_literals;

TEST_CASE("a machine is found by its name until it is removed") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    CHECK_FALSE(machines.has("front"));
    const auto front = machines.create("front", chart, r);
    CHECK(front);
    CHECK(front.name() == "front");
    CHECK(&front.context() == &r);
    CHECK_FALSE(front.running());
    CHECK(machines.has("front"));
    CHECK(machines.get("front") == front);
    CHECK(machines.get<recorder>("front") == front);
    CHECK(machines.find("front") == front);
    CHECK(machines.count() == 1);
    CHECK(machines.remove("front"));
    CHECK_FALSE(machines.has("front"));
    CHECK_FALSE(machines.find("front"));
    CHECK(machines.count() == 0);
    CHECK_FALSE(machines.remove("front"));
}

TEST_CASE("hooks run in the order on_init, enter, update, exit, on_destroy") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    const auto front = machines.create("front", chart, r);
    machines.update(16ms);
    CHECK(r.take() == "");
    front.start();
    CHECK(r.take() == "I closed, E closed");
    CHECK(front.running());
    machines.update(16ms);
    CHECK(r.take() == "U closed");
    CHECK(front.stop() == hsm::result::taken);
    CHECK(r.take() == "X closed");
    machines.update(16ms);
    CHECK(r.take() == "");
    front.start();
    CHECK(r.take() == "E closed");
    machines.remove("front");
    CHECK(r.take() == "X closed, D closed");
}

TEST_CASE("a machine that was never started is removed without hooks") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    machines.create("front", chart, r);
    machines.remove("front");
    CHECK(r.take() == "");
}

TEST_CASE("a manager holds machines over different contexts, and finds them by name and type") {
    struct lamp : recorder {};
    const auto doors = door_chart();
    const auto lamps = traced_chart<lamp>("lamp", {"off", "on"});
    hsm::manager machines;
    recorder front, back;
    lamp desk;
    machines.create("desk", lamps, desk);
    CHECK(machines.get<lamp>().name() == "desk");
    CHECK_FALSE(machines.has<recorder>());
    machines.create("front", doors, front);
    CHECK(machines.get<recorder>().name() == "front");
    machines.create("back", doors, back);
    CHECK(machines.count() == 3);
    CHECK(machines.count<recorder>() == 2);
    CHECK(machines.count<lamp>() == 1);
    CHECK(machines.has<recorder>("back"));
    CHECK_FALSE(machines.has<lamp>("back"));
    CHECK_FALSE(machines.find<lamp>("back"));
    CHECK(machines.find<lamp>("desk"));
    CHECK(names(machines.all()) == "desk, front, back");
    CHECK(names(machines.all<recorder>()) == "front, back");
    machines.remove("front");
    CHECK(&machines.get<recorder>().context() == &back);
}

TEST_CASE("a refused create reports the reason, and changes nothing") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r, other;
    machines.create("front", chart, r);
    CHECK(error_text([&] { machines.create("front", chart, other); }) ==
          "HSM-211 error at front: a machine \"front\" already exists; hint: remove that machine first, or choose another name");
    CHECK(error_text([&] { machines.create("", chart, other); }) ==
          "HSM-210 error at (no name): the name of the machine is empty; hint: pass a name");
    CHECK(machines.count() == 1);
    CHECK(&machines.get<recorder>("front").context() == &r);
}

TEST_CASE("an unknown name is not found, and the message suggests a similar one") {
    struct lamp : recorder {};
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    CHECK(error_text([&] { machines.get("front"); }) ==
          "HSM-212 error at front: there is no machine \"front\"; hint: create the machine first; the manager has no machines");
    CHECK(error_text([&] { machines.get<recorder>(); }) ==
          "HSM-212 error at (no name): no machine has a context of type \"test::recorder\"; hint: create it first; check with has()");
    machines.create("front", chart, r);
    CHECK(error_text([&] { machines.get("fronte"); }) == "HSM-212 error at fronte: there is no machine \"fronte\"; hint: did you mean \"front\"?");
    CHECK(error_text([&] { machines.get("garage"); }) == "HSM-212 error at garage: there is no machine \"garage\"; hint: known names: \"front\"");
    machines.create("back", chart, r);
    CHECK(error_text([&] { machines.get<recorder>(); }) ==
          "HSM-214 error at (no name): 2 machines have a context of type \"test::recorder\"; hint: pass the name of the machine");
    const auto wrong = error_text([&] { machines.get<lamp>("back"); });
    CHECK(wrong.starts_with("HSM-213 error at back: the context of the machine is a \"test::recorder\", not a \""));
    CHECK(wrong.ends_with("hint: get<test::recorder>(\"back\")"));
}

TEST_CASE("a message about an unknown name lists no names if there are many machines") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    for (int i = 0; i < 20; ++i) machines.create("enemy " + std::to_string(i), chart, r);
    CHECK(error_text([&] { machines.get("a door"); }) ==
          "HSM-212 error at a door: there is no machine \"a door\"; hint: none of the 20 machines has a similar name; "
          "list them with all()");
    CHECK(error_text([&] { machines.get("enemy 7x"); }).ends_with("did you mean \"enemy 7\"?"));
}

TEST_CASE("an update ticks the running machines in the order of creation") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    named_context a{"a", r}, b{"b", r}, c{"c", r};
    const auto named = named_chart();
    machines.create("a", named, a).start();
    machines.create("b", named, b);
    machines.create("c", named, c).start();
    r.take();
    CHECK(machines.update(16ms) == hsm::result::unhandled);
    CHECK(r.take() == "U a, U c");
    machines.get("b").start();
    r.take();
    machines.remove("a");
    r.take();
    machines.update(16ms);
    CHECK(r.take() == "U b, U c");
    machines.create("a", named, a).start();
    r.take();
    machines.update(16ms);
    CHECK(r.take() == "U b, U c, U a");
    b.go = true;
    CHECK(machines.update(16ms) == hsm::result::taken);
    CHECK(r.take() == "X b, U c, U a");
}

TEST_CASE("machines use game time, or real time on request") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    const auto game = machines.create("game", chart, r);
    const auto menu = machines.create("menu", chart, r);
    CHECK_FALSE(menu.uses_real_time());
    menu.use_real_time();
    CHECK(menu.uses_real_time());
    game.start();
    menu.start();
    machines.update(8ms, 16ms); // slow motion
    CHECK(game->now() == hsm::time_span(8ms));
    CHECK(menu->now() == hsm::time_span(16ms));
    CHECK(machines.elapsed() == hsm::time_span(8ms));
    CHECK(machines.real_elapsed() == hsm::time_span(16ms));
    machines.update(0.5f); // one time for both
    CHECK(menu->now() == hsm::time_span(516ms));
    CHECK(game->now() == hsm::time_span(508ms));
    CHECK(machines.real_elapsed() == hsm::time_span(500ms));
    menu.use_real_time(false);
    machines.update(hsm::time_span(1ms), 1.0);
    CHECK(menu->now() == hsm::time_span(517ms));
    CHECK(machines.update(-1ms) == hsm::result::refused);
    CHECK(machines.update(1ms, -1ms) == hsm::result::refused);
    CHECK(machines.elapsed() == hsm::time_span(1ms));
    CHECK(game->now() == hsm::time_span(509ms));
}

TEST_CASE("a hook can query both times of its update") {
    struct slowed : recorder {
        hsm::manager machines;
        hsm::time_span game, real;
    };
    auto root = hsm::make_fsm<slowed>("R");
    root->add("A").on_update([](slowed& s, hsm::time_span elapsed) {
        s.game = elapsed;
        s.real = s.machines.real_elapsed();
    });
    slowed s;
    s.machines.create("it", hsm::compile(std::move(root)), s).start();
    s.machines.update(2ms, 20ms);
    CHECK(s.game == hsm::time_span(2ms));
    CHECK(s.real == hsm::time_span(20ms));
}

TEST_CASE("a broadcast reaches all running machines in order, and counts the results") {
    hsm::manager machines;
    recorder r;
    named_context a{"a", r}, b{"b", r}, c{"c", r}, d{"d", r};
    const auto chart = named_chart();
    for (auto* each : {&a, &b, &c, &d}) machines.create(each->name, chart, *each);
    for (const auto* name : {"a", "b", "d"}) machines.get(name).start();
    d.ready = true;
    r.take();
    const auto pushed = machines.broadcast(push{});
    CHECK(r.take() == "X a, X b");
    CHECK(pushed[hsm::result::taken] == 2);
    CHECK(pushed[hsm::result::guarded] == 1);
    CHECK(pushed[hsm::result::inactive] == 0); // c gets no event
    CHECK(pushed.accepted() == 2);
    const auto named = machines.broadcast("ring");
    CHECK(r.take() == "ring d");
    CHECK(named[hsm::result::internal] == 1);
    CHECK(named[hsm::result::unhandled] == 2);
    CHECK(named.accepted() == 1);
    CHECK(machines.broadcast(event<9>{})[hsm::result::unhandled] == 3);
}

TEST_CASE("a hook that throws in an update or a broadcast affects no other machine; the first exception propagates") {
    hsm::manager machines;
    recorder r;
    named_context a{"a", r}, b{"b", r}, c{"c", r};
    const auto chart = named_chart();
    for (auto* each : {&a, &b, &c}) machines.create(each->name, chart, *each).start();
    r.take();
    a.throws = b.throws = c.ready = true;
    CHECK(error_text([&] { machines.update(16ms); }) == "a throws");
    CHECK(r.take() == "U a, U b, U c");
    CHECK(error_text([&] { machines.broadcast("ring"); }) == "a throws");
    CHECK(r.take() == "ring a, ring b, ring c");
    a.throws = b.throws = false;
    machines.update(16ms);
    CHECK(r.take() == "U a, U b, U c");
}

TEST_CASE("shutdown removes all machines in reverse order of creation, and the manager can be used again") {
    hsm::manager machines;
    recorder r;
    named_context a{"a", r}, b{"b", r}, c{"c", r};
    const auto chart = named_chart();
    for (auto* each : {&a, &b, &c}) machines.create(each->name, chart, *each);
    machines.get("a").start();
    machines.get("c").start();
    r.take();
    a.throws_exit = c.throws_exit = true;
    CHECK(error_text([&] { machines.shutdown(); }) == "c throws");
    CHECK(r.take() == "X c, X a");
    CHECK(machines.count() == 0);
    CHECK(machines.count<named_context>() == 0);
    a.throws_exit = false;
    machines.create("a", chart, a).start();
    CHECK(machines.count() == 1);
    machines.shutdown();
    machines.shutdown();
    CHECK(machines.count() == 0);
}

TEST_CASE("the destructor of a manager runs no hooks, but destroys the machines") {
    struct counted {
        int* alive;
        explicit counted(int* count) : alive(count) { ++*alive; }
        counted(const counted& other) : alive(other.alive) { ++*alive; }
        counted& operator=(const counted&) = delete;
        ~counted() { --*alive; }
    };
    int alive = 0;
    recorder r;
    auto root = hsm::make_fsm<recorder>("R");
    traced(root->add<counted>("A", &alive));
    {
        const auto chart = hsm::compile(std::move(root));
        hsm::manager machines;
        machines.create("one", chart, r).start();
        machines.create("two", chart, r).start();
        machines.create("three", chart, r);
        CHECK(alive == 3); // the prototype, and two
        r.take();
    }
    CHECK(alive == 0);
    CHECK(r.take() == "");
}

TEST_CASE("a manager keeps the charts of its machines alive until trim") {
    hsm::manager machines;
    recorder r;
    int alive = 0;
    struct token {
        int* count;
        explicit token(int* c) : count(c) { ++*count; }
        token(const token& other) : count(other.count) { ++*count; }
        token& operator=(const token&) = delete;
        ~token() { --*count; }
    };
    {
        auto root = hsm::make_fsm<recorder>("R");
        traced(root->add("A")).on_enter([kept = token(&alive)](recorder& c) { c.note(kept.count ? "kept" : ""); });
        const auto chart = hsm::compile(std::move(root));
        machines.create("one", chart, r);
        machines.create("two", hsm::chart<recorder>(chart), r);
    }
    CHECK(alive == 1);
    machines.get("two").start();
    CHECK(r.take() == "E A, kept");
    machines.remove("two");
    machines.trim();
    CHECK(alive == 1); // one is still there
    machines.get("one").start();
    machines.remove("one");
    CHECK(alive == 1);
    machines.trim();
    CHECK(alive == 0);
    machines.trim();
    machines.create("one", door_chart(), r).start(); // works as for a new manager
    CHECK(machines.get("one").running());
}

TEST_CASE("a manager can be moved, and its handles stay valid") {
    const auto chart = door_chart();
    recorder r;
    hsm::manager first;
    const auto front = first.create("front", chart, r);
    hsm::manager second(std::move(first));
    CHECK(second.get("front") == front);
    front.start();
    CHECK(front->current().path() == "door/closed");
    hsm::manager third;
    third.create("gone", chart, r);
    third = std::move(second);
    CHECK_FALSE(third.has("gone"));
    CHECK(third.get("front") == front);
}

TEST_CASE("machines of one chart can have different options") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    const auto small = machines.create("small", chart, r, {.internal_queue = 0, .posted_queue = 0});
    const auto large = machines.create("large", chart, r, {.posted_queue = 2});
    small.start();
    large.start();
    CHECK(small->post(push{}) == hsm::result::full);
    CHECK(large->post(push{}) == hsm::result::queued);
    CHECK(large->post(push{}) == hsm::result::queued);
    CHECK(large->post(push{}) == hsm::result::full);
    machines.remove("small");
    CHECK(machines.create("again", chart, r, {.posted_queue = 3})->queued() == 0);
}

TEST_CASE("a manager counts the posted events that found no room, including those of removed machines") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    const auto first = machines.create("first", chart, r, {.posted_queue = 2}), second = machines.create("second", chart, r);
    first.start();
    second.start();
    for (int i = 0; i < 20; ++i) first->post(push{}), second->post(push{});
    CHECK(first->lost() == 18);
    CHECK(second->lost() == 4);
    CHECK(machines.lost() == 22);
    machines.remove("first");
    CHECK(machines.lost() == 22);
    CHECK(machines.create("first", chart, r, {.posted_queue = 2})->lost() == 0);
    machines.shutdown();
    CHECK(machines.lost() == 22);
}

TEST_CASE("names can be long, contain any characters, and be passed as a view of another machine's name") {
    const auto chart = door_chart();
    hsm::manager machines;
    recorder r;
    const std::string name(1000, 'x');
    const auto first = machines.create(name, chart, r);
    CHECK(machines.get(name) == first);
    const auto second = machines.create(first.name().substr(1), chart, r);
    CHECK(second.name().size() == 999);
    CHECK(machines.create("enemies/12: Größe 3", chart, r).name() == "enemies/12: Größe 3");
    machines.remove(first.name());
    CHECK_FALSE(machines.has(name));
    CHECK(machines.has(name.substr(1)));
}

TEST_CASE("each machine of a manager draws other numbers, and so does the next machine with its name") {
    auto root = root_of();
    root->choose(hsm::random);
    for (const auto* name : {"a", "b", "c", "d"}) root->dispatch(root->add(name));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    const auto choices = [&] {
        hsm::manager machines;
        std::string all;
        for (int i = 0; i < 20; ++i) {
            auto m = machines.create("m", chart, r);
            m->start();
            all += m->current().name();
            machines.remove("m");
        }
        return all;
    };
    const auto first = choices();
    CHECK(std::string(20, first[0]) != first);
    CHECK(choices() == first);
}
