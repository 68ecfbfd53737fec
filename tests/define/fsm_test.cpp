// The substates of a machine, and its entry choice.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace test;

namespace {

enum class pose { stand, walk, fight, dead };

struct swing {
    float wind_up = 0;
    void enter(recorder& r) { r.note("swing " + std::to_string(wind_up).substr(0, 3)); }
};

struct box {
    int number = 0;
};

struct walking : hsm::state<recorder> {
    explicit walking(std::string name = "walking", int speed = 1) : state(std::move(name)), speed_(speed) {}
    void enter(recorder& r) const { r.note(std::string(name()) + " " + std::to_string(speed_)); }

private:
    int speed_;
};

struct fighting : hsm::fsm<recorder> {
    fighting() : fsm("fighting") { add<swing>("slash", 0.4f); }
};

std::string leaf_of(auto define) {
    auto root = hsm::make_fsm<recorder>("R");
    define(*root);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    return agent.current().path() + (r.trace.empty() ? "" : ": " + r.trace);
}

} // namespace

TEST_CASE("add with a name returns the new state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add(std::string("B"));
    static_assert(std::is_same_v<decltype(a), hsm::state<recorder>&>);
    CHECK(a.path() == "R/A");
    CHECK(b.superstate() == root.get());
    CHECK(a.kind() == hsm::state_kind::leaf);
    CHECK(root->kind() == hsm::state_kind::machine);
    CHECK(root->substates().size() == 2);
    CHECK(root->substates()[1].get() == &b);
    CHECK_FALSE(a.id());
}

TEST_CASE("a state that is added by enumerator has the enumerator's name") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& stand = root->add<pose::stand>();
    auto& fight = root->add_fsm<pose::fight>();
    auto& dead = root->add_final<pose::dead>();
    CHECK(stand.name() == "stand");
    CHECK(stand.id() == hsm::enum_id_of(pose::stand));
    CHECK(stand.id() != hsm::enum_id_of(pose::walk));
    CHECK(fight.name() == "fight");
    CHECK(fight.kind() == hsm::state_kind::machine);
    CHECK(dead.kind() == hsm::state_kind::final);
    CHECK(dead.path() == "R/dead");
}

TEST_CASE("add with a node class constructs the node from the arguments and returns it as that class") {
    auto root = hsm::make_fsm<recorder>("R");
    static_assert(std::is_same_v<decltype(root->add<walking>()), walking&>);
    static_assert(std::is_same_v<decltype(root->add<pose::walk, walking>()), walking&>);
    CHECK(root->add<walking>().name() == "walking");
    CHECK(root->add<walking>("running", 3).name() == "running");
    CHECK(root->add<pose::walk, walking>("ignored", 2).name() == "walk");
    CHECK(root->add<fighting>().substates().size() == 1);
    CHECK(leaf_of([](auto& r) { r.template add<walking>("running", 3); }) == "R/running: running 3");
    CHECK(leaf_of([](auto& r) { r.template add<pose::walk, walking>("ignored", 2); }) == "R/walk: walk 2");
    CHECK(leaf_of([](auto& r) { r.template add<fighting>().named("right"); }) == "R/right/slash: swing 0.4");
}

TEST_CASE("add with another class adds a state with a local of that class") {
    CHECK(leaf_of([](auto& r) { r.template add<swing>("slash", 0.4f); }) == "R/slash: swing 0.4");
    CHECK(leaf_of([](auto& r) { r.template add<swing>("slash"); }) == "R/slash: swing 0.0");
    CHECK(leaf_of([](auto& r) { r.template add<pose::fight, swing>(0.5f); }) == "R/fight: swing 0.5");
}

TEST_CASE("add_fsm adds a machine, also to an added machine, and its setters return the machine") {
    CHECK(leaf_of([](hsm::fsm<recorder>& r) {
              hsm::fsm<recorder>& m =
                  r.add_fsm("M").on_enter(tracing("E M")).on_update(tracing("U M")).on_exit(tracing("X M")).local<box>().named("N");
              m.add_fsm("O").add("x");
          }) == "R/N/O/x: E M");
}

TEST_CASE("a final substate finishes its machine") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add_final("end").on_enter(tracing("E end"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E end");
    CHECK(agent.finished());
}

TEST_CASE("initial names a state by reference, path or enumerator, at any depth, and can have actions") {
    const auto nested = [](auto& r) -> hsm::state<recorder>& {
        traced(r.add("first"));
        return traced(traced(r.add_fsm("M")).add_fsm("N")).template add<pose::walk>();
    };
    CHECK(leaf_of([&](auto& r) { nested(r); }) == "R/first: E first");
    CHECK(leaf_of([&](auto& r) { r.initial(nested(r)); }) == "R/M/N/walk: E M, E N");
    CHECK(leaf_of([&](auto& r) { nested(r), r.initial("M/N/walk"); }) == "R/M/N/walk: E M, E N");
    CHECK(leaf_of([&](auto& r) { r.initial("R/M"), nested(r); }) == "R/M/N/walk: E M, E N");
    CHECK(leaf_of([&](auto& r) { nested(r), r.initial(pose::walk); }) == "R/M/N/walk: E M, E N");
    CHECK(leaf_of([&](auto& r) {
              r.initial(nested(r)).then(tracing("one")).then([](recorder& c, hsm::step<recorder>& s) {
                  c.note(std::string(s.state().name()) + " " + std::string(s.target().name()));
              });
          }) == "R/M/N/walk: one, R R, E M, E N");
}

TEST_CASE("dispatch names a state in the same ways; choices have guards, priorities and actions") {
    const auto dispatched = [](bool go) {
        return leaf_of([go](auto& r) {
            r.on_enter([go](recorder& c) { c.go = go; });
            traced(r.add("a"));
            traced(r.add_fsm("M")).add("b");
            r.dispatch("a").then(tracing("to a"));
            r.dispatch("M/b").when(&recorder::go).when([] { return true; }).then(tracing("to b")).priority(1);
        });
    };
    CHECK(dispatched(true) == "R/M/b: to b, E M");
    CHECK(dispatched(false) == "R/a: to a, E a");
}

TEST_CASE("on_change can take the context") {
    recorder r;
    std::string seen;
    auto root = hsm::make_fsm<recorder>("R");
    root->add_fsm("M")
        .on_change([](recorder& c, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
            c.note(from.path() + " " + to.path() + " " + std::string(to_string(why)));
        })
        .on_change([&seen](hsm::state_ref, hsm::state_ref to, hsm::reason) { seen += to.name(); })
        .add("x");
    const auto chart = hsm::compile(std::move(root));
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "none R/M/x start");
    CHECK(seen == "x");
}

TEST_CASE("make_fsm creates a root with a name, or of a class") {
    static_assert(std::is_same_v<decltype(hsm::make_fsm<recorder>("R")), hsm::owned<hsm::fsm<recorder>>>);
    static_assert(std::is_same_v<decltype(hsm::make_fsm<fighting>()), hsm::owned<fighting>>);
    CHECK(hsm::make_fsm<fighting>()->name() == "fighting");
    CHECK(hsm::make_fsm<recorder>("R")->superstate() == nullptr);
}
