// Conditions of definitions: their stored form, their bits, and the findings of the check.

#include <tests/support/findings.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// The groups of a transition: "all IsRun !IsJump, any 3 A", and the number of its guards.
std::string written(const hsm::transition_spec& spec) {
    std::string text;
    for (const auto& g : spec.conditions) {
        text += (text.empty() ? "" : ", ") + std::string(g.any ? "any" : "all");
        for (const auto& l : g.literals) {
            const auto& c = *l.condition;
            const bool indexed = c.index != hsm::condition_spec::any_index;
            text += std::string(l.wanted ? " " : " !") + (!c.name.empty() ? c.name : indexed ? std::to_string(c.index) : "?");
        }
    }
    return text + (spec.guards.empty() ? "" : " and " + std::to_string(spec.guards.size()));
}

enum plain { third = 3 };
constexpr int least = -2147483647 - 1;

struct fixture {
    decltype(hsm::make_fsm<recorder>("R")) root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>& a = root->add("A");
    hsm::state<recorder>& b = root->add("B");

    template <class... G> std::string when(G... g) {
        auto t = a.to(b);
        (t.when(g), ...);
        return written(t.spec());
    }
};

} // namespace

TEST_CASE("a transition stores conditions as data, not as guards") {
    fixture f;
    CHECK(f.when("IsRun") == "all IsRun");
    CHECK(f.when("!IsRun") == "all !IsRun");
    CHECK(f.when(std::string("IsRun")) == "all IsRun");
    CHECK(f.when(3) == "all 3");
    CHECK(f.when(-3) == "all !3");
    CHECK(f.when(third) == "all 3");
    CHECK(f.when(hsm::is_over) == "all 0");
    CHECK(f.when(!hsm::is_over) == "all !0");
    const auto c = f.root->condition();
    CHECK(f.when(c) == "all ?");
    CHECK(f.when(!c) == "all !?");
    CHECK(f.when(!!c) == "all ?");
    CHECK(f.when("A", "!B", 2) == "all A !B 2");
}

TEST_CASE("handles of the same condition are equal") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto a = root->condition("A"), b = root->condition();
    CHECK(a == root->condition("A"));
    CHECK_FALSE(a == b);
    CHECK_FALSE(a == hsm::condition());
    CHECK(hsm::condition(3) == hsm::condition(3));
    CHECK_FALSE(hsm::condition(3) == hsm::condition(4));
}

TEST_CASE("all, any and no form groups of conditions") {
    fixture f;
    CHECK(f.when(hsm::all("A", "!B")) == "all A !B");
    CHECK(f.when(hsm::any("A", "!B", 3)) == "any A !B 3");
    CHECK(f.when(hsm::any("A")) == "all A");
    CHECK(f.when(hsm::no("A")) == "all !A");
    CHECK(f.when(hsm::no(hsm::no("!A"))) == "all !A");
    CHECK(f.when(hsm::no(hsm::any("A", "!B"))) == "all !A B");
    CHECK(f.when(hsm::no(hsm::all("A", "!B"))) == "any !A B");
    CHECK(f.when(hsm::all("A", hsm::any("B", "C"), hsm::all("D", hsm::any("E", "F")))) == "all A D, any B C, any E F");
    CHECK(f.when(hsm::any("A", hsm::any("B", hsm::no(hsm::all("C", "D"))))) == "any A B !C !D");
    CHECK(f.when(hsm::any("A", "B"), hsm::any("C", "D")) == "any A B, any C D");
}

TEST_CASE("conditions in an all group with guards remain data") {
    fixture f;
    CHECK(f.when(hsm::all("A", &recorder::go)) == "all A and 1");
    CHECK(f.when(hsm::all("A", hsm::all(&recorder::go, "B"), &recorder::ready)) == "all A B and 2");
    CHECK(f.when(hsm::no(hsm::any("A", &recorder::go))) == "all !A and 1");
    CHECK(f.when(hsm::any("A", &recorder::go)) == " and 1");
    CHECK(f.when(hsm::no(hsm::all("A", &recorder::go))) == " and 1");
    CHECK(f.when(hsm::any("A", hsm::all("B", "C"))) == " and 1");
    CHECK(f.when(hsm::all(&recorder::go, &recorder::ready)) == " and 1");
}

TEST_CASE("a guard with conditions lists them with their required values") {
    fixture f;
    auto t = f.a.to(f.b).when(hsm::any("A", hsm::no(hsm::all(&recorder::go, "!B", "C"))));
    std::string asked;
    for (const auto& l : t.spec().asked) asked += (l.wanted ? " " : " !") + l.condition->name;
    CHECK(asked == " A B !C");
}

TEST_CASE("bits are assigned in the order of use, around the requested indices") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    root->condition("Two", 2);
    const auto anonymous = root->condition();
    a.to(b).when(hsm::all("First", "Two", 4, "!Third"));
    b.to(a).when(hsm::any("Third", "First", "Last", anonymous));
    const auto chart = hsm::compile(std::move(root));
    CHECK(anonymous.number() == 1);
    CHECK(chart.condition("Two").number() == 2);
    CHECK(chart.condition("First").number() == 3);
    CHECK(chart.condition_name(4) == "");
    CHECK(chart.condition("Third").number() == 5);
    CHECK(chart.condition("Last").number() == 6);
    CHECK(chart.condition_count() == 7);
    CHECK(chart.condition_name(0) == "");
    CHECK(chart.condition_name(5) == "Third");
    CHECK(chart.condition_name(99) == "");
    CHECK_FALSE(chart.condition("Fourth").valid());
    CHECK_FALSE(chart.condition("").valid());
}

TEST_CASE("a name is the same condition in all machines of a definition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& inner = root->add_fsm("inner");
    auto& a = inner.add("A");
    inner.condition("IsRun");
    a.to(*root).when("IsRun");
    root->to(a).when("!IsRun");
    root->condition("IsRun", 9);
    const auto chart = hsm::compile(std::move(root));
    CHECK(chart.condition("IsRun").number() == 9);
    CHECK(chart.core().conditions.size() == 10);
    CHECK(chart.core().conditions_by_name.size() == 1);
}

TEST_CASE("a chart without conditions has no bits") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    CHECK(chart.condition_count() == 0);
    CHECK(chart.core().layout.front == 0);
    CHECK_FALSE(chart.condition("A").valid());
}

TEST_CASE("contradictory conditions are stored as two groups, and tautologies are removed") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto never = a.to(b).when(hsm::all("X", "!X", "Y"));
    const auto always = b.to(a).when(hsm::any("X", "!X"));
    const auto chart = hsm::compile(std::move(root));
    const auto row = [&](const hsm::transition_spec& spec) {
        for (const auto& t : chart.core().transitions)
            if (t.spec == &spec) return t;
        return hsm::detail::transition_row{};
    };
    CHECK(row(never.spec()).conditions.count == 2); // X and Y, then not X
    CHECK(row(always.spec()).conditions.count == 0);
}

TEST_CASE("a condition with two indices, or an index with two conditions, is an error") {
    const auto twice = only(found_in([](auto& root) {
        root.add("A");
        root.condition("IsRun", 3);
        root.condition("IsRun", 4);
        root.condition("IsRun", 3);
    }));
    CHECK(twice.code == hsm::code::condition_twice);
    CHECK(twice.problem == "the condition \"IsRun\" has the indices 3 and 4");
    const auto shared = only(found_in([](auto& root) {
        auto& a = root.add("A");
        a.condition("IsRun", 3);
        root.condition("IsJump", 3);
        a.to(a).when(3);
    }));
    CHECK(shared.code == hsm::code::index_twice);
    CHECK(shared.path == "R/A");
    CHECK(shared.problem == "the index 3 belongs to \"IsJump\" and to \"IsRun\"");
}

TEST_CASE("conditions with invalid indices, names or handles are errors") {
    const auto problem_of = [](auto define) {
        const auto f = only(found_in([&](auto& root) { define(root, root.add("A")); }));
        CHECK(f.code == hsm::code::bad_condition);
        return f.problem;
    };
    CHECK(problem_of([](auto& root, auto&) { root.condition("IsRun", 0); }) == "the condition \"IsRun\" has the index 0");
    CHECK(problem_of([](auto& root, auto&) { root.condition("IsRun", -1); }) == "the condition \"IsRun\" has the index -1");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(65536); }) == "a condition has the index 65536");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(least); }) == "a condition has the index 2147483648");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(hsm::no(least)); }) == "a condition has the index 2147483648");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(hsm::condition(least)); }) == "a condition has the index -2147483648");
    CHECK(problem_of([](auto& root, auto&) { root.condition("IsRun", least); }) == "the condition \"IsRun\" has the index -2147483648");
    CHECK(problem_of([](auto& root, auto&) { root.condition("IsRun", 2147483647); }) == "the condition \"IsRun\" has the index 2147483647");
    CHECK(problem_of([](auto& root, auto&) { root.condition("IsRun", 65536); }) == "the condition \"IsRun\" has the index 65536");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(-65536); }) == "a condition has the index 65536");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(""); }) == "a condition has an empty name");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when("!"); }) == "a condition has an empty name");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when("!!IsRun"); }) == "the name of a condition begins with '!': \"!IsRun\"");
    CHECK(problem_of([](auto&, auto& a) { a.to(a).when(hsm::condition()); }) == "a transition uses an empty condition handle");
    auto other = hsm::make_fsm<recorder>("other");
    const auto of_another = other->condition();
    CHECK(problem_of([&](auto&, auto& a) { a.to(a).when(of_another); }) == "a transition uses a condition of another tree");
}

TEST_CASE("the check treats conditions as guards") {
    CHECK(codes_in([](auto& root) { // no choice without a way out
              auto& a = root.add("A");
              auto& c = root.add_choice("C");
              a.to(c);
              c.to(a).when("X");
          }) == "HSM-019 at R/C");
    CHECK(codes_in([](auto& root) { // nothing is shadowed
              auto& a = root.add("A");
              auto& b = root.add("B");
              a.to(b).when("X");
              a.to(a);
          }) == "");
}

TEST_CASE("each of many conditions is found by its name or index") {
    for (const int count : {15, 16, 17, 1000}) {
        CAPTURE(count);
        auto root = hsm::make_fsm<recorder>("R");
        std::vector<hsm::condition> named, indexed;
        for (int i = 0; i < count; ++i) named.push_back(root->condition("c" + std::to_string(i)));
        for (int i = 0; i < count; ++i) indexed.push_back(root->condition("d", i + 1));
        const auto without = root->condition();
        CHECK(root->conditions().size() == 2 * static_cast<std::size_t>(count) + 1);
        for (int i = 0; i < count; ++i) {
            CHECK(root->condition("c" + std::to_string(i)) == named[static_cast<std::size_t>(i)]);
            CHECK(root->condition("d", i + 1) == indexed[static_cast<std::size_t>(i)]);
        }
        CHECK(root->condition("d") == indexed[0]);   // the first of that name
        CHECK(root->condition("c1", 7) == named[1]); // that is its index now
        CHECK(root->condition("c1", 7) == named[1]);
        CHECK_FALSE(root->condition("c1", 8) == named[1]); // one too many, which the check finds
        CHECK_FALSE(root->condition() == without);
        CHECK(&root->condition_at(3) == &root->condition_at(3));
        CHECK_FALSE(&root->condition_at(3) == &root->condition_at(4));
    }
}
