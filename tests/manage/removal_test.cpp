// Hooks that change the manager of their machine: they remove, create, update, broadcast and shut down.

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace test;

namespace {

/// The test sets what it does in its hooks. Its trace goes to all.
struct actor {
    std::string name;
    recorder& all;
    std::function<void()> enter = {}, update = {}, exit = {}, destroy = {}, ring = {};

    void run(std::string_view token, const std::function<void()>& what) {
        all.note(std::string(token) + ' ' + name);
        if (what) what();
    }
};

hsm::chart<actor> actor_chart() {
    auto root = hsm::make_fsm<actor>("R");
    root->on_update([](actor&) {}).on_exit([](actor& a) { a.all.note("X R " + a.name); });
    auto& on = root->add("on")
                   .on_enter([](actor& a) { a.run("E", a.enter); })
                   .on_update([](actor& a) { a.run("U", a.update); })
                   .on_exit([](actor& a) { a.run("X", a.exit); })
                   .on_destroy([](actor& a) { a.run("D", a.destroy); });
    on.on("ring").then([](actor& a) {
        a.run("ring", a.ring);
        a.all.note("rung " + a.name);
    });
    on.on_update([](actor& a) { a.all.note("V " + a.name); }); // runs after the update above
    return hsm::compile(std::move(root));
}

/// Machines "a", "b", "c", started.
struct stage {
    hsm::chart<actor> chart = actor_chart();
    hsm::manager machines;
    recorder all;
    actor a{"a", all}, b{"b", all}, c{"c", all}, d{"d", all};

    stage() {
        for (auto* each : {&a, &b, &c}) machines.create(each->name, chart, *each).start();
        all.take();
    }
    auto removing(std::string name) {
        return [this, name = std::move(name)] { machines.remove(name); };
    }
    std::string update() {
        machines.update();
        return all.take();
    }
};

} // namespace

TEST_CASE("a machine removed in its own update completes it, exits and runs on_destroy before the next one is updated") {
    stage s;
    s.b.update = [&] {
        CHECK(s.machines.remove("b"));
        CHECK_FALSE(s.machines.has("b"));
        CHECK_FALSE(s.machines.remove("b"));
        CHECK(s.machines.count() == 2);
        CHECK(names(s.machines.all()) == "a, c");
    };
    CHECK(s.update() == "U a, V a, U b, V b, X b, X R b, D b, U c, V c");
    s.b.update = nullptr;
    CHECK(s.update() == "U a, V a, U c, V c");
}

TEST_CASE("another machine is removed immediately, and not updated again") {
    stage s;
    SUBCASE("a machine that would be updated later") {
        s.a.update = s.removing("b");
        CHECK(s.update() == "U a, X b, X R b, D b, V a, U c, V c");
    }
    SUBCASE("a machine that has been updated") {
        s.c.update = s.removing("a");
        CHECK(s.update() == "U a, V a, U b, V b, U c, X a, X R a, D a, V c");
    }
    SUBCASE("all machines") {
        s.b.update = [&] {
            for (const auto m : s.machines.all()) s.machines.remove(m);
        };
        CHECK(s.update() == "U a, V a, U b, X a, X R a, D a, X c, X R c, D c, V b, X b, X R b, D b");
        CHECK(s.machines.count() == 0);
    }
}

TEST_CASE("the name of a removed machine is free immediately: the next machine of that name exists while the old one ends") {
    stage s;
    actor heir{"heir", s.all};
    s.b.update = [&] {
        s.machines.remove("b");
        s.machines.create("b", s.chart, heir).start();
    };
    CHECK(s.update() == "U a, V a, U b, E heir, V b, X b, X R b, D b, U c, V c");
    CHECK(&s.machines.get<actor>("b").context() == &heir);
    CHECK(s.update() == "U a, V a, U c, V c, U heir, V heir");
}

TEST_CASE("a machine created in an update is first updated in the next update") {
    stage s;
    s.a.update = [&] {
        if (!s.machines.has("d")) s.machines.create("d", s.chart, s.d).start();
    };
    CHECK(s.update() == "U a, E d, V a, U b, V b, U c, V c");
    CHECK(s.update() == "U a, V a, U b, V b, U c, V c, U d, V d");
}

TEST_CASE("a machine that replaces one removed in the same update is first updated in the next update") {
    stage s;
    s.machines.remove("c");
    s.all.take();
    s.a.update = [&] {
        s.machines.remove("b");
        s.machines.create("d", s.chart, s.d).start();
    };
    CHECK(s.update() == "U a, X b, X R b, D b, E d, V a");
    s.a.update = nullptr;
    CHECK(s.update() == "U a, V a, U d, V d");
}

TEST_CASE("a machine removed in a call through a handle ends when the call is complete") {
    stage s;
    s.b.ring = s.removing("b");
    const auto b = s.machines.get<actor>("b");
    CHECK(b->process("ring") == hsm::result::internal);
    CHECK(s.all.take() == "ring b, rung b, X b, X R b, D b");
    CHECK_FALSE(b);
}

TEST_CASE("a machine removed in a call to its instance is stopped, and ends in the next call through the manager") {
    stage s;
    s.b.ring = s.removing("b");
    auto& b = *s.machines.get<actor>("b");
    b.process("ring");
    CHECK(s.all.take() == "ring b, rung b, X b, X R b");
    CHECK_FALSE(b.active());
    CHECK(s.update() == "U a, V a, D b, U c, V c");
}

TEST_CASE("a machine removed in a call to its instance ends in the next update or broadcast, even as the only one") {
    for (const bool by_update : {true, false}) {
        stage s;
        s.machines.remove("a");
        s.machines.remove("c");
        s.b.ring = s.removing("b");
        (*s.machines.get<actor>("b")).process("ring");
        s.all.take();
        if (by_update)
            s.machines.update();
        else
            s.machines.broadcast("ring");
        CHECK(s.all.take() == "D b");
    }
}

TEST_CASE("a machine that is removed while it starts is entered first") {
    stage s;
    s.d.enter = s.removing("d");
    const auto d = s.machines.create("d", s.chart, s.d);
    d.start();
    CHECK(s.all.take() == "E d, X d, X R d, D d");
    CHECK_FALSE(d);
}

TEST_CASE("a second removal while a machine stops or is removed has no effect") {
    stage s;
    SUBCASE("in its exit") {
        s.b.exit = s.removing("b");
        s.machines.get("b").stop();
        CHECK(s.all.take() == "X b, X R b, D b");
    }
    SUBCASE("in its removal") {
        s.b.exit = s.b.destroy = [&] { CHECK_FALSE(s.machines.remove("b")); };
        s.machines.remove("b");
        CHECK(s.all.take() == "X b, X R b, D b");
    }
}

TEST_CASE("a machine removed in nested calls ends when it is in no call") {
    stage s;
    const auto b = s.machines.get<actor>("b");
    s.a.update = [&] { b->process("ring"); };
    s.b.ring = [&] {
        s.machines.remove("a"); // a is in its update
        s.machines.remove("b");
        s.machines.remove("c"); // no call to c is in progress
    };
    CHECK(s.update() == "U a, ring b, X c, X R c, D c, rung b, X b, X R b, D b, V a, X a, X R a, D a");
    CHECK(s.machines.count() == 0);
}

TEST_CASE("hooks of a removed machine may remove other machines") {
    stage s;
    s.a.destroy = s.removing("b");
    s.b.exit = s.removing("c");
    s.machines.remove("a");
    CHECK(s.all.take() == "X a, X R a, D a, X b, X c, X R c, D c, X R b, D b");
    CHECK(s.machines.count() == 0);
}

TEST_CASE("in a broadcast, a machine that removes itself completes the event first, and others are removed immediately") {
    stage s;
    s.a.ring = [&] {
        s.machines.remove("a");
        s.machines.remove("b");
        s.machines.create("d", s.chart, s.d).start();
    };
    const auto rung = s.machines.broadcast("ring");
    CHECK(s.all.take() == "ring a, X b, X R b, D b, E d, rung a, X a, X R a, D a, ring c, rung c");
    CHECK(rung[hsm::result::internal] == 2);
}

TEST_CASE("a broadcast in a hook is queued for the machine of the hook") {
    stage s;
    s.b.update = [&] {
        const auto rung = s.machines.broadcast("ring");
        CHECK(rung[hsm::result::internal] == 2);
        CHECK(rung[hsm::result::queued] == 1);
        CHECK(rung.accepted() == 3);
    };
    CHECK(s.update() == "U a, V a, U b, ring a, rung a, ring c, rung c, V b, ring b, rung b, U c, V c");
}

TEST_CASE("an update in an update returns busy; in other hooks it updates the other machines") {
    stage s;
    s.b.update = [&] { CHECK(s.machines.update() == hsm::result::busy); };
    CHECK(s.update() == "U a, V a, U b, V b, U c, V c");
    s.b.update = nullptr;
    s.b.ring = [&] { s.machines.update(); };
    s.machines.get("b")->process("ring");
    CHECK(s.all.take() == "ring b, U a, V a, U c, V c, rung b");
}

TEST_CASE("shutdown in a hook removes the other machines immediately, and the calling machine when its call is complete") {
    stage s;
    s.b.update = [&] {
        s.machines.shutdown();
        CHECK(s.machines.count() == 0);
    };
    CHECK(s.update() == "U a, V a, U b, X c, X R c, D c, X a, X R a, D a, V b, X b, X R b, D b");
    CHECK(s.machines.count() == 0);
}

TEST_CASE("create is refused during a shutdown, also during a nested shutdown") {
    stage s;
    std::string message;
    s.c.exit = [&] { s.machines.shutdown(); };
    s.b.exit = [&] { message = error_text([&] { s.machines.create("ghost", s.chart, s.d); }); };
    s.a.exit = [&] { s.machines.create("ghost", s.chart, s.d); };
    CHECK(error_text([&] { s.machines.shutdown(); }).starts_with("HSM-217"));
    CHECK(message == "HSM-217 error at ghost: a machine cannot be created while the manager shuts down; hint: create it after the shutdown");
    CHECK(s.machines.count() == 0);
    s.a.exit = nullptr;
    s.machines.create("a", s.chart, s.a);
    CHECK(s.machines.count() == 1);
}

TEST_CASE("an exception in a removal propagates, and the machine is removed") {
    stage s;
    const auto failing = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
    SUBCASE("the first of several exceptions") {
        s.b.exit = failing("exit fails");
        s.b.destroy = failing("destroy fails");
        CHECK(error_text([&] { s.machines.remove("b"); }) == "exit fails");
    }
    SUBCASE("in an update, after the machine's own hook") {
        s.b.update = s.removing("b");
        s.b.destroy = failing("destroy fails");
        CHECK(error_text([&] { s.machines.update(); }) == "destroy fails");
        CHECK(s.all.take() == "U a, V a, U b, V b, X b, X R b, D b, U c, V c");
    }
    SUBCASE("its own hook throws after the removal") {
        s.b.update = [&] {
            s.machines.remove("b");
            throw std::runtime_error("update fails");
        };
        s.b.destroy = failing("destroy fails");
        CHECK(error_text([&] { s.machines.update(); }) == "update fails");
        CHECK(s.all.take() == "U a, V a, U b, X b, X R b, D b, U c, V c");
    }
    SUBCASE("in a call through a handle") {
        s.b.ring = s.removing("b");
        s.b.destroy = failing("destroy fails");
        CHECK(error_text([&] { s.machines.get("b")->process("ring"); }) == "destroy fails");
    }
    SUBCASE("in a call through a handle, which also throws") {
        s.b.ring = [&] {
            s.machines.remove("b");
            throw std::runtime_error("ring fails");
        };
        s.b.destroy = failing("destroy fails");
        CHECK(error_text([&] { s.machines.get("b")->process("ring"); }) == "ring fails");
        CHECK(s.all.take() == "ring b, X b, X R b, D b");
    }
    CHECK_FALSE(s.machines.has("b"));
    CHECK(s.machines.count() == 2);
}

TEST_CASE("the context of a machine that is in no call may be destroyed right after its removal") {
    stage s;
    auto guest = std::make_unique<actor>(actor{"guest", s.all});
    s.machines.create("guest", s.chart, *guest).start();
    s.all.take();
    s.a.update = [&] {
        if (!guest) return;
        s.machines.remove("guest");
        guest.reset();
    };
    CHECK(s.update() == "U a, X guest, X R guest, D guest, V a, U b, V b, U c, V c");
    CHECK(s.update() == "U a, V a, U b, V b, U c, V c");
}

TEST_CASE("a loop visits the machines that existed when it began, despite changes") {
    stage s;
    std::vector<std::string> met;
    for (const auto m : s.machines.all()) {
        met.emplace_back(m.name());
        if (m.name() == "a") {
            s.machines.remove("a");
            s.machines.remove("b");
            s.machines.create("d", s.chart, s.d);
            s.machines.create("b", s.chart, s.b);
        }
    }
    CHECK(met == std::vector<std::string>{"a", "c"});
    CHECK(names(s.machines.all()) == "c, d, b");
    s.machines.shutdown();
    CHECK(names(s.machines.all()) == "");
}
