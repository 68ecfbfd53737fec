// Holding states in regions, and transitions that wait for them.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace test;

namespace {
const std::string left_p = "X c, X 2, X a, X 1, X P, ";
std::string drained(started& m) { return m.agent.drain(), m.r.take(); }
struct parcel {
    std::shared_ptr<int> content;
};
struct letter {
    std::unique_ptr<int> content;
};
} // namespace

TEST_CASE("a region that holds keeps its parallel active; the other regions continue") {
    two_regions t;
    t.c.hold();
    t.p.to(t.out).on<event<1>>();
    t.a.to(t.b).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::held);
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.process(event<2>{}) == "X a, E b");
    m.agent.release(t.c);
    CHECK(m.tick() == "X c, X 2, X b, X 1, X P, E B, U B");
}

TEST_CASE("each level has its own pending slot: regions do not share one") {
    two_regions t;
    t.a.hold();
    t.c.hold();
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    m.agent.release(t.c);
    CHECK(m.tick() == "X c, E d, U P, U 1, U a, U 2, U d");
    m.agent.release(t.a);
    CHECK(m.tick() == "X a, E b, U P, U 1, U b, U 2, U d");
}

TEST_CASE("if one event's transitions are held in two regions, both wait with the payload, which is destroyed once") {
    two_regions t;
    t.a.hold();
    t.c.hold();
    const auto content = [](recorder& r, const parcel& p) { r.note(std::to_string(*p.content)); };
    t.a.to(t.b).on<parcel>().then(content);
    t.c.to(t.d).on<parcel>().then(content);
    started m(std::move(t.root));
    const auto seven = std::make_shared<int>(7);
    CHECK(m.agent.process(parcel{seven}) == hsm::result::held);
    m.agent.release(t.a);
    m.agent.release(t.c);
    CHECK(drained(m) == "X a, 7, E b, X c, 7, E d"); // outermost first, one region after the other
    CHECK(seven.use_count() == 1);
}

TEST_CASE("if one region fires and the other waits, the event is taken, and both receive the payload") {
    two_regions t;
    t.a.hold();
    const auto content = [](recorder& r, const parcel& p) { r.note(p.content ? std::to_string(*p.content) : "gone"); };
    t.a.to(t.b).on<parcel>().then(content);
    t.c.to(t.d).on<parcel>().then(content);
    started m(std::move(t.root));
    const auto seven = std::make_shared<int>(7);
    SUBCASE("an rvalue") { CHECK(m.agent.process(parcel{seven}) == hsm::result::taken); }
    SUBCASE("an lvalue") {
        const parcel p{seven};
        CHECK(m.agent.process(p) == hsm::result::taken);
    }
    SUBCASE("posted") {
        m.agent.post(parcel{seven});
        m.agent.drain();
    }
    CHECK(m.r.take() == "X c, 7, E d");
    m.agent.release(t.a);
    CHECK(drained(m) == "X a, 7, E b");
    CHECK(seven.use_count() == 1);
}

TEST_CASE("conflicts are settled before holds: a winner that is held still drops the loser") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        two_regions t;
        t.a.hold();
        t.a.to(t.out).on<event<1>>();
        t.c.to(t.d).on<event<1>>();
        started m(std::move(t.root), {.order = order});
        CHECK(m.agent.process(event<1>{}) == hsm::result::held);
        CHECK(leaves_of(m.agent) == "a c");
        m.agent.release(t.a);
        CHECK(drained(m) == left_p + "E B");
    }
}

TEST_CASE("the result is internal before held, and held before refused") {
    two_regions t;
    t.a.hold();
    t.c.hold();
    t.a.to(t.b).on<event<1>>();
    t.c.on<event<1>>().then(tracing("reaction"));
    t.a.to(t.b).on<event<2>>().priority(5);
    t.a.to(t.b).on<event<3>>();
    t.c.to(t.d).on<event<3>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    CHECK(m.agent.can(event<3>{}).outcome == hsm::result::held); // refused in one region, held in the other
    CHECK(m.agent.process(event<3>{}) == hsm::result::held);
}

TEST_CASE("the result is refused if all transitions are refused") {
    two_regions t;
    t.a.hold();
    t.a.to(t.b).on<event<1>>().priority(5);
    t.a.to(t.b).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::refused);
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::refused);
}

TEST_CASE("a pending event is dropped when its source exits with the parallel") {
    two_regions t;
    t.a.hold();
    t.a.to(t.b).on<event<1>>();
    t.p.to(t.p).on<event<2>>().force();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.process(event<2>{}) == left_p + "E P, E 1, E a, E 2, E c");
    m.agent.release(t.a);
    CHECK(drained(m) == "");
}

TEST_CASE("a polled transition waits for the last holder in document order, and is tried again after its update") {
    two_regions t;
    t.p.to(t.out).when(&recorder::go);
    t.a.hold_until(&recorder::ready);
    t.c.hold_until(&recorder::ready).on_update([](recorder& r) { r.ready = true; });
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U a, U 2, U c, " + left_p + "E B");
}

TEST_CASE("a request waits for holders in any region, unless it is forced") {
    two_regions t;
    t.c.hold();
    started m(std::move(t.root));
    CHECK(m.agent.change_to("B") == hsm::result::held);
    SUBCASE("released") {
        m.agent.release(t.c);
        CHECK(drained(m) == left_p + "E B");
    }
    SUBCASE("forced") {
        CHECK(m.agent.force_to("B") == hsm::result::taken);
        CHECK(m.r.take() == left_p + "E B");
    }
}

TEST_CASE("a request inside a region waits only for the holders of that region") {
    two_regions t;
    t.c.hold();
    started m(std::move(t.root));
    CHECK(m.agent.change_to("P/1/b") == hsm::result::taken);
    CHECK(m.r.take() == "X a, E b");
    CHECK(m.agent.change_to("P/2/d") == hsm::result::held);
    m.agent.release(t.c);
    CHECK(drained(m) == "X c, E d");
}

TEST_CASE("the parallel itself may hold: release from outside applies to it") {
    two_regions t;
    t.p.hold();
    t.a.to(t.out).on<event<1>>();
    t.c.to(t.d).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.process(event<2>{}) == "X c, E d"); // inside it, nothing is held
    m.agent.release();
    CHECK(drained(m) == "X d, X 2, X a, X 1, X P, E B");
}

TEST_CASE("hooks receive a payload that cannot be copied, also when the transition waits") {
    two_regions t;
    t.a.hold();
    const auto content = [](recorder& r, const letter& l) { r.note(l.content ? std::to_string(*l.content) : "gone"); };
    t.a.to(t.b).on<letter>().then(content);
    t.c.on<letter>().then(content);
    started m(std::move(t.root));
    CHECK(m.agent.process(letter{std::make_unique<int>(3)}) == hsm::result::internal);
    CHECK(m.r.take() == "3");
    m.agent.release(t.a);
    CHECK(drained(m) == "X a, 3, E b");
}

TEST_CASE("all holds are evaluated before a payload is stored") {
    struct brittle {
        brittle() = default;
        brittle(const brittle&) { throw std::runtime_error("boom"); }
    };
    two_regions t;
    t.a.hold();
    int asked = 0;
    t.c.hold_until([&asked](const recorder&) { return ++asked < 0; });
    t.a.to(t.b).on<brittle>();
    t.c.to(t.d).on<brittle>();
    started m(std::move(t.root));
    const brittle event;
    CHECK_THROWS_WITH(m.agent.process(event), "boom");
    CHECK(asked == 1);
    m.agent.release(t.a);
    CHECK(drained(m) == "");
}

TEST_CASE("pending events are tried from the outermost level inwards, region by region") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& one = p.add_fsm("1");
    auto& inner = one.add_fsm("m");
    auto& x = inner.add("x").hold();
    auto& y = traced(inner.add("y"));
    auto& two = p.add_fsm("2");
    auto& c = two.add("c").hold();
    auto& d = traced(two.add("d"));
    x.to(y).on<event<1>>();
    c.to(d).on<event<2>>();
    inner.to(inner).on<event<3>>();
    inner.on_enter(tracing("again"));
    started m(std::move(root));
    for (const auto outcome : {m.agent.process(event<2>{}), m.agent.process(event<1>{}), m.agent.process(event<3>{})})
        CHECK(outcome == hsm::result::held);
    m.agent.release(c);
    m.agent.release(x);
    CHECK(drained(m) == "again, E d"); // the self transition of m exits x, so the transition that waited for x is dropped
    CHECK(m.agent.is_in(x));
}

TEST_CASE("the payload of a held event lives as long as the step of the other regions, also if the step throws") {
    struct parcel {
        std::string text;
    };
    std::string seen;
    two_regions t;
    traced(t.p).on_exit([&](recorder&, hsm::step<recorder>& s) { seen = s.event<parcel>()->text; });
    t.a.to(t.b).on<parcel>().then([](recorder&) { throw std::runtime_error("in the step"); });
    t.c.hold();
    t.c.to(t.d).on<parcel>();
    started m(std::move(t.root));
    const std::string text = "longer than what a string keeps in itself, so that it has memory of its own";
    m.agent.post(parcel{text});
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    CHECK(seen == text);
    CHECK(m.path() == "R");
}
