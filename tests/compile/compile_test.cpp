// The results of compile and try_compile, with and without errors and warnings.

#include <tests/support/findings.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace test;

namespace {

struct attack : hsm::fsm<recorder> {
    explicit attack(std::string name = "attack") : fsm(std::move(name)) { add("slash").on_enter(tracing("slash")); }
    void enter(recorder& r) const { r.note("enter"); }
};

struct broken : hsm::fsm<recorder> {
    broken() : fsm("broken") { add("A").to("nowhere"); }
};

std::string what_of(auto compile) {
    try {
        compile();
    } catch (const hsm::definition_error& e) {
        return codes_of(e.findings());
    }
    return "nothing";
}

auto with_two_errors() {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").to("nowhere");
    root->add_fsm("M");
    return root;
}

} // namespace

TEST_CASE("compile takes a root from make_fsm, a root of a class, or the class and its arguments") {
    static_assert(std::is_same_v<decltype(hsm::compile(hsm::make_fsm<attack>())), hsm::chart<recorder>>);
    static_assert(std::is_same_v<decltype(hsm::compile<attack>()), hsm::chart<recorder>>);
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    CHECK(hsm::compile(std::move(root)).root().name() == "R");
    CHECK(hsm::compile(hsm::make_fsm<attack>()).root().name() == "attack");
    CHECK(hsm::compile<attack>("other").root().name() == "other");
    const auto chart = hsm::compile<attack>();
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "enter, slash");
}

TEST_CASE("compile throws one exception with all errors") {
    CHECK(what_of([] { static_cast<void>(hsm::compile(with_two_errors())); }) == "HSM-002 at R/M, HSM-007 at R/A");
    CHECK(what_of([] { static_cast<void>(hsm::compile<broken>()); }) == "HSM-007 at broken/A");
    CHECK_THROWS_AS(static_cast<void>(hsm::compile<broken>()), std::exception);
}

TEST_CASE("try_compile returns the errors and does not throw") {
    const auto result = hsm::try_compile(with_two_errors());
    CHECK_FALSE(result);
    CHECK_FALSE(result.chart);
    CHECK(codes_of(result.findings) == "HSM-002 at R/M, HSM-007 at R/A");
    const auto fine = hsm::try_compile(hsm::make_fsm<attack>());
    CHECK(fine);
    CHECK(fine.findings.empty());
    CHECK(fine.chart.state_count() == 2);
}

TEST_CASE("HSM-001: compile requires a root") {
    CHECK(what_of([] { static_cast<void>(hsm::compile(hsm::owned<hsm::fsm<recorder>>())); }) == "HSM-001 at (nothing)");
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    CHECK(hsm::try_compile(std::move(root)));
    const auto again = hsm::try_compile(std::move(root));
    CHECK_FALSE(again);
    CHECK(only(again.findings).to_string() == "HSM-001 error at (nothing): the definition has no root; hint: create a root with "
                                              "make_fsm, and move it into compile once");
}

TEST_CASE("HSM-001: check requires a root") {
    const hsm::owned<hsm::fsm<recorder>> nothing;
    CHECK(codes_of(hsm::check(nothing)) == "HSM-001 at (nothing)");
}

TEST_CASE("a definition with warnings compiles; the chart and try_compile return the warnings") {
    const auto with_warning = [] {
        auto root = hsm::make_fsm<recorder>("R");
        root->add("A").transient();
        return root;
    };
    CHECK(codes_of(hsm::compile(with_warning()).warnings()) == "HSM-104 at R/A");
    const auto result = hsm::try_compile(with_warning());
    CHECK(result);
    CHECK(codes_of(result.findings) == "HSM-104 at R/A");
    CHECK(codes_of(result.chart.warnings()) == "HSM-104 at R/A");
    CHECK(hsm::compile<attack>().warnings().empty());
}

TEST_CASE("references into the definition stay valid, because the chart owns the nodes") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& machine = root->add_fsm("M");
    auto& leaf = machine.add("A");
    const auto transition = leaf.to(leaf).when(&recorder::go);
    const auto* address = &leaf;
    const auto chart = hsm::compile(std::move(root));
    CHECK_FALSE(root);
    CHECK(chart.find("M/A").get() == address);
    CHECK(leaf.path() == "R/M/A");
    CHECK(&transition.spec() == leaf.transitions()[0].get());
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.is_in(leaf));
    CHECK(agent.is_in(machine));
}

TEST_CASE("the compile options set the decision order of the whole chart") {
    const auto reaction = [](hsm::compile_options options) {
        auto root = hsm::make_fsm<recorder>("R");
        root->on("x").then(tracing("super"));
        root->add("A").on("x").then(tracing("sub"));
        const auto chart = hsm::compile(std::move(root), options);
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        agent.process("x");
        return r.take();
    };
    CHECK(reaction({}) == "super");
    CHECK(reaction({.order = hsm::decision_order::superstate_first}) == "super");
    CHECK(reaction({.order = hsm::decision_order::substate_first}) == "sub");
}

TEST_CASE("a definition with more than 65534 events is refused, or all of its events work") {
    auto root = hsm::make_fsm<recorder>("R");
    constexpr int machines = 300, events = 230; // 69000
    for (int m = 0; m < machines; ++m) {
        auto& s = root->add("s" + std::to_string(m));
        if (m) root->to(s).on("go" + std::to_string(m));
        for (int e = 0; e < events; ++e) s.on("e" + std::to_string(m * events + e));
    }
    const auto result = hsm::try_compile(std::move(root));
    if (!result) {
        CHECK(codes_of(result.findings) == "HSM-017 at R");
        return;
    }
    recorder r;
    hsm::instance agent{result.chart, r};
    agent.start();
    int heard = 0;
    for (int e = 0; e < events; ++e) heard += agent.process("e" + std::to_string(e)) == hsm::result::internal;
    CHECK(heard == events);
    int misheard = 0;
    for (int e = events; e < machines * events; ++e) misheard += agent.process("e" + std::to_string(e)) != hsm::result::unhandled;
    CHECK(misheard == 0);
}
