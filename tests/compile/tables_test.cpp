// The tables of a chart: their contents and order for given definitions.

#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hsm::detail;
using namespace test;

namespace {

enum class key { left, right, up };

struct number {
    int value = 0;
};

template <class Define> hsm::chart<recorder> chart_of(Define define, hsm::compile_options options = {}) {
    auto root = hsm::make_fsm<recorder>("R");
    define(*root);
    return hsm::compile(std::move(root), options);
}

std::vector<int> priorities(const chart_core& core, const span_of& span) {
    std::vector<int> all;
    for (auto t = span.first; t < span.first + span.count; ++t) all.push_back(core.transitions[t].priority);
    return all;
}

enum class apart { near = 0, far = 1'000'000 };

} // namespace

TEST_CASE("states are in preorder, with their superstate, last descendant and depth") {
    const auto chart = chart_of([](auto& root) {
        auto& m = root.add_fsm("M");
        m.add("x");
        root.add("B");
    });
    const auto& s = chart.core().states;
    REQUIRE(s.size() == 4);
    CHECK((s[0].superstate == no_index && s[0].last == 3 && s[0].depth == 0));
    CHECK((s[1].superstate == 0 && s[1].last == 2 && s[1].depth == 1));
    CHECK((s[2].superstate == 1 && s[2].last == 2 && s[2].depth == 2));
    CHECK((s[3].superstate == 0 && s[3].last == 3 && s[3].depth == 1));
    CHECK(s[0].first == 1);
    CHECK(chart.core().toward(0, 2) == 1);
    CHECK(chart.core().common(2, 3) == 0);
    CHECK(chart.core().common(2, no_index) == no_index);
}

TEST_CASE("the transitions of a source are grouped by kind, in the order in which they are tried") {
    const auto chart = chart_of([](auto& root) {
        auto& a = root.add("A");
        auto& b = root.add("B");
        a.to(b).on(key::left).priority(1);
        a.to(b).priority(2);
        a.on(key::left).priority(5).then(tracing("reacts"));
        a.to(b).priority(7);
        a.when(&recorder::go).priority(3).then(tracing("reacts"));
    });
    const auto& core = chart.core();
    const auto& a = core.states[1];
    CHECK(priorities(core, a.polled) == std::vector<int>{7, 2});
    CHECK(priorities(core, a.reactions) == std::vector<int>{3});
    CHECK(priorities(core, a.events) == std::vector<int>{5, 1});
}

TEST_CASE("a deferral follows the other transitions of its state") {
    const auto chart = chart_of([](auto& root) {
        auto& a = root.add("A").template defer<key::left>();
        a.to(root.add("B")).on(key::left).priority(-3);
    });
    const auto& core = chart.core();
    const auto& events = core.states[1].events;
    REQUIRE(events.count == 2);
    CHECK_FALSE(core.transitions[events.first].defers);
    CHECK(core.transitions[events.first + 1].defers);
}

TEST_CASE("the row of a machine with a history contains the index of its record") {
    const auto chart = chart_of([](auto& root) {
        root.add_fsm("M").add("x");
        root.add_fsm("N").remembers().add("y");
        auto& o = root.add_fsm("O");
        o.add("z");
        o.add_history("h");
    });
    const auto& core = chart.core();
    CHECK(core.states[0].record == no_index);
    CHECK(core.states[1].record == no_index);
    CHECK(core.states[3].record == 0);
    CHECK(core.states[5].record == 1);
    CHECK(core.history_owners == std::vector<hsm::detail::index>{3, 5});
}

TEST_CASE("a dense enumeration has a column for each value; a sparse one is a list") {
    const auto chart = chart_of([](auto& root) {
        auto& a = root.add("A");
        auto& b = root.add("B");
        a.to(b).on(key::left);
        a.to(b).on(key::right);
        a.to(b).on(key::up); // more than of the other
        b.to(a).on(apart::near);
        b.to(a).on(apart::far);
    });
    const auto& core = chart.core();
    REQUIRE(core.main_type == &hsm::event_type_of<key>);
    CHECK(core.main_count > 1);
    const auto* const listed = core.column_of(hsm::event_type_of<apart>);
    REQUIRE(listed);
    CHECK(listed->listed);
    const auto of = [&](auto value) { return core.event_columns[core.find_event(hsm::detail::view_of_event(value))]; };
    CHECK(of(key::right) - of(key::left) == static_cast<std::uint32_t>(key::right) - static_cast<std::uint32_t>(key::left));
    CHECK(of(apart::near) != of(apart::far));
    CHECK(core.find_event(hsm::detail::view_of_event(static_cast<apart>(5))) == no_index);
}

TEST_CASE("regions are numbered in preorder from the root's region 0; each state has its innermost region") {
    const auto chart = chart_of([](auto& root) {
        root.add("A");
        auto& p = root.add_parallel("P");
        p.add_fsm("1").add("x");
        p.add("2");
    });
    const auto& core = chart.core();
    CHECK(core.regions == std::vector<hsm::detail::index>{0, 3, 5});
    CHECK(core.states[1].region == 0);
    CHECK(core.states[2].region == 0); // the parallel itself
    CHECK(core.states[4].region == 1);
    CHECK(core.states[5].region == 2);
    CHECK((core.states[2].regions.first == 1 && core.states[2].regions.count == 2));
    CHECK(core.states[0].regions.count == 2);
}

TEST_CASE("find_local returns the nearest local from a state outwards") {
    const auto chart = chart_of([](auto& root) {
        root.template local<number>(1);
        auto& m = root.add_fsm("M");
        m.template local<number>(2);
        m.add("x");
        root.add("B");
    });
    const auto& core = chart.core();
    const auto& type = local_type_of<number>;
    CHECK(core.find_local(2, type) == &core.locals[1]);
    CHECK(core.find_local(3, type) == &core.locals[0]);
    CHECK(core.find_local(no_index, type) == nullptr);
    CHECK(core.find_local(2, local_type_of<double>) == nullptr);
}

TEST_CASE("always transitions are sorted by the depth of their level, then of their source") {
    const auto chart = chart_of([](auto& root) {
        auto& m = root.add_fsm("M");
        auto& b = root.add("B");
        auto& x = m.add("x");
        auto& y = m.add("y");
        x.to(y).when(&recorder::go).always();
        m.to(y).when(&recorder::go).always();
        x.to(b).when(&recorder::go).always();
    });
    const auto& core = chart.core();
    std::string order;
    for (const auto t : core.always) order += core.states[core.transitions[t].source].node->path() + " ";
    CHECK(order == "R/M/x R/M R/M/x "); // to B above M, then those inside M
}
