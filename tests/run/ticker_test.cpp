// Ticks: levels decide one after the other; what the tick still does after one of them has fired.

#include <tests/support/started.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

using namespace test;

namespace {

/// Each guard records its call, and returns what the test sets.
struct asked {
    recorder r;
    std::string yes;     ///< the guards that hold, by a letter each
    std::string thrower; ///< the guard that throws
};

auto asks(char name) {
    return [name](const asked& a) {
        const_cast<recorder&>(a.r).note(std::string(1, name) + '?');
        if (a.thrower.find(name) != std::string::npos) throw std::runtime_error(std::string(1, name));
        return a.yes.find(name) != std::string::npos;
    };
}

auto notes(std::string text) {
    return [text](asked& a) { a.r.note(text); };
}

/// R{ M{ N{ a b } c } o }: a leaf three levels deep. Each level has a transition: r from M to O, m from N to c, n from a to b.
struct levels {
    explicit levels(const hsm::compile_options& options = {}, bool updates = false) : chart(make(options, updates)), agent(chart, fixture) {
        agent.start();
    }

    static hsm::chart<asked> make(const hsm::compile_options& options, bool updates) {
        auto root = hsm::make_fsm<asked>("R");
        auto& m = root->add_fsm("M");
        auto& n = m.add_fsm("N");
        auto& a = n.add("a").on_enter(notes("E a"));
        auto& b = n.add("b").on_enter(notes("E b"));
        auto& c = m.add("c").on_enter(notes("E c"));
        auto& o = root->add_fsm("O");
        auto& p = o.add("p").on_enter(notes("E p"));
        auto& q = o.add("q").on_enter(notes("E q"));
        m.to(o).when(asks('r'));
        n.to(c).when(asks('m'));
        a.to(b).when(asks('n'));
        p.to(q).when(asks('p'));
        if (updates) n.on_update(notes("U N"));
        return hsm::compile(std::move(root), options);
    }

    std::string take(hsm::result outcome) { return fixture.r.take() + (outcome == hsm::result::taken ? " taken" : " nothing"); }
    std::string tick(std::string yes = "") {
        fixture.yes = std::move(yes);
        fixture.r.take();
        return take(agent.tick(0.1));
    }
    std::string decide(std::string yes = "") {
        fixture.yes = std::move(yes);
        fixture.r.take();
        return take(agent.decide());
    }

    asked fixture;
    hsm::chart<asked> chart;
    hsm::instance<asked> agent;
};

} // namespace

TEST_CASE("the levels of a leaf decide from the outside inwards, each once") {
    levels l;
    CHECK(l.tick() == "r?, m?, n? nothing");
    CHECK(l.decide() == "r?, m?, n? nothing");
}

TEST_CASE("when a level has fired, its inner levels decide from the new leaf") {
    CHECK(levels().tick("r") == "r?, E p, p? taken");
    CHECK(levels().tick("rp") == "r?, E p, p?, E q taken");
    CHECK(levels().tick("m") == "r?, m?, E c taken");
    CHECK(levels().tick("n") == "r?, m?, n?, E b taken");
    CHECK(levels().decide("rp") == "r?, E p, p?, E q taken");
    CHECK(levels().decide("m") == "r?, m?, E c taken");
    CHECK(levels().decide("n") == "r?, m?, n?, E b taken");
}

TEST_CASE("an update between two levels separates their decisions") {
    levels l({}, true);
    CHECK(l.tick() == "r?, m?, U N, n? nothing");
    CHECK(l.decide() == "r?, m?, n? nothing");
    CHECK(l.tick("n") == "r?, m?, U N, n?, E b taken");
    CHECK(l.agent.update(0.1) == hsm::result::unhandled);
    CHECK(l.fixture.r.take() == "U N");
}

TEST_CASE("if the innermost state decides first, only one transition fires") {
    const hsm::compile_options options{.order = hsm::decision_order::substate_first};
    CHECK(levels(options).tick() == "n?, m?, r? nothing");
    CHECK(levels(options).tick("rmn") == "n?, E b taken");
    CHECK(levels(options).tick("rp") == "n?, m?, r?, E p taken");
}

TEST_CASE("a guard that throws after another level has fired: the machine continues from the new state") {
    levels l;
    l.fixture.thrower = "p";
    CHECK_THROWS_WITH(l.tick("r"), "p");
    CHECK(l.agent.current().path() == "R/O/p");
    l.fixture.thrower = "";
    CHECK(l.tick("p") == "p?, E q taken");
    CHECK(l.agent.now() == hsm::time_span::from_seconds(0.2));
}

TEST_CASE("work that an action queues precedes the next decision") {
    auto root = root_of();
    auto& a = root->add_fsm("A");
    auto& inner = a.add("inner");
    auto& b = root->add_fsm("B");
    auto& first = traced(b.add("first"));
    auto& second = traced(b.add("second"));
    a.to(b).when(&recorder::go).then([](recorder& r, hsm::step<recorder>& s) { r.note("action"), s.process(event<1>{}); });
    first.to(second).on<event<1>>();
    second.to(first).when(&recorder::ready);
    inner.on<event<2>>().then(tracing("2"));
    started m(std::move(root));
    m.r.go = m.r.ready = true;
    CHECK(m.tick() == "action, E first, X first, E second, X second, E first, U first");
}

TEST_CASE("times of states that a decision enters begin with the tick") {
    auto root = root_of();
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.to(b).when(&recorder::go);
    started m(std::move(root));
    m.tick(hsm::time_span::from_seconds(1.0));
    m.r.go = true;
    m.tick(hsm::time_span::from_seconds(2.0));
    CHECK(m.agent.time_in_state("b") == hsm::time_span::from_seconds(0.0));
    m.tick(hsm::time_span::from_seconds(0.5));
    CHECK(m.agent.time_in_state("b") == hsm::time_span::from_seconds(0.5));
    CHECK(m.agent.time_in_state("R") == hsm::time_span::from_seconds(3.5));
}

TEST_CASE("a pulse ends with the tick that reads it, whether or not a transition fires") {
    auto root = root_of();
    auto& a = traced(root->add("a"));
    auto& b = traced(root->add("b"));
    a.to(b).when(hsm::all("Go", "Ready"));
    started m(std::move(root));
    const auto go = m.chart.condition("Go"), ready = m.chart.condition("Ready");
    m.agent.pulse(go);
    CHECK(m.agent.get(go));
    CHECK(m.tick() == "U a");
    CHECK_FALSE(m.agent.get(go));
    m.agent.set(ready);
    m.agent.pulse(go);
    m.agent.set(go); // stays set
    CHECK(m.tick(hsm::time_span::from_seconds(0.5)) == "X a, E b, U b");
    CHECK(m.agent.get(go));
    CHECK(m.agent.time_in_state("b") == hsm::time_span());
    m.agent.pulse(go);
    CHECK(m.agent.tick(hsm::time_span::from_seconds(-1.0)) == hsm::result::refused);
    CHECK(m.agent.get(go));
}

TEST_CASE("a condition handle belongs to its chart") {
    auto root = root_of();
    const auto go = root->condition("Go");
    auto other_root = root_of();
    const auto other = other_root->condition("Go");
    auto& a = root->add("a");
    a.to(root->add("b")).when(go);
    other_root->add("a").to(other_root->add("b")).when(other);
    started m(std::move(root));
    started n(std::move(other_root));
    m.agent.set(go);
    CHECK(m.agent.get(go));
    CHECK_THROWS_AS(m.agent.set(other), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.pulse(other), hsm::condition_error);
    CHECK_THROWS_AS(static_cast<void>(m.agent.get(other)), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.set(hsm::condition()), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.set(hsm::is_over), hsm::condition_error);
    m.agent.clear(go);
    CHECK_FALSE(m.agent.get(go));
}

TEST_CASE("a condition that is set by its handle while a guard runs is not set") {
    struct fixture : recorder {
        hsm::instance<fixture>* agent = nullptr;
        hsm::condition go;
    };
    auto root = hsm::make_fsm<fixture>("R");
    root->condition("Go");
    root->add("a").to(root->add("b")).when([](const fixture& w) {
        if (w.agent) w.agent->set(w.go);
        return false;
    });
    const auto chart = hsm::compile(std::move(root));
    fixture w;
    hsm::instance agent(chart, w);
    agent.start();
    w.agent = &agent;
    w.go = chart.condition("Go");
    agent.tick();
    CHECK_FALSE(agent.get(w.go));
}

TEST_CASE("is_in accepts a reference, also while a hook runs, and throws for a reference of another chart") {
    struct fixture {
        hsm::instance<fixture>* agent = nullptr;
        hsm::state_ref a, b;
        std::string seen;
    };
    auto root = hsm::make_fsm<fixture>("R");
    auto& a = root->add("a");
    auto& b = root->add("b").on_enter([](fixture& w) {
        if (w.agent) w.seen = std::string(w.agent->is_in(w.a) ? "a" : "-") + (w.agent->is_in(w.b) ? "b" : "-");
    });
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    fixture w;
    hsm::instance agent(chart, w);
    w.agent = &agent;
    w.a = chart.find("a"), w.b = chart.find("b");
    CHECK_FALSE(agent.is_in(w.a));
    agent.start();
    CHECK(agent.is_in(w.a));
    CHECK_FALSE(agent.is_in(w.b));
    CHECK(agent.is_in(chart.find("R")));
    agent.process(event<1>{});
    CHECK(w.seen == "-b");
    auto other = root_of();
    other->add("a");
    const auto elsewhere = hsm::compile(std::move(other));
    CHECK_THROWS_AS(static_cast<void>(agent.is_in(elsewhere.find("a"))), hsm::state_error);
    CHECK_THROWS_AS(static_cast<void>(agent.is_in(hsm::state_ref())), hsm::state_error);
}

TEST_CASE("a satisfied transition blocks the later ones of its source, in every way of deciding") {
    bool shared = false;
    for (const std::size_t budget : {0u, 200u, 500u, 1'000u, 2'000u, 4'000u, 100'000u}) {
        auto root = root_of();
        auto& m = root->add_fsm("M");
        auto& a = traced(m.add("a"));
        auto& b = traced(m.add("b"));
        for (int i = 0; i < 20; ++i) m.add("more" + std::to_string(i));
        m.to(a).when([](const recorder&) { return true; });
        m.to(b).when([](const recorder&) { return true; });
        started s(std::move(root), {.program_memory = budget});
        const auto& programs = s.chart.core().level_programs;
        shared |= s.chart.core().by_parts && std::ranges::any_of(programs, [](auto p) { return p != 0; });
        CHECK(s.decide() == "");
        CHECK(s.change_to("M/b") == "X a, E b");
        CHECK(s.decide() == "X b, E a");
        CHECK(s.tick() == "U a");
    }
    CHECK(shared);
}
