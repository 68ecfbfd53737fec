// A chart is a handle to the compiled definition. Its copies share it.

#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace test;

namespace {

struct swing {
    int count = 0;
};
struct hit {};

/// R { A, M { x, y } }
auto make_small() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_enter(tracing("E A"));
    auto& m = root->add_fsm("M").local<swing>();
    a.to(m).on<hit>().when(&recorder::go).priority(3);
    m.add("x").transient().to(m.add_final("y")).then(tracing(""));
    m.to(a).on_finished();
    m.dispatch("x");
    return root;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("states are counted and listed in preorder from the root") {
    const auto chart = hsm::compile(make_small());
    CHECK(chart.state_count() == 5);
    std::string names;
    for (std::size_t i = 0; i < chart.state_count(); ++i) names += std::string(chart.state(i).name()) + " ";
    CHECK(names == "R A M x y ");
    CHECK(chart.root() == chart.state(0));
    for (std::size_t i = 0; i < chart.state_count(); ++i) CHECK(chart.state(i).get()->number() == i);
}

TEST_CASE("a chart has the type of its context") {
    static_assert(std::is_same_v<hsm::chart<recorder>::context_type, recorder>);
    static_assert(!std::is_convertible_v<hsm::chart<recorder>, hsm::chart<int>>);
    static_assert(!std::is_default_constructible_v<hsm::chart<recorder>>);
}

TEST_CASE("copies share the core, and the last copy destroys it") {
    const auto shared = std::make_shared<int>(1);
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on_enter([shared](recorder& r) { r.note("E A"); });
    std::optional<hsm::chart<recorder>> original(hsm::compile(std::move(root)));
    std::optional<hsm::chart<recorder>> copy(*original);
    CHECK(&original->core() == &copy->core());
    original.reset();
    CHECK(shared.use_count() == 2);
    {
        recorder r;
        hsm::instance agent{*copy, r};
        agent.start();
        CHECK(r.take() == "E A");
        CHECK(copy->find("A").path() == "R/A");
    }
    copy.reset();
    CHECK(shared.use_count() == 1);
}

TEST_CASE("a chart can be moved and assigned; a moved-from chart is empty") {
    auto one = hsm::compile(make_small());
    auto two = std::move(one);
    CHECK_FALSE(one);
    CHECK(two);
    auto root = hsm::make_fsm<recorder>("other");
    root->add("A");
    auto three = hsm::compile(std::move(root));
    three = two;
    CHECK(three.root().name() == "R");
    CHECK(&three.core() == &two.core());
    auto& same = two;
    two = same;
    CHECK(two.state_count() == 5);
    one = std::move(two);
    CHECK(one.state_count() == 5);
    CHECK_FALSE(two);
    two = one;
    CHECK(two);
}

TEST_CASE("several threads can copy and destroy handles of one chart") {
    const auto chart = hsm::compile(make_small());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&chart] {
            for (int i = 0; i < 1000; ++i) {
                const auto copy = chart;
                recorder r;
                hsm::instance agent{copy, r};
                agent.start();
            }
        });
    for (auto& t : threads) t.join();
    CHECK(chart.core().owner->users == 1);
}

TEST_CASE("charts with equal definitions are different charts") {
    const auto one = hsm::compile(make_small());
    const auto two = hsm::compile(make_small());
    CHECK_FALSE(one.find(*two.find("A").get()));
    CHECK(one.find(*one.find("A").get()));
}

TEST_CASE("the dump lists the contents of the tables") {
    const auto text = hsm::compile(make_small()).dump();
    CHECK(contains(text, "chart \"R\", superstate first\n"));
    CHECK(contains(text, "states: 5\n"));
    CHECK(contains(text, "0  R  [machine]"));
    CHECK(contains(text, "1    A  [leaf] enter:1"));
    CHECK(contains(text, "2    M  [machine]"));
    CHECK(contains(text, "swing@0"));
    CHECK(contains(text, "3      x  [transient]"));
    CHECK(contains(text, "4      y  [final]"));
    CHECK(contains(text, "transitions: 4"));
    CHECK(contains(text, "event     A -> M on hit level R priority 3 guards:1\n"));
    CHECK(contains(text, "dispatch  M -> x level M\n"));
    CHECK(contains(text, "polled    M -> A on finished level R\n"));
    CHECK(contains(text, "polled    x -> y on poll level M actions:1\n"));
    CHECK(contains(text, "events: 1\n"));
    CHECK(contains(text, "hit\n"));
    CHECK(contains(text, std::to_string(sizeof(swing)) + " of them locals\n"));
}

TEST_CASE("the dump lists reactions, initials, hooks of every kind, and substate_first") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_update(tracing("")).on_update(tracing("")).on_exit(tracing(""));
    root->on_change([](hsm::state_ref, hsm::state_ref, hsm::reason) {});
    root->initial(a);
    root->to(*root).on("reset");
    a.when(&recorder::go).then(tracing(""));
    a.on("nudge");
    root->transient();
    const auto text = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first}).dump();
    CHECK(contains(text, "substate first\n"));
    CHECK(contains(text, "R  [transient machine] on_change:1"));
    CHECK(contains(text, "A  [leaf] update:2 exit:1"));
    CHECK(contains(text, "initial   R -> A level R\n"));
    CHECK(contains(text, "reaction  A -> internal on poll guards:1 actions:1\n"));
    CHECK(contains(text, "event     A -> internal on nudge\n"));
    CHECK(contains(text, "event     R -> R on reset level -\n"));
}
