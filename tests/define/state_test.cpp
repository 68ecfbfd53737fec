// A state: its names, its setters, and its stored definition.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace test;

namespace {
enum class pose { idle, run };
struct combo {};
} // namespace

TEST_CASE("named renames a state, and identified sets its enumerator and name") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").named("B");
    CHECK(a.name() == "B");
    a.identified<pose::run>();
    CHECK(a.name() == "run");
    CHECK(a.id() == hsm::enum_id_of(pose::run));
    a.named("sprint");
    CHECK(a.path() == "R/sprint");
    CHECK(a.id() == hsm::enum_id_of(pose::run));
    CHECK(root->named("S").path() == "S");
    CHECK(a.path() == "S/sprint");
}

TEST_CASE("a renamed state is found by its new name, and also by its enumerator if it has one") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").named("B");
    auto& c = root->add<pose::run>().named("sprint");
    a.to(c);
    const auto chart = hsm::compile(std::move(root));
    CHECK_FALSE(chart.find("A"));
    CHECK(chart.find("B") == a);
    CHECK(chart.find("sprint") == c);
    CHECK_FALSE(chart.find("run"));
    CHECK(chart.find(pose::run) == c);
}

TEST_CASE("the setters of a state or machine return the state or machine") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    CHECK(&a.on_enter([] {}).on_update([] {}).on_exit([] {}).local<combo>().transient().named("B").identified<pose::idle>() == &a);
    auto& m = root->add_fsm("M");
    const auto back = [](auto& s) { return &s; };
    CHECK(back(m.on_enter([] {})) == &m);
    static_assert(std::is_same_v<decltype(m.on_enter([] {})), hsm::fsm<recorder>&>);
    static_assert(std::is_same_v<decltype(m.on_update([] {})), hsm::fsm<recorder>&>);
    static_assert(std::is_same_v<decltype(m.on_exit([] {})), hsm::fsm<recorder>&>);
    static_assert(std::is_same_v<decltype(m.local<combo>()), hsm::fsm<recorder>&>);
    static_assert(std::is_same_v<decltype(m.transient()), hsm::fsm<recorder>&>);
    static_assert(std::is_same_v<decltype(m.named("N")), hsm::fsm<recorder>&>);
    auto& p = root->add_parallel("P");
    CHECK(back(p.on_enter([] {}).transient().done_data([](const recorder&) { return 1; }).on_unhandled([] {}).done_id("finished").named("Q")) == &p);
}

TEST_CASE("identified of a machine returns the machine") {
    auto root = hsm::make_fsm<recorder>("R");
    CHECK(std::is_same_v<decltype(root->identified<pose::idle>()), hsm::fsm<recorder>&>);
}

TEST_CASE("a state lists its hooks, locals and transitions in the order of definition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_enter([] {}).on_enter([] {}).on_exit([] {}).local<combo>().transient();
    a.to("x");
    a.on("y");
    CHECK(a.hooks(hsm::hook_kind::enter).size() == 2);
    CHECK(a.hooks(hsm::hook_kind::update).empty());
    CHECK(a.hooks(hsm::hook_kind::exit).size() == 1);
    CHECK(a.locals().size() == 1);
    CHECK(a.is_transient());
    CHECK_FALSE(root->is_transient());
    CHECK(a.transitions().size() == 2);
    CHECK(a.transitions()[0]->target.path == "x");
    CHECK(a.transitions()[1]->event.name == "y");
    CHECK_FALSE(a.names_successor());
}

TEST_CASE("a state can be neither copied nor moved") {
    static_assert(!std::is_copy_constructible_v<hsm::state<recorder>> && !std::is_move_constructible_v<hsm::state<recorder>>);
    static_assert(!std::is_copy_assignable_v<hsm::fsm<recorder>> && !std::is_move_constructible_v<hsm::fsm<recorder>>);
}

TEST_CASE("a state_ref returns the name and path of its state, and can be empty") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const hsm::state_ref view = a;
    CHECK(view);
    CHECK(view.name() == "A");
    CHECK(view.path() == "R/A");
    CHECK(view.get() == &a);
    CHECK(view == a);
    CHECK_FALSE(view == *root);
    const hsm::state_ref none;
    CHECK_FALSE(none);
    CHECK(none.name() == "none");
    CHECK(none.path() == "none");
    CHECK(none.get() == nullptr);
    CHECK(none == hsm::state_ref(nullptr));
}
