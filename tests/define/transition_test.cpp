// The data that each call of a transition stores, and its result.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace test;

namespace {
struct press {};
enum class input { jump, duck };
} // namespace

TEST_CASE("to() creates a polled transition with its source and target") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto& spec = a.to(b).spec();
    CHECK(spec.source == &a);
    CHECK(spec.target.node == &b);
    CHECK(spec.has_target);
    CHECK_FALSE(spec.event);
    CHECK_FALSE(spec.on_finished);
    CHECK_FALSE(spec.reenter);
    CHECK_FALSE(spec.external);
    CHECK(spec.priority == 0);
    CHECK(spec.guards.empty());
    CHECK(spec.actions.empty());
    CHECK(a.transitions().size() == 1);
    CHECK(a.transitions()[0].get() == &spec);
    CHECK(b.transitions().empty());
}

TEST_CASE("the options of a transition can be set in any order") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const auto& spec = a.to("B")
                           .priority(-3)
                           .then([](recorder&) {})
                           .external()
                           .on<press>()
                           .when(&recorder::go)
                           .then([](recorder&, const press&) {})
                           .when([](const recorder&, const press&) { return true; })
                           .reenter()
                           .spec();
    CHECK(spec.priority == -3);
    CHECK(spec.external);
    CHECK(spec.reenter);
    CHECK(spec.event.type == &hsm::event_type_of<press>);
    CHECK(spec.guards.size() == 2);
    CHECK(spec.actions.size() == 2);
    CHECK(spec.target.path == "B");
    CHECK(a.to("C").on_finished().spec().on_finished);
}

TEST_CASE("a target is named by reference, path, or enumerator") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    CHECK(a.to(*root).spec().target.written() == "R");
    CHECK(a.to(a).spec().target.written() == "R/A");
    CHECK(a.to("x/y").spec().target.written() == "x/y");
    CHECK(a.to(std::string_view("z")).spec().target.written() == "z");
    CHECK(a.to(input::duck).spec().target.written() == "input::duck");
}

TEST_CASE("a transition copies the path of its target") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    {
        std::string name = "a state with a long name, made of two parts";
        a.to(std::string_view(name));
        name.assign(name.size(), '-');
    }
    CHECK(a.transitions()[0]->target.path == "a state with a long name, made of two parts");
}

TEST_CASE("copies of a transition handle refer to the same transition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const auto first = a.to("B");
    const auto second = first;
    second.priority(4);
    CHECK(first.spec().priority == 4);
    CHECK(&first.spec() == &second.spec());
}

TEST_CASE("references to transitions stay valid when more are added") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const auto first = a.to("B");
    for (int i = 0; i < 100; ++i) a.to("C");
    first.priority(1);
    CHECK(a.transitions()[0]->priority == 1);
}

TEST_CASE("the event is named by class, by enumerator, or by name") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const auto of = [](const auto& transition) { return transition.spec().event; };
    CHECK(of(a.to("B").on<press>()).name == "press");
    CHECK(of(a.to("B").on<input::duck>()).name == "duck");
    CHECK(of(a.to("B").on(input::duck)).name == "duck");
    CHECK(of(a.to("B").on<input::duck>()) == of(a.to("B").on(input::duck)));
    CHECK(of(a.to("B").on("duck")).name == "duck");
    CHECK_FALSE(of(a.to("B").on("duck")) == of(a.to("B").on<input::duck>()));
    static_assert(std::is_same_v<decltype(a.to("B").on<press>()), hsm::transition<recorder, press>>);
    static_assert(std::is_same_v<decltype(a.on<input::jump>()), hsm::transition<recorder, input>>);
    static_assert(std::is_same_v<decltype(a.on("x")), hsm::transition<recorder, hsm::named_event>>);
}

TEST_CASE("reactions have no target") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    CHECK_FALSE(a.on<press>().spec().has_target);
    CHECK_FALSE(a.on<input::jump>().spec().has_target);
    CHECK_FALSE(a.on(input::jump).spec().has_target);
    CHECK_FALSE(a.on("x").then([](recorder&) {}).spec().has_target);
    CHECK_FALSE(a.when(&recorder::go).then([](recorder&) {}).spec().has_target);
    CHECK(a.transitions().size() == 5);
    CHECK(a.to("").spec().has_target);
}

TEST_CASE("entry choices are stored separately from transitions") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto& first = root->dispatch("A").when(&recorder::go).priority(2).then([](recorder&) {}).spec();
    root->dispatch(input::jump);
    const auto& initial = root->initial("B").then([](recorder&) {}).spec();
    CHECK(root->choices().size() == 2);
    CHECK(root->initials().size() == 1);
    CHECK(root->transitions().empty());
    CHECK(first.priority == 2);
    CHECK(first.guards.size() == 1);
    CHECK(first.source == root.get());
    CHECK(initial.actions.size() == 1);
    CHECK(initial.target.path == "B");
}

TEST_CASE("a dispatch choice can have a guard and a priority, but initial cannot") {
    constexpr auto can_be_guarded = [](auto choice) {
        return requires { choice.when(&recorder::go); };
    };
    constexpr auto can_be_preferred = [](auto choice) {
        return requires { choice.priority(1); };
    };
    auto root = hsm::make_fsm<recorder>("R");
    CHECK(can_be_guarded(root->dispatch("A")));
    CHECK(can_be_preferred(root->dispatch("A")));
    CHECK_FALSE(can_be_guarded(root->initial("A")));
    CHECK_FALSE(can_be_preferred(root->initial("A")));
}

TEST_CASE("a guard lists the locals that it takes") {
    struct swing {};
    struct combo {
        bool full() const { return true; }
    };
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    const auto& spec = a.to("B").when(hsm::all(&combo::full, [](const recorder&, const swing&) { return true; })).spec();
    const auto wants = spec.guards[0].needs();
    CHECK(wants.local_count == 2);
    CHECK(wants.locals[0] == &hsm::detail::local_type_of<combo>);
    CHECK(wants.locals[1] == &hsm::detail::local_type_of<swing>);
    CHECK(a.to("B").when(&recorder::go).spec().guards[0].needs().local_count == 0);
}
