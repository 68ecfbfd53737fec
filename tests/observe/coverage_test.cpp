// Coverage of a chart: exact counts, missing items, and requirements.

#include <hsm/observe/coverage.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <optional>

using hsm::coverage_kind;
using test::hero;
using test::hit;
using test::rest;

namespace {

std::vector<std::string> texts(const std::vector<hsm::coverage_item>& items) {
    std::vector<std::string> all;
    for (const auto& item : items) all.push_back(item.text);
    return all;
}
using list = std::vector<std::string>;

std::string figures(const hsm::coverage_share& share) { return std::to_string(share.seen) + " of " + std::to_string(share.all); }

/// A hero that is observed from the start.
struct watched {
    explicit watched(hsm::chart<hero> c = test::hero_chart()) : chart(std::move(c)), seen(chart), agent(chart, context) {
        attached = seen.watch(agent);
        agent.start();
    }
    std::uint64_t entered(std::string_view path) const { return seen.entered(chart.view().find(path)); }
    std::uint64_t taken(std::size_t n) const { return seen.taken(chart.view().transition(n)); }
    std::uint64_t followed(std::size_t first, std::size_t next) const {
        return seen.followed(chart.view().transition(first), chart.view().transition(next));
    }
    std::string figures_of(coverage_kind kind) const { return figures(seen.share(kind)); }

    hsm::chart<hero> chart;
    hsm::coverage seen;
    hero context;
    hsm::instance<hero> agent;
    hsm::attachment attached;
};

struct one {};
struct two {};
struct switches {
    bool a = false, b = false;
};

/// R {idle, M {x, y}, done}, with a choice, a group of conditions, a predicate that holds, a deferral and a reaction.
hsm::chart<switches> rich_chart() {
    auto root = hsm::make_fsm<switches>("R");
    auto& idle = root->add("idle");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    auto& y = m.add("y").hold_until([](const switches& s) { return s.a; });
    auto& before = m.add_deep_history("before");
    auto& which = root->add_choice("which");
    m.dispatch(y).when([](const switches& s) { return s.b; });
    m.dispatch(x);
    idle.to(m).on<one>().when(hsm::any("p", "q"));
    idle.to(which).on<two>();
    which.to(before).when("p");
    which.to(idle);
    x.defer<two>();
    x.on<rest>().then([](switches&) {});
    y.to(x).on<one>();
    m.to(idle).on<hit>();
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("each entered state counts, including the root") {
    watched w;
    w.agent.process(hit{0});
    w.agent.tick(0.01);
    w.agent.process(rest{});
    CHECK(w.entered("hero") == 1);
    CHECK(w.entered("hero/idle") == 2);
    CHECK(w.entered("hero/fight") == 1);
    CHECK(w.entered("slash") == 1);
    CHECK(w.entered("block") == 1);
    CHECK(w.entered("dead") == 0);
    CHECK(w.figures_of(coverage_kind::states) == "5 of 6");
    CHECK(texts(w.seen.missing(coverage_kind::states)) == list{"hero/dead"});
    CHECK(w.seen.missing(coverage_kind::states)[0].where.line == w.chart.view().find("dead").where().line);
}

TEST_CASE("each fired transition counts, and each result of a guard") {
    watched w;
    w.context.armed = false;
    w.agent.process(hit{0});
    w.agent.process(hit{0});
    w.context.armed = true;
    w.agent.process(hit{0});
    w.agent.tick(0.01);
    const auto view = w.chart.view();
    CHECK(w.taken(1) == 1); // idle -> fight
    CHECK(w.taken(3) == 1); // slash -> block
    CHECK(w.taken(4) == 0);
    CHECK(w.seen.answered(view.guard(1), true) == 1);
    CHECK(w.seen.answered(view.guard(1), false) == 2);
    CHECK(w.seen.answered(view.guard(0), true) == 0);
    CHECK(w.seen.answered(view.guard(0), false) == 1);
    CHECK(w.figures_of(coverage_kind::transitions) == "2 of 5");
    CHECK(w.figures_of(coverage_kind::guards) == "3 of 4");
    const auto dies = view.transition(0).text();
    CHECK(texts(w.seen.missing(coverage_kind::transitions)) == list{dies, view.transition(2).text(), view.transition(4).text()});
    CHECK(texts(w.seen.missing(coverage_kind::guards)) == list{view.guard(0).text() + " of " + dies + ": yes"});
}

TEST_CASE("a pair is a transition that exits the state that another one entered") {
    watched w;
    w.agent.process(hit{0}); // 1: idle -> fight, entered first by the start
    w.agent.tick(0.01);      // 3: slash -> block
    w.agent.tick(0.01);      // 4: block -> slash
    w.agent.process(rest{}); // 2: fight -> idle
    w.agent.process(hit{3}); // 1
    w.agent.tick(0.001);     // 0: hero -> dead
    CHECK(w.followed(1, 3) == 1);
    CHECK(w.followed(3, 4) == 1);
    CHECK(w.followed(4, 2) == 1);
    CHECK(w.followed(2, 1) == 1);
    CHECK(w.followed(1, 0) == 1);
    CHECK(w.followed(3, 2) == 0);
    // After 1 and 4 (slash): 0, 2, 3; after 2 (idle): 0, 1; after 3 (block): 0, 2, 4; after 0 (dead): nothing, for it is satisfied.
    CHECK(w.figures_of(coverage_kind::pairs) == "5 of 11");
    const auto text = [&](std::size_t n) { return w.chart.view().transition(n).text(); };
    CHECK(texts(w.seen.missing(coverage_kind::pairs)) == list{text(1) + ", then " + text(2), text(2) + ", then " + text(0),
                                                              text(3) + ", then " + text(0), text(3) + ", then " + text(2),
                                                              text(4) + ", then " + text(0), text(4) + ", then " + text(3)});
}

TEST_CASE("a request begins no pair") {
    watched w;
    w.agent.process(hit{0});
    w.agent.change_to("idle");
    w.agent.process(hit{0});
    CHECK(w.taken(1) == 2);
    CHECK(w.seen.share(coverage_kind::pairs).seen == 0);
}

TEST_CASE("events count in the innermost state; events without a transition are unexpected") {
    watched w;
    struct unheard {};
    w.agent.process(rest{});
    w.agent.process(unheard{});
    CHECK(w.seen.unexpected() == 2);
    w.agent.process(hit{0});
    w.agent.process(hit{0});
    w.agent.process(rest{});
    const auto view = w.chart.view();
    const auto hits = view.transition(1).event(), rests = view.transition(2).event();
    CHECK(w.seen.came(hits, view.find("idle")) == 1);
    CHECK(w.seen.came(hits, view.find("slash")) == 1);
    CHECK(w.seen.came(rests, view.find("slash")) == 1);
    CHECK(w.seen.unexpected() == 3);
    CHECK(w.figures_of(coverage_kind::events) == "2 of 3");
    CHECK(texts(w.seen.missing(coverage_kind::events)) == list{"test::rest in hero/fight/block"});
}

TEST_CASE("a pair belongs to one region, also when two regions fire in one step") {
    watched w(test::two_regions_chart());
    w.agent.process(hit{}); // 0: stand -> walk, 2: low -> high
    w.agent.process(rest{});
    w.agent.process(hit{});
    CHECK(w.taken(0) == 2);
    CHECK(w.taken(2) == 2);
    CHECK(w.followed(0, 1) == 1);
    CHECK(w.followed(2, 3) == 1);
    CHECK(w.followed(1, 0) == 1);
    CHECK(w.followed(3, 2) == 1);
    CHECK(w.figures_of(coverage_kind::pairs) == "4 of 4");
    CHECK(w.figures_of(coverage_kind::events) == "4 of 4");
    CHECK(w.figures_of(coverage_kind::states) == "8 of 8");
}

TEST_CASE("choices, groups of conditions, hold predicates, deferrals and reactions are items; histories are not") {
    const auto chart = rich_chart();
    hsm::coverage seen(chart);
    switches s;
    hsm::instance agent{chart, s};
    const auto attached = seen.watch(agent);
    agent.start();
    CHECK(figures(seen.share(coverage_kind::states)) == "2 of 6"); // R, idle, M, x, y, which
    CHECK(figures(seen.share(coverage_kind::transitions)) == "0 of 10");
    CHECK(figures(seen.share(coverage_kind::guards)) == "0 of 8"); // two groups, the choice's guard, the predicate
    agent.process(one{});
    CHECK(figures(seen.share(coverage_kind::guards)) == "1 of 8");
    agent.process(two{}); // which -> idle
    agent.set("p");
    agent.process(one{}); // M chooses x
    agent.process(two{}); // deferred
    agent.process(rest{});
    CHECK(figures(seen.share(coverage_kind::states)) == "5 of 6");
    CHECK(texts(seen.missing(coverage_kind::states)) == list{"R/M/y"});
    CHECK(figures(seen.share(coverage_kind::transitions)) == "6 of 10");
    const auto view = chart.view();
    for (const auto t : view.transitions())
        if (t.defers()) CHECK(seen.taken(t) == 1);
    s.b = true;
    agent.process(hit{}); // then the deferred event: which -> before, which is x
    agent.process(hit{});
    agent.process(one{}); // M chooses y
    agent.process(one{}); // `which` holds
    s.a = true;
    agent.tick();
    CHECK(texts(seen.missing()) == list{});
    CHECK(seen.ratio() == 1);
}

TEST_CASE("a transition for several events is one item") {
    enum class key { up, down, left };
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.to(b).on(hsm::range(key::up, key::left)).when([](const hero& h) { return h.armed; }).when("p");
    a.to(a).on<key::down>().when([](const hero& h) { return !h.armed; });
    b.to(a).on<rest>();
    const auto chart = hsm::compile(std::move(root));
    REQUIRE(chart.view().transitions().size() > 3);
    hsm::coverage seen(chart);
    CHECK(seen.share(coverage_kind::transitions).all == 3);
    CHECK(seen.share(coverage_kind::guards).all == 6);
    hero h;
    hsm::instance agent{chart, h};
    const auto attached = seen.watch(agent);
    agent.start();
    agent.set("p");
    for (const auto each : {key::up, key::down, key::left}) {
        agent.process(each);
        agent.process(rest{});
    }
    const auto view = chart.view();
    for (const auto t : view.transitions())
        if (t.same_as().number() != t.number()) CHECK(seen.taken(t) == 3);
    CHECK(texts(seen.missing(coverage_kind::transitions)).size() == 1);
    CHECK(seen.share(coverage_kind::guards).seen == 2); // all are true; the other transition is never evaluated
}

TEST_CASE("the pairs of two watched instances are separate") {
    const auto chart = test::hero_chart();
    hsm::coverage seen(chart);
    hero h;
    hsm::instance first{chart, h}, second{chart, h};
    const auto a = seen.watch(first), b = seen.watch(second);
    first.start();
    second.start();
    first.process(hit{0});
    second.process(hit{0});
    first.process(rest{});
    second.tick(0.01);
    const auto t = chart.view().transitions();
    CHECK(seen.entered(chart.view().root()) == 2);
    CHECK(seen.taken(t[1]) == 2);
    CHECK(seen.followed(t[1], t[2]) == 1);
    CHECK(seen.followed(t[1], t[3]) == 1);
    CHECK(seen.share(coverage_kind::pairs).seen == 2);
}

TEST_CASE("a coverage that is attached as an observer counts several instances and agents of a crowd") {
    const auto chart = test::hero_chart();
    hsm::coverage seen(chart);
    const auto t = chart.view().transitions();
    for (int i = 0; i < 2; ++i) {
        hero h;
        hsm::instance agent{chart, h};
        const auto attached = agent.attach(seen, hsm::coverage::kinds);
        agent.start();
        agent.process(hit{0});
    }
    CHECK(seen.taken(t[1]) == 2);
    CHECK(seen.share(coverage_kind::pairs).seen == 0);
    hsm::crowd<hero> herd(chart);
    const auto attached = herd.attach(seen);
    const auto first = herd.add(hero{}), second = herd.add(hero{});
    herd[first]->process(hit{0});
    herd[second]->process(hit{0});
    herd[first]->process(rest{});
    herd.tick(0.01);
    CHECK(seen.taken(t[1]) == 4);
    CHECK(seen.followed(t[1], t[2]) == 1);
    CHECK(seen.followed(t[1], t[3]) == 1);
    CHECK(seen.share(coverage_kind::pairs).seen == 2);
}

TEST_CASE("a machine of another chart is refused; one of an equal chart is not") {
    const auto chart = test::hero_chart(), equal = test::hero_chart(), other = test::two_regions_chart();
    hsm::coverage seen(chart);
    hero h;
    hsm::instance agent{equal, h}, stranger{other, h};
    const auto attached = seen.watch(agent);
    agent.start();
    CHECK(seen.entered(chart.view().root()) == 1);
    CHECK_THROWS_WITH_AS((void)seen.watch(stranger), doctest::Contains("HSM-342"), hsm::coverage_error);
    CHECK_THROWS_WITH((void)seen.watch(stranger), doctest::Contains("coverage of \"hero\""));
    stranger.start();
    hsm::coverage unused(chart);
    CHECK_THROWS_WITH((void)stranger.attach(unused), doctest::Contains("HSM-342"));
    CHECK_NOTHROW(stranger.process(hit{}));
    CHECK(unused.share().seen == 0);
    CHECK(unused.unexpected() == 0);
}

TEST_CASE("a coverage that watches a manager ignores machines of other charts") {
    const auto chart = test::hero_chart(), other = test::two_regions_chart();
    hsm::coverage seen(chart);
    hsm::manager all;
    hero h;
    const auto attached = seen.watch(all);
    all.create("stranger", other, h)->start();
    all.create("one", chart, h)->start();
    all.broadcast(hit{0});
    CHECK(seen.entered(chart.view().root()) == 1);
    CHECK(seen.taken(chart.view().transition(1)) == 1);
    CHECK(seen.taken(chart.view().transition(0)) == 0);
    CHECK_THROWS_WITH((void)hsm::coverage(rich_chart()).watch(all), doctest::Contains("HSM-342"));
}

TEST_CASE("coverage of the same chart is added; coverage of another chart is refused") {
    watched w, v;
    w.agent.process(hit{0});
    v.agent.process(hit{0});
    v.agent.process(rest{});
    w.seen.merge(v.seen);
    CHECK(w.entered("hero") == 2);
    CHECK(w.entered("idle") == 3);
    CHECK(w.taken(1) == 2);
    CHECK(w.taken(2) == 1);
    CHECK(w.followed(1, 2) == 1);
    w.seen.merge(w.seen);
    CHECK(w.entered("idle") == 6);
    hsm::coverage other(test::two_regions_chart());
    CHECK_THROWS_WITH_AS(other.merge(w.seen), doctest::Contains("HSM-342"), hsm::coverage_error);
    CHECK(other.share().seen == 0);
    w.seen.clear();
    CHECK(w.seen.share().seen == 0);
    w.agent.process(rest{});
    CHECK(w.taken(2) == 1);
}

TEST_CASE("an empty chart cannot be covered") {
    auto chart = test::hero_chart();
    const auto moved = std::move(chart);
    CHECK_THROWS_WITH(hsm::coverage{chart}, doctest::Contains("HSM-206"));
}

TEST_CASE("a coverage keeps its chart") {
    std::optional<hsm::coverage> seen;
    {
        const auto chart = test::hero_chart();
        seen.emplace(chart);
    }
    CHECK(seen->missing(coverage_kind::states).size() == 6);
}

TEST_CASE("insufficient coverage is thrown, with the missing items and their places") {
    watched w;
    w.agent.process(hit{0});
    w.agent.tick(0.01);
    CHECK_NOTHROW(hsm::require(w.seen, 0.6)); // 5 + 2 + 2 of 6 + 5 + 4
    CHECK_NOTHROW(hsm::require(w.seen, {.states = 5.0 / 6, .transitions = 0.4}));
    const auto place = w.chart.view().find("dead").where().to_string();
    const auto dead = place + (place.empty() ? "" : ": ");
    CHECK_THROWS_WITH_AS(hsm::require(w.seen, {.states = 1}),
                         ("HSM-343 error: coverage of \"hero\": states: 83.3 % (5 of 6), required: 100.0 %\n  " + dead +
                          "never entered: hero/dead\n; hint: add tests for the missing items, or require less")
                             .c_str(),
                         hsm::coverage_error);
    CHECK_THROWS_WITH(hsm::require(w.seen, 0.61), doctest::Contains("states, transitions and guards: 60.0 % (9 of 15)"));
    CHECK_THROWS_WITH(hsm::require(w.seen, {.pairs = 0.5}), doctest::Contains("never one after the other"));
    CHECK_THROWS_WITH(hsm::require(w.seen, {.events = 1}), doctest::Contains("never arrived: test::rest in"));
}
