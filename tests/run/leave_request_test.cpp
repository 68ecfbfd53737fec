// on_leave_requested: requests to leave, to states that hold.

#include <tests/support/two_regions.hpp>

#include <hsm/compile/check.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {

struct hit {
    int damage = 0;
};

/// Records "leave A > B because of event 7".
template <class State> State& asked(State& state) {
    const std::string name(state.name());
    state.on_leave_requested([name](recorder& r, hsm::step<recorder>& s) {
        const auto* const e = s.event<hit>();
        r.note("leave " + name + " > " + std::string(s.target().name()) + " " + std::string(to_string(s.reason())) +
               (e ? " " + std::to_string(e->damage) : ""));
    });
    return state;
}

} // namespace

TEST_CASE("a held event runs on_leave_requested with its target and payload, and a further event of its transition does not") {
    auto root = root_of();
    auto& a = asked(traced(root->add("A"))).hold();
    a.to(traced(root->add("B"))).on<hit>();
    a.to("C").on<event<1>>();
    root->add("C");
    started m(std::move(root));
    CHECK(m.process(hit{7}) == "leave A > B event 7");
    CHECK(m.process(hit{8}) == "");
    CHECK(m.tick() == "U A");
    CHECK(m.process(event<1>{}) == "leave A > C event"); // it replaces the hit
    CHECK(m.process(hit{9}) == "leave A > B event 9");
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a held polled transition requests once, and again after its guard has refused") {
    for (const auto& options : {hsm::compile_options(), substates_first, hsm::compile_options{.program_memory = 0}}) {
        auto root = root_of();
        asked(root->add("A")).hold().to(traced(root->add("B"))).when(&recorder::go);
        started m(std::move(root), options);
        CHECK(m.tick() == "");
        m.r.go = true;
        CHECK(m.tick() == "leave A > B poll");
        CHECK(m.tick() == "");
        m.r.go = false;
        CHECK(m.tick() == "");
        m.r.go = true;
        CHECK(m.decide() == "leave A > B poll");
        CHECK(m.decide() == "");
    }
}

TEST_CASE("a state that excludes a transition counts as its guard: the next request is new") {
    auto root = root_of();
    auto& a = asked(root->add_fsm("A")).hold();
    auto& x = a.add("X");
    auto& y = a.add("Y");
    a.to(root->add("B")).unless_in(y);
    x.to(y).on<event<1>>();
    y.to(x).on<event<1>>();
    started m(std::move(root));
    CHECK(m.tick() == "leave A > B poll");
    CHECK(m.process(event<1>{}) == "");
    CHECK(m.tick() == "");
    CHECK(m.process(event<1>{}) == "");
    CHECK(m.tick() == "leave A > B poll");
}

TEST_CASE("the state that holds a transition of a superstate is requested, then the next one outwards") {
    auto root = root_of();
    auto& a = asked(traced(root->add_fsm("A"))).hold();
    auto& x = asked(traced(a.add("X"))).hold();
    auto& y = asked(traced(a.add("Y"))).hold();
    x.to(y).on<event<1>>().force();
    a.to(traced(root->add("B"))).on<hit>();
    started m(std::move(root));
    CHECK(m.process(hit{1}) == "leave X > B event 1");
    m.agent.release("X");
    CHECK(m.tick() == "leave A > B event 1, U A, U X");
    CHECK(m.process(event<1>{}) == "X X, E Y");
    CHECK(m.tick() == "leave Y > B event 1, U A, U Y");
    m.agent.release("Y");
    CHECK(m.tick() == "U A, U Y"); // A was requested in this activation
    m.agent.release("A");
    CHECK(m.tick() == "X Y, X A, E B, U B");
}

TEST_CASE("a polled transition whose source exits makes a new request") {
    auto root = root_of();
    auto& a = asked(root->add_fsm("A")).hold();
    auto& x = a.add("X");
    auto& y = a.add("Y");
    x.to(root->add("B"));
    x.to(y).on<event<1>>();
    y.to(x).on<event<1>>();
    started m(std::move(root));
    CHECK(m.tick() == "leave A > B poll");
    CHECK(m.tick() == "");
    m.process(event<1>{});
    m.process(event<1>{});
    CHECK(m.tick() == "leave A > B poll");
}

TEST_CASE("a new activation is requested again") {
    auto root = root_of();
    auto& m = root->add_fsm("M");
    auto& a = asked(m.add("A")).hold();
    root->to(root->add("B")).when(&recorder::go);
    a.to("A").on<event<1>>().force();
    started s(std::move(root));
    s.r.go = true;
    CHECK(s.tick() == "leave A > B poll");
    CHECK(s.process(event<1>{}) == "");
    CHECK(s.tick() == "leave A > B poll");
}

TEST_CASE("requests of the program are requests to leave") {
    auto root = root_of();
    auto& b = root->add("B");
    asked(traced(root->add("A"))).hold();
    root->initial("A");
    b.hold();
    started m(std::move(root));
    CHECK(m.change_to("B") == "leave A > B request");
    CHECK(m.change_to("B") == "leave A > B request"); // another request
    CHECK(m.agent.force_to("B") == hsm::result::taken);
}

TEST_CASE("the hook can release its state, and process events") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold();
    auto& x = traced(a.add("X"));
    x.to(traced(a.add("Y"))).on("end");
    a.on_leave_requested([](recorder&, hsm::step<recorder>& s) {
        s.process("end");
        s.release();
    });
    a.to(traced(root->add("B"))).on<hit>();
    started m(std::move(root));
    CHECK(m.process(hit{}) == "X X, E Y");
    CHECK(m.tick() == "X Y, X A, E B, U B");
}

TEST_CASE("a dropped event ends its request") {
    auto root = root_of();
    auto& a = asked(root->add_fsm("A")).hold();
    auto& x = a.add("X");
    auto& y = a.add("Y");
    x.to(root->add("B")).on<hit>();
    x.to(y).on<event<1>>();
    y.to(x).on<event<1>>();
    started m(std::move(root));
    CHECK(m.process(hit{1}) == "leave A > B event 1");
    CHECK(m.process(event<1>{}) == ""); // X exits
    CHECK(m.process(event<1>{}) == "");
    CHECK(m.process(hit{2}) == "leave A > B event 2");
}

TEST_CASE("an event that is dropped before the hook runs makes no request") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& a = asked(p.add_fsm("1").add_fsm("A")).hold();
    auto& x = a.add("X");
    x.to(root->add("B")).on<hit>();
    x.to(a.add("Y")).on("go");
    p.add("2").on<hit>().then([](recorder&, hsm::step<recorder>& s) { s.process("go"); });
    started m(std::move(root));
    CHECK(m.agent.process(hit{1}) == hsm::result::internal);
    CHECK(m.agent.is_in("Y"));
    CHECK(m.r.take() == "");
}

TEST_CASE("requests of several regions run one after the other, each with what follows, before on_settled") {
    auto root = root_of();
    root->on_settled(tracing("settled"));
    auto& p = root->add_parallel("P");
    auto& a = asked(p.add_fsm("1").add("A")).hold();
    auto& b = asked(p.add_fsm("2").add("B")).hold();
    for (auto* s : {&a, &b}) {
        s->on_leave_requested([](recorder&, hsm::step<recorder>& step) { step.process("asked"); });
        s->to(*s).on<hit>();
    }
    p.on("asked").then(tracing("asked"));
    started m(std::move(root));
    CHECK(m.process(hit{3}) == "leave A > A event 3, asked, leave B > B event 3, asked, settled");
}

TEST_CASE("a request that an exception prevented is made when the transition is held again") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& a = p.add_fsm("1").add("A").hold().on_leave_requested([](recorder& r) {
        r.note("leave A");
        throw std::runtime_error("A");
    });
    auto& b = asked(p.add_fsm("2").add("B")).hold();
    a.to(a).on<hit>();
    b.to(b).on<hit>();
    started m(std::move(root));
    CHECK_THROWS_AS(m.agent.process(hit{3}), std::runtime_error);
    CHECK(m.r.take() == "leave A");
    SUBCASE("held again") {
        CHECK(m.tick() == "leave B > B event 3");
        CHECK(m.tick() == "");
    }
    SUBCASE("no longer held") {
        m.agent.release("B");
        CHECK(m.tick() == "");
    }
}

TEST_CASE("on_leave_requested without a hold is an error") {
    auto root = root_of();
    asked(root->add("A"));
    const auto found = hsm::check(*root);
    REQUIRE(found.size() == 1);
    CHECK(found[0].code == hsm::code::contradiction);
    CHECK(found[0].problem == "the state has on_leave_requested, but never holds");
}
