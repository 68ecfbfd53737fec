// Observers of the machines of a manager.

#include <tests/support/recorder.hpp>
#include <tests/support/teller.hpp>

#include <hsm/manage/manager.hpp>

#include <doctest/doctest.h>

using test::event;
using test::recorder;
using test::teller;

namespace {
hsm::chart<recorder> two_states() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<event<0>>();
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("all machines of a manager are observed, those that come later, too") {
    const auto chart = two_states();
    recorder first, second;
    hsm::manager machines;
    auto door = machines.create("door", chart, first);
    teller told;
    auto seen = machines.attach(told, hsm::record_kind::entered | hsm::record_kind::exited);
    door->start();
    CHECK(told.take() == "E 0, E 1");
    auto gate = machines.create("gate", chart, second);
    gate->start();
    CHECK(told.take() == "E 0, E 1");
    machines.broadcast(event<0>{});
    CHECK(told.take() == "X 1, E 2, X 1, E 2");
    machines.remove("gate");
    CHECK(told.take() == "X 2, X 0");
    seen.detach();
    machines.create("gate", chart, second)->start();
    machines.remove("gate");
    CHECK(told.take().empty());
}

TEST_CASE("one machine of a manager is observed by its handle") {
    const auto chart = two_states();
    recorder first, second;
    hsm::manager machines;
    auto door = machines.create("door", chart, first);
    auto gate = machines.create("gate", chart, second);
    teller told;
    const auto seen = door->attach(told, hsm::record_kind::entered);
    door->start();
    gate->start();
    CHECK(told.take() == "E 0, E 1");
}

TEST_CASE("the manager may go before the handle of its observer") {
    const auto chart = two_states();
    recorder r;
    teller told;
    hsm::attachment seen;
    {
        hsm::manager machines;
        machines.create("door", chart, r);
        seen = machines.attach(told);
        told.take();
    }
    CHECK(told.take().empty());
    seen.detach();
}
