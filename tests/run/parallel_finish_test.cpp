// When regions and parallels are finished, and what follows in which order.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// R{ P{ 1{a, f1} 2{c, f2} }, B }: events 1 and 2 finish the regions, P goes to B once it is finished.
struct ending {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::parallel<recorder>& p = traced(root->add_parallel("P"));
    hsm::fsm<recorder>& one = traced(p.add_fsm("1"));
    hsm::state<recorder>& a = traced(one.add("a"));
    hsm::state<recorder>& f1 = traced_final(one.add_final("f1"));
    hsm::fsm<recorder>& two = traced(p.add_fsm("2"));
    hsm::state<recorder>& c = traced(two.add("c"));
    hsm::state<recorder>& f2 = traced_final(two.add_final("f2"));
    hsm::state<recorder>& b = traced(root->add("B"));

    ending() {
        a.to(f1).on<event<1>>();
        c.to(f2).on<event<2>>();
        p.to(b).on_finished();
    }
};

} // namespace

TEST_CASE("a parallel is finished only when all of its regions are") {
    ending t;
    started m(std::move(t.root));
    SUBCASE("first to last") {
        CHECK(m.process(event<1>{}) == "X a, E f1");
        CHECK(m.tick() == "U P, U 1, U 2, U c");
        CHECK(m.process(event<2>{}) == "X c, E f2, X f2, X 2, X f1, X 1, X P, E B");
    }
    SUBCASE("last to first") {
        CHECK(m.process(event<2>{}) == "X c, E f2");
        CHECK(m.process(event<1>{}) == "X a, E f1, X f2, X 2, X f1, X 1, X P, E B");
    }
}

TEST_CASE("regions that end in one step end their parallel in it") {
    ending t;
    t.a.to(t.f1).on<event<3>>();
    t.c.to(t.f2).on<event<3>>();
    started m(std::move(t.root));
    CHECK(m.process(event<3>{}) == "X c, X a, E f1, E f2, X f2, X 2, X f1, X 1, X P, E B");
}

TEST_CASE("a parallel whose regions begin in final states is finished immediately") {
    ending t;
    t.one.initial(t.f1);
    t.two.initial(t.f2);
    started m(std::move(t.root));
    m.stop();
    CHECK(m.start() == "E P, E 1, E f1, E 2, E f2, X f2, X 2, X f1, X 1, X P, E B");
}

TEST_CASE("a finished first region does not finish its parallel while another region rests or runs") {
    ending t;
    t.one.initial(t.f1);
    t.two.dispatch(t.c).when(&recorder::go);
    started m(std::move(t.root));
    CHECK(leaves_of(m.agent) == "f1 2");
    CHECK(m.tick() == "U P, U 1, U 2");
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U 2, E c, U c");
    CHECK(m.process(event<2>{}) == "X c, E f2, X f2, X 2, X f1, X 1, X P, E B");
}

TEST_CASE("a region that is a leaf finishes by finish(); the mark stays") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& x = traced(p.add("x"));
    auto& y = traced(p.add("y"));
    p.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    m.agent.finish(x);
    CHECK(m.tick() == "U P, U x, U y");
    m.agent.finish(y);
    CHECK(m.tick() == "X y, X x, X P, E B, U B");
}

TEST_CASE("finish from outside without a state finishes the parallel") {
    ending t;
    started m(std::move(t.root));
    m.agent.finish();
    CHECK(m.tick() == "X c, X 2, X a, X 1, X P, E B, U B");
}

TEST_CASE("an inner parallel finishes its region when it is finished itself; then the outer one") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& q = traced(p.add_parallel("Q"));
    const auto region = [](auto& in, std::string name, auto e) {
        auto& r = traced(in.add_fsm(name));
        auto& busy = traced(r.add(name + "busy"));
        busy.to(traced_final(r.add_final(name + "end"))).template on<decltype(e)>();
    };
    region(q, "q1", event<1>{});
    region(q, "q2", event<2>{});
    region(p, "r", event<3>{});
    p.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    const std::string out = "X rend, X r, X q2end, X q2, X q1end, X q1, X Q, X P, E B";
    SUBCASE("the inner one last") {
        CHECK(m.process(event<3>{}) == "X rbusy, E rend");
        CHECK(m.process(event<1>{}) == "X q1busy, E q1end");
        CHECK(m.process(event<2>{}) == "X q2busy, E q2end, " + out);
    }
    SUBCASE("the inner one first") {
        CHECK(m.process(event<2>{}) == "X q2busy, E q2end");
        CHECK(m.process(event<1>{}) == "X q1busy, E q1end");
        CHECK(m.process(event<3>{}) == "X rbusy, E rend, " + out);
    }
}

TEST_CASE("a finished machine in a region does not finish the region") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& inner = traced(one.add_fsm("inner"));
    traced(inner.add("x")).to(traced_final(inner.add_final("end"))).on<event<1>>();
    inner.to(traced_final(one.add_final("done"))).on_finished().when(&recorder::go);
    traced(p.add("2"));
    p.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    m.agent.finish("2");
    CHECK(m.process(event<1>{}) == "X x, E end");
    CHECK(m.tick() == "U P, U 1, U inner, U 2");
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, X end, X inner, E done, X 2, X done, X 1, X P, E B");
}

TEST_CASE("marked states complete oldest first; of nested ones the outer state comes first, or the inner one with substate_first") {
    const auto define = [] {
        auto root = root_of();
        auto& p = root->add_parallel("P");
        auto& one = p.add_fsm("1");
        auto& inner = one.add_fsm("inner");
        auto& x = inner.add("x");
        auto& two = p.add_fsm("2");
        auto& c = two.add("c");
        const auto guarded = [&](hsm::state<recorder>& s, std::string name) {
            s.to(s).on_finished().when([name](const recorder& r) {
                const_cast<recorder&>(r).note(name); // records the order of the guards
                return false;
            });
        };
        guarded(p, "P");
        guarded(one, "1");
        guarded(inner, "inner");
        guarded(x, "x");
        guarded(two, "2");
        guarded(c, "c");
        return root;
    };
    const auto asked = [&](hsm::decision_order order) {
        started m(define(), {.order = order});
        for (const auto* s : {"2/c", "2", "1/inner/x", "1/inner", "1"}) m.agent.finish(s); // P is finished when its regions are
        m.agent.drain();
        return m.r.take();
    };
    CHECK(asked(hsm::decision_order::superstate_first) == "P, 2, c, 1, inner, x");
    CHECK(asked(hsm::decision_order::substate_first) == "c, 2, x, inner, 1, P");
}

TEST_CASE("the last final state completes its machine and the parallel, in the order of decision") {
    const auto define = [](bool region_goes) {
        ending t;
        t.two.to(t.c).on_finished().when([region_goes](const recorder& r) {
            const_cast<recorder&>(r).note("2 is over");
            return region_goes;
        });
        t.p.to(t.b).on_finished().priority(1).when([](const recorder& r) {
            const_cast<recorder&>(r).note("P is over");
            return false;
        });
        return std::move(t.root);
    };
    SUBCASE("superstate_first: the parallel exits before its region's guard is called") {
        started m(define(true));
        m.process(event<1>{});
        CHECK(m.process(event<2>{}) == "X c, E f2, P is over, X f2, X 2, X f1, X 1, X P, E B");
    }
    SUBCASE("substate_first: the region decides first, and its transition fires; the parallel is finished anyway") {
        started m(define(true), substates_first);
        m.process(event<1>{});
        CHECK(m.process(event<2>{}) == "X c, E f2, 2 is over, X f2, E c, P is over, X c, X 2, X f1, X 1, X P, E B");
    }
    SUBCASE("substate_first: the region decides first, and its guard refuses") {
        started m(define(false), substates_first);
        m.process(event<1>{});
        CHECK(m.process(event<2>{}) == "X c, E f2, 2 is over, P is over, X f2, X 2, X f1, X 1, X P, E B");
    }
}

TEST_CASE("a final state's superstate finishes before the states around it") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& inner = traced(m.add_fsm("inner"));
    auto& x = traced(inner.add("x"));
    auto& end = traced_final(inner.add_final("end"));
    x.to(end).on<event<1>>();
    inner.to(traced_final(m.add_final("done"))).on_finished();
    m.to(traced(root->add("B"))).on_finished();
    started s(std::move(root), substates_first);
    CHECK(s.process(event<1>{}) == "X x, E end, X end, X inner, E done, X done, X M, E B");
}

TEST_CASE("completion in one region does not affect the others") {
    two_regions t;
    auto& inner = traced(t.one.add_fsm("inner"));
    traced_final(inner.add_final("end"));
    t.a.to(inner).on<event<1>>();
    inner.to(t.b).on_finished();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X a, E inner, E end, X end, X inner, E b");
    CHECK(leaves_of(m.agent) == "b c");
}

TEST_CASE("the root is finished when its own final state is entered, also from inside a region") {
    two_regions t;
    auto& end = traced_final(t.root->add_final("end"));
    t.c.to(end).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X 2, X a, X 1, X P, E end");
    CHECK(m.agent.finished());
    CHECK(m.agent.process(event<1>{}) == hsm::result::inactive);
    CHECK(m.stop() == "X end");
}

TEST_CASE("a region that completes itself again and again does not keep the others from completing") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& one = p.add_fsm("1");
    const auto finish = [](recorder& r, hsm::step<recorder>& s) {
        r.go = true;
        s.finish();
    };
    auto& a = one.add("a").on_enter([](recorder& r, hsm::step<recorder>& s) {
        if (!r.go) return;
        r.note("a");
        s.finish();
    });
    a.to(a).on_finished();
    a.on<event<1>>().then(finish);
    auto& two = p.add_fsm("2");
    auto& c = two.add("c");
    c.to(traced(two.add("d"))).on_finished();
    c.on<event<1>>().then(finish);
    hsm::compile_options options;
    SUBCASE("superstate_first") {}
    SUBCASE("substate_first") { options = substates_first; }
    const auto chart = hsm::compile(std::move(root), options);
    recorder r;
    hsm::instance agent{chart, r, {.chain_limit = 6}};
    agent.start();
    CHECK_THROWS_AS(agent.process(event<1>{}), hsm::chain_error);
    CHECK(r.take() == "a, E d, a, a, a, a");
}
