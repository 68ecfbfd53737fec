// Invalid calls to managers and handles: each has a defined result (docs/reference/semantics.md, "What happens if").

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <utility>

using hsm::result;

namespace {

struct hero {};
hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("R");
    root->add("A").to("B").on<test::push>();
    root->add("B");
    return hsm::compile(std::move(root));
}

template <class Error, class Call> int thrown_by(Call call) {
    try {
        call();
    } catch (const Error& e) {
        return static_cast<int>(e.number());
    }
    return 0;
}

} // namespace

TEST_CASE("create refuses an empty chart, an empty or used name, and an invalid mailbox size") {
    auto chart = hero_chart();
    hero h;
    hsm::manager machines;
    machines.create("one", chart, h);
    CHECK(thrown_by<hsm::manager_error>([&] { machines.create("", chart, h); }) == 210);
    CHECK(thrown_by<hsm::manager_error>([&] { machines.create("one", chart, h); }) == 211);
    CHECK(thrown_by<hsm::usage_error>([&] { machines.create("two", chart, h, {.mailbox = 0xffff'ffff}); }) == 207);
    const auto moved = std::move(chart);
    CHECK(thrown_by<hsm::usage_error>([&] { machines.create("two", chart, h); }) == 206);
    CHECK(machines.count() == 1);
    machines.create("two", moved, h).start();
}

TEST_CASE("handles that are empty, stale or of another manager are refused") {
    const auto chart = hero_chart();
    hero h;
    hsm::manager machines, others;
    const auto one = machines.create("one", chart, h);
    const hsm::managed<hero> none;
    machines.remove("one");
    for (const auto& handle : {none, one}) {
        CHECK_FALSE(handle);
        CHECK_FALSE(machines.remove(handle));
        CHECK(thrown_by<hsm::manager_error>([&] { handle.start(); }) == 215);
        CHECK(thrown_by<hsm::manager_error>([&] { handle->tick(); }) == 215);
        CHECK(thrown_by<hsm::manager_error>([&] { static_cast<void>(handle.name()); }) == 215);
        CHECK(thrown_by<hsm::manager_error>([&] { static_cast<void>(handle.as<hero>()); }) == 215);
    }
    const auto again = machines.create("one", chart, h);
    CHECK_FALSE(one);
    CHECK(again);
    const auto other = others.create("one", chart, h);
    CHECK_FALSE(machines.remove(other));
    CHECK(other);
}

TEST_CASE("a reused place has a new handle each time") {
    const auto chart = hero_chart();
    hero h;
    hsm::manager machines;
    const auto first = machines.create("one", chart, h);
    for (int i = 0; i < 1000; ++i) {
        machines.remove("one");
        REQUIRE_FALSE(first);
        machines.create("one", chart, h);
    }
    CHECK_FALSE(first);
}

TEST_CASE("invalid times, the mailbox of a machine without one, and unknown states are refused") {
    const auto chart = hero_chart();
    hero h;
    hsm::manager machines;
    const auto one = machines.create("one", chart, h);
    one.start();
    CHECK(machines.update(-1.0) == result::refused);
    CHECK(machines.update(1.0, -1.0) == result::refused);
    CHECK(machines.update(std::numeric_limits<double>::quiet_NaN()) == result::refused);
    CHECK(one->now().nanoseconds() == 0);
    CHECK(thrown_by<hsm::usage_error>([&] { static_cast<void>(one->mailbox()); }) == 205);
    CHECK(thrown_by<hsm::state_error>([&] { one.change_state(hsm::state_ref()); }) == 202);
    CHECK(thrown_by<hsm::manager_error>([&] { one.start("nowhere"); }) == 216); // it runs; the target does not matter
}

TEST_CASE("a guard of a managed machine cannot change its machine, and can call others") {
    struct meddler {
        hsm::manager* machines = nullptr;
        mutable int refused = 0;
        bool try_all() const {
            const auto me = machines->get("me");
            refused = (me.stop() == result::busy) + (me->process(test::push{}) == result::busy) + (me->post(test::push{}) == result::busy) +
                      !machines->remove("me") + !machines->remove(me);
            machines->broadcast(test::push{});
            machines->shutdown();
            return true;
        }
    };
    auto root = hsm::make_fsm<meddler>("R");
    auto& a = root->add("A");
    a.to("B").on<test::push>().when(&meddler::try_all);
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    const auto heroes = hero_chart();
    hsm::manager machines;
    meddler m{&machines};
    hero h;
    const auto me = machines.create("me", chart, m);
    machines.create("other", heroes, h).start();
    me.start();
    CHECK(me->process(test::push{}) == result::taken);
    CHECK(m.refused == 5);
    CHECK(me);
    CHECK(me->current().path() == "R/B");
    CHECK(me->queued() == 0);
    CHECK(machines.count() == 1); // the other one was shut down
}
