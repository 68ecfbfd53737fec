// T8: events and requests that wait until holding states let them fire.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {
struct hit {
    int damage = 0;
};
const auto note_exit = [](recorder& r, hsm::step<recorder>& s) {
    r.note(std::string(to_string(s.reason())) + " " + std::string(s.source().name()) + ">" + std::string(s.target().name()));
};
} // namespace

TEST_CASE("T8: a held event waits for the release; an event of the same priority replaces it") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>();
    a.to(traced(root->add("C"))).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    CHECK(m.tick() == "U A");
    m.agent.release();
    CHECK(m.r.take() == "");
    CHECK(m.tick() == "X A, E C, U C");
    CHECK(m.tick() == "U C");
}

TEST_CASE("T8: a pending event of higher priority stays") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>().priority(1);
    a.to(traced(root->add("C"))).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::refused);
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a pending event of lower priority gives way") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>();
    a.to(traced(root->add("C"))).on<event<2>>().priority(1);
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    m.agent.release();
    CHECK(m.tick() == "X A, E C, U C");
}

TEST_CASE("can returns held and refused, and changes nothing") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>().priority(1);
    a.to(b).on<event<2>>();
    a.to(b).on<event<3>>().force();
    started m(std::move(root));
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::held);
    CHECK_FALSE(m.agent.can(event<2>{}));
    m.agent.process(event<1>{});
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::refused);
    CHECK_FALSE(m.agent.can(event<2>{}));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::held);
    CHECK(m.agent.can(event<3>{}).outcome == hsm::result::taken);
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a pending event is in no queue") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    a.to(root->add("B")).on<event<1>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("the first transition whose guards hold consumes the event, even if it is held and a later one is not") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>();
    a.to(traced(root->add("C"))).on<event<1>>().force();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.tick() == "U A");
}

TEST_CASE("on release the guard is called again with the payload; if it refuses, the event is dropped") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<hit>().when([](const recorder& r, const hit& h) { return r.go && h.damage == 7; });
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.agent.process(hit{6}) == hsm::result::guarded);
    CHECK(m.agent.process(hit{7}) == hsm::result::held);
    m.agent.release();
    SUBCASE("the guard holds") { CHECK(m.tick() == "X A, E B, U B"); }
    SUBCASE("the guard refuses") {
        m.r.go = false;
        CHECK(m.tick() == "U A");
        m.r.go = true;
        CHECK(m.tick() == "U A");
    }
}

TEST_CASE("the guard of a held event is not called before the release") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready);
    int asked = 0;
    a.to(traced(root->add("B"))).on<event<1>>().when([&](const recorder&) { return ++asked > 0; });
    started m(std::move(root));
    m.agent.process(event<1>{});
    CHECK(asked == 1);
    m.tick();
    CHECK(asked == 1);
    m.r.ready = true;
    CHECK(m.tick() == "X A, E B, U B");
    CHECK(asked == 2);
}

TEST_CASE("a guard that throws on release: the exception propagates, and the event keeps waiting") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>().when([](const recorder& r) {
        if (r.go) throw std::runtime_error("guard");
        return true;
    });
    started m(std::move(root));
    m.agent.process(event<1>{});
    m.agent.release();
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    CHECK(m.r.take() == "");
    m.r.go = false;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a predicate that throws when a pending event is tried: the event keeps waiting") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until([](const recorder& r) {
        if (r.go) throw std::runtime_error("hold");
        return r.ready;
    });
    a.to(traced(root->add("B"))).on<event<1>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    m.r.go = false;
    m.r.ready = true;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a pending event is dropped when its source exits, not when the state that held it exits") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("A")).hold();
    auto& b = traced(m.add("B"));
    auto& out = traced(root->add("out"));
    a.to(b).force().when(&recorder::go);
    SUBCASE("the source is the holder") {
        a.to(out).on<event<1>>();
        started s(std::move(root));
        s.agent.process(event<1>{});
        s.r.go = true;
        CHECK(s.tick() == "U M, X A, E B, U B");
        CHECK(s.tick() == "U M, U B");
    }
    SUBCASE("the source is its superstate") {
        m.to(out).on<event<1>>();
        started s(std::move(root));
        s.agent.process(event<1>{});
        s.r.go = true;
        CHECK(s.tick() == "U M, X A, E B, U B, X B, X M, E out");
    }
}

TEST_CASE("stop drops pending events before the first exit") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).on<event<1>>().priority(1);
    a.to("B").on<event<2>>();
    hsm::instance<recorder>* agent = nullptr;
    a.on_exit([&](recorder& r) { r.note(std::string(to_string(agent->can(event<2>{}).outcome))); });
    started m(std::move(root));
    agent = &m.agent;
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::refused);
    m.agent.stop();
    CHECK(m.r.take() == "X A, held");
}

TEST_CASE("a pending event is tried at the beginning of tick, decide and drain, before posted events") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>();
    a.on<event<2>>().then(tracing("too early"));
    b.on<event<2>>().then(tracing("second"));
    started m(std::move(root));
    m.agent.process(event<1>{});
    m.agent.post(event<2>{});
    m.agent.release();
    SUBCASE("tick") { CHECK(m.tick() == "X A, E B, second, U B"); }
    SUBCASE("decide") { CHECK(m.decide() == "X A, E B, second"); }
    SUBCASE("drain") {
        CHECK(m.agent.drain() == hsm::result::taken);
        CHECK(m.r.take() == "X A, E B, second");
    }
}

TEST_CASE("a pending event is tried at the beginning of process and change_to") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).on<event<1>>();
    b.to(c).on<event<2>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    m.agent.release();
    SUBCASE("process") { CHECK(m.process(event<2>{}) == "X A, E B, X B, E C"); }
    SUBCASE("process of an unknown event") {
        CHECK(m.agent.process(event<3>{}) == hsm::result::unhandled);
        CHECK(m.r.take() == "X A, E B");
    }
    SUBCASE("change_to") { CHECK(m.change_to(c) == "X A, E B, X B, E C"); }
    SUBCASE("force_to") {
        CHECK(m.agent.force_to(c) == hsm::result::taken);
        CHECK(m.r.take() == "X A, E B, X B, E C");
    }
}

TEST_CASE("a pending event is tried after each state's update, also in update(), and after its consequences") {
    auto root = root_of();
    traced(*root).on_update([](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.process(event<2>{});
    });
    auto& a = traced(root->add_fsm("A"));
    auto& x = traced(a.add("X")).hold_until(&recorder::ready);
    a.to(traced(root->add("B"))).on<event<1>>();
    x.on<event<2>>().then([](recorder& r) {
        r.note("get ready");
        r.ready = true;
    });
    started m(std::move(root));
    m.agent.process(event<1>{});
    CHECK(m.tick() == "U R, U A, U X");
    m.r.go = true;
    SUBCASE("tick") {
        CHECK(m.tick() == "U R, get ready, X X, X A, E B, U B"); // R had updated none of its substates
    }
    SUBCASE("update") { CHECK(m.update() == "U R, get ready, X X, X A, E B, U B"); }
}

TEST_CASE("a pending event is tried after the update of a state without hooks") {
    auto root = root_of();
    auto& a = traced(root->add("A")).min_duration(1.0);
    a.to(traced(root->add("B"))).on<event<1>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.update(hsm::time_span::from_seconds(1.0)) == "X A, E B, U B");
}

TEST_CASE("pending events are tried before held polled transitions") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready).on_update([](recorder& r) { r.ready = true; });
    a.to(traced(root->add("B")));
    a.to(traced(root->add("C"))).on<event<1>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    CHECK(m.tick() == "U A, X A, E C");
}

TEST_CASE("each level has one slot; the outermost level is tried first") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("A")).hold();
    auto& b = traced(m.add("B"));
    auto& out = traced(root->add("out"));
    a.to(b).on<event<1>>();
    m.to(out).on<event<2>>().when(&recorder::go);
    started s(std::move(root));
    s.r.go = true;
    CHECK(s.agent.process(event<1>{}) == hsm::result::held);
    CHECK(s.agent.process(event<2>{}) == hsm::result::held);
    s.agent.release();
    SUBCASE("outermost") { CHECK(s.tick() == "X A, X M, E out, U out"); }
    SUBCASE("the outermost is refused: the inner one fires") {
        s.r.go = false;
        CHECK(s.tick() == "X A, E B, U M, U B");
    }
}

TEST_CASE("the consequences of a pending event are complete before the next one is tried") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M")).hold();
    auto& a = traced(m.add("A")).hold();
    auto& b = traced(m.add("B"));
    auto& c = traced(m.add("C"));
    auto& out = traced(root->add("out"));
    m.to(out).on<event<2>>();
    a.to(b).on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.process(event<3>{}); });
    b.to(c).on<event<3>>();
    started s(std::move(root));
    s.agent.process(event<2>{});
    s.agent.process(event<1>{});
    s.agent.release(a);
    CHECK(s.tick() == "X A, E B, X B, E C, U M, U C"); // M still holds
    s.agent.release(m);
    CHECK(s.tick() == "X C, X M, E out, U out");
}

TEST_CASE("a request is held with priority 0; force_to is not") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold().on_exit(note_exit);
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(c).on<event<1>>().priority(1);
    started m(std::move(root));
    SUBCASE("it waits") {
        CHECK(m.agent.change_to(b) == hsm::result::held);
        m.agent.release();
        CHECK(m.tick() == "X A, request A>B, E B, U B");
    }
    SUBCASE("a later request replaces it") {
        CHECK(m.agent.change_to(b) == hsm::result::held);
        CHECK(m.agent.change_to(c) == hsm::result::held);
        m.agent.release();
        CHECK(m.tick() == "X A, request A>C, E C, U C");
    }
    SUBCASE("an event of higher priority stays") {
        CHECK(m.agent.process(event<1>{}) == hsm::result::held);
        CHECK(m.agent.change_to(b) == hsm::result::refused);
        m.agent.release();
        CHECK(m.tick() == "X A, event A>C, E C, U C");
    }
    SUBCASE("force") {
        CHECK(m.agent.change_to(c) == hsm::result::held);
        CHECK(m.agent.force_to(b) == hsm::result::taken);
        CHECK(m.r.take() == "X A, request A>B, E B");
        CHECK(m.tick() == "U B"); // the pending one was dropped with A
    }
}

TEST_CASE("a queued request of a hook can be held; a forced request is not") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    a.on<event<1>>().then([&](recorder&, hsm::step<recorder>& s) { CHECK(s.change_to(b) == hsm::result::queued); });
    a.on<event<2>>().then([&](recorder&, hsm::step<recorder>& s) { CHECK(s.force_to(b) == hsm::result::queued); });
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "");
    CHECK(m.agent.queued() == 0);
    SUBCASE("release") {
        m.agent.release();
        CHECK(m.tick() == "X A, E B, U B");
    }
    SUBCASE("force") { CHECK(m.process(event<2>{}) == "X A, E B"); }
}

TEST_CASE("a held successor waits, and each update requests it again") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    a.on_update([&](recorder& r) -> const hsm::state_base* { return r.go ? &b : nullptr; });
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.tick() == "U A");
    m.r.go = false;
    CHECK(m.tick() == "U A");
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a pending event out of a state with a least duration fires as soon as that has passed") {
    auto root = root_of();
    traced(*root);
    auto& a = traced(root->add("A")).min_duration(1.0);
    a.to(traced(root->add("B"))).on<event<1>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.tick(hsm::time_span::from_seconds(0.5)) == "U R, U A");
    SUBCASE("tick: before the walk") { CHECK(m.tick(hsm::time_span::from_seconds(0.5)) == "X A, E B, U R, U B"); }
    SUBCASE("update: after the first state's") { CHECK(m.update(hsm::time_span::from_seconds(0.5)) == "U R, X A, E B, U B"); }
}

TEST_CASE("a pending event out of a state that becomes ready in its update fires right after the update") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready).on_update([](recorder& r) { r.ready = true; });
    a.to(traced(root->add("B"))).on<event<1>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    SUBCASE("tick") { CHECK(m.tick() == "U A, X A, E B"); }
    SUBCASE("update") { CHECK(m.update() == "U A, X A, E B"); }
}
