// Observers of the machines of a manager.

#include <tests/support/recorder.hpp>
#include <tests/support/text_observer.hpp>

#include <hsm/manage/manager.hpp>

#include <doctest/doctest.h>

using test::event;
using test::recorder;
using test::text_observer;

namespace {
hsm::chart<recorder> two_states() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<event<0>>();
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("an observer of a manager receives all machines, also later ones") {
    const auto chart = two_states();
    recorder first, second;
    hsm::manager machines;
    auto door = machines.create("door", chart, first);
    text_observer log;
    auto seen = machines.attach(log, hsm::record_kind::entered | hsm::record_kind::exited);
    door->start();
    CHECK(log.take() == "E 0, E 1");
    auto gate = machines.create("gate", chart, second);
    gate->start();
    CHECK(log.take() == "E 0, E 1");
    machines.broadcast(event<0>{});
    CHECK(log.take() == "X 1, E 2, X 1, E 2");
    machines.remove("gate");
    CHECK(log.take() == "X 2, X 0");
    seen.detach();
    machines.create("gate", chart, second)->start();
    machines.remove("gate");
    CHECK(log.take().empty());
}

TEST_CASE("one machine of a manager is observed by its handle") {
    const auto chart = two_states();
    recorder first, second;
    hsm::manager machines;
    auto door = machines.create("door", chart, first);
    auto gate = machines.create("gate", chart, second);
    text_observer log;
    const auto seen = door->attach(log, hsm::record_kind::entered);
    door->start();
    gate->start();
    CHECK(log.take() == "E 0, E 1");
}

TEST_CASE("the manager may be destroyed before the handle of its observer") {
    const auto chart = two_states();
    recorder r;
    text_observer log;
    hsm::attachment seen;
    {
        hsm::manager machines;
        machines.create("door", chart, r);
        seen = machines.attach(log);
        log.take();
    }
    CHECK(log.take().empty());
    seen.detach();
}
