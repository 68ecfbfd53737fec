// The transitions that lead to a state, and their obstacles.

#include <hsm/observe/explain.hpp>

#include <hsm/run/error.hpp>
#include <tests/observe/explained.hpp>
#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;

namespace brawl {
struct hit {
    int power = 0;
};
} // namespace brawl

namespace {

using brawl::hit;

std::string explained(const started& m, const hsm::state_key& target, hsm::explain_options how = {}) {
    return without_places(to_string(hsm::why_not(m.agent, target, how)));
}

} // namespace

TEST_CASE("why_not lists the obstacles of every transition that leads to the state") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(c).when(&recorder::go);
    a.to(c).on<hit>();
    b.to(c).on("jump").when(&recorder::ready);
    a.to(b);
    started m(std::move(root));
    CHECK(explained(m, "C") == "to R/C: guarded\n"
                               "  R/A -> R/C: its guard 1 returns false\n"
                               "  R/A -> R/C on brawl::hit: it waits for brawl::hit\n"
                               "  R/B -> R/C on jump: its source is not active; it waits for jump; 1 guard not evaluated\n");
    CHECK(explained(m, "C", {.all_guards = true}) ==
          "to R/C: guarded\n"
          "  R/A -> R/C: its guard 1 returns false\n"
          "  R/A -> R/C on brawl::hit: it waits for brawl::hit\n"
          "  R/B -> R/C on jump: its source is not active; it waits for jump; its guard 1 returns false\n");
    m.r.go = true;
    CHECK(explained(m, "C").starts_with("to R/C: taken\n  R/A -> R/C: taken\n"));
}

TEST_CASE("a transition inside the state does not lead to it") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& o = root->add_fsm("O");
    auto& x = o.add("X");
    x.to(o.add("Y")).on("stay");
    x.to(o).on("again");
    x.to(x).on("self");
    o.to(x).on<hit>().external();
    a.to(o).on("go");
    const started m(std::move(root));
    CHECK(explained(m, "O") == "to R/O: guarded\n"
                               "  R/A -> R/O on go: it waits for go\n"
                               "  R/O -> R/O/X on brawl::hit: its source is not active; it waits for brawl::hit\n");
    CHECK(explained(m, "X") == "to R/O/X: guarded\n"
                               "  R/A -> R/O on go: it waits for go\n"
                               "  R/O -> R/O/X on brawl::hit: its source is not active; it waits for brawl::hit\n"
                               "  R/O/X -> R/O on again: its source is not active; it waits for again\n"
                               "  R/O/X -> R/O/X on self: its source is not active; it waits for self\n");
}

TEST_CASE("why_not lists the transitions that precede") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B"));
    a.to(root->add("C"));
    const started m(std::move(root));
    CHECK(explained(m, "C") == "to R/C: guarded\n  R/A -> R/C: R/A -> R/B goes first\n");
}

TEST_CASE("why_not calls no guards that take the event or a local of an inactive state") {
    struct swing {
        int left = 0;
    };
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B").local<swing>();
    auto& c = root->add("C");
    a.to(c).on<hit>().when([](const recorder&, const hit& h) { return h.power > 3; });
    b.to(c).when([](const swing& s) { return s.left > 0; });
    const started m(std::move(root));
    CHECK(explained(m, "C", {.all_guards = true}) ==
          "to R/C: guarded\n"
          "  R/A -> R/C on brawl::hit: it waits for brawl::hit; its guard 1 takes an event, but there is none; 1 guard not evaluated\n"
          "  R/B -> R/C: its source is not active; its guard 1 takes a local of R/B, which is not active; 1 guard not evaluated\n");
}

TEST_CASE("why_not follows the entry choice of a superstate, which may lead elsewhere") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& o = root->add_fsm("O");
    auto& x = o.add("X");
    auto& y = o.add("Y");
    auto& z = o.add("Z");
    o.dispatch(x).when(&recorder::go);
    o.dispatch(y).when(&recorder::ready);
    o.initial(z);
    a.to(o);
    started m(std::move(root));
    CHECK(explained(m, "O") == "to R/O: taken\n  R/A -> R/O: taken\n");
    CHECK(explained(m, "X") == "to R/O/X: guarded\n  R/A -> R/O: on entry by R/O -> R/O/X: its guard 1 returns false\n");
    CHECK(explained(m, "Z") == "to R/O/Z: taken\n  R/A -> R/O: taken\n");
    m.r.go = true;
    CHECK(explained(m, "Y") == "to R/O/Y: guarded\n"
                               "  R/A -> R/O: on entry, R/O -> R/O/X is chosen instead; on entry by R/O -> R/O/Y: its guard 1 returns false\n");
}

TEST_CASE("why_not follows choices, also a choice inside the state that leads out again") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& o = root->add_fsm("O");
    auto& x = o.add("X");
    auto& fork = o.add_choice("fork");
    fork.to(x).when(&recorder::go);
    fork.otherwise(b);
    a.to(fork).on("decide");
    started m(std::move(root));
    CHECK(explained(m, "O") ==
          "to R/O: guarded\n  R/A -> R/O/fork on decide: it waits for decide; on entry by R/O/fork -> R/O/X: its guard 1 returns false\n");
    CHECK(explained(m, "B") == "to R/B: guarded\n  R/A -> R/O/fork on decide: it waits for decide\n");
    m.r.go = true;
    CHECK(explained(m, "B") == "to R/B: guarded\n  R/A -> R/O/fork on decide: it waits for decide; on entry, R/O/fork -> R/O/X is chosen instead\n");
}

TEST_CASE("why_not follows a history to its current record") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& o = root->add_fsm("O");
    auto& x = o.add("X");
    auto& y = o.add("Y");
    a.to(o.add_history("back")).on("return");
    x.to(y).on("next");
    o.to(a).on("leave");
    started m(std::move(root));
    CHECK(explained(m, "X") == "to R/O/X: guarded\n  R/A -> R/O/back on return: it waits for return\n");
    CHECK(explained(m, "Y") == "to R/O/Y: guarded\n"
                               "  R/O/X -> R/O/Y on next: its source is not active; it waits for next\n");
    m.agent.process("return");
    m.agent.process("next");
    m.agent.process("leave");
    CHECK(explained(m, "X") == "to R/O/X: guarded\n  R/A -> R/O/back on return: it waits for return; its history leads to R/O/Y\n");
    CHECK(explained(m, "Y") == "to R/O/Y: guarded\n"
                               "  R/A -> R/O/back on return: it waits for return\n"
                               "  R/O/X -> R/O/Y on next: its source is not active; it waits for next\n");
}

TEST_CASE("why_not follows a previous state to the substate before the present one") {
    auto root = root_of();
    root->add("A");
    auto& b = root->add("B");
    root->add("C");
    root->to(root->add_previous("back")).on("return");
    root->to(b).on("next");
    started m(std::move(root));
    CHECK(explained(m, "A") == "to R/A: guarded\n  R -> R/back on return: it waits for return\n");
    CHECK(explained(m, "C") == "to R/C: unhandled\n");
    m.agent.process("next");
    CHECK(explained(m, "A") == "to R/A: guarded\n  R -> R/back on return: it waits for return\n");
    m.agent.process("return");
    CHECK(explained(m, "A") == "to R/A: guarded\n  R -> R/back on return: it waits for return; its history leads to R/B\n");
}

TEST_CASE("with two branches of a choice to the state, why_not uses the chosen branch") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& fork = root->add_choice("fork");
    fork.to(b).when(&recorder::go);
    fork.to(a).when(&recorder::ready);
    fork.otherwise(b);
    a.to(fork).on("decide");
    started m(std::move(root));
    CHECK(explained(m, "B") == "to R/B: guarded\n  R/A -> R/fork on decide: it waits for decide\n");
    m.r.ready = true;
    CHECK(explained(m, "B") ==
          "to R/B: guarded\n  R/A -> R/fork on decide: it waits for decide; on entry by R/fork -> R/B: its guard 1 returns false\n");
}

TEST_CASE("why_not returns to the active states by a history that the same transition exits") {
    auto root = root_of();
    auto& o = root->add_fsm("O").remembers();
    auto& x = o.add("X");
    auto& y = o.add("Y");
    x.to(y).on("next");
    o.to(o).on("anew");
    y.to(o).on("choose");
    started m(std::move(root));
    m.agent.process("next");
    CHECK(explained(m, "Y") == "to R/O/Y: guarded\n"
                               "  R/O -> R/O on anew: it waits for anew\n"
                               "  R/O/X -> R/O/Y on next: its source is not active; it waits for next\n");
    CHECK(explained(m, "X") == "to R/O/X: guarded\n"
                               "  R/O -> R/O on anew: it waits for anew; its history leads to R/O/Y\n"
                               "  R/O/Y -> R/O on choose: it waits for choose\n"); // its own superstate does not return to its last state
    m.agent.process("anew");
    CHECK(m.agent.is_in("Y"));
    m.agent.process("choose");
    CHECK(m.agent.is_in("X"));
}

TEST_CASE("why_not includes all regions of an entered parallel") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    left.add("X");
    auto& y = left.add("Y");
    auto& right = both.add("M");
    a.to(right).when(&recorder::go);
    a.to(y).when(&recorder::ready);
    const started m(std::move(root));
    CHECK(explained(m, "X") == "to R/P/L/X: guarded\n  R/A -> R/P/M: its guard 1 returns false\n");
    CHECK(explained(m, "M") == "to R/P/M: guarded\n  R/A -> R/P/M: its guard 1 returns false\n  R/A -> R/P/L/Y: its guard 1 returns false\n");
}

TEST_CASE("a fork to a parallel and a state inside it does not lead to the first state of that region") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    left.add("X");
    auto& y = left.add("Y");
    both.add_fsm("M").add("Z");
    a.to(both, y).on("go");
    const started m(std::move(root));
    CHECK(hsm::why_not(m.agent, "X").candidates.empty());
    CHECK(hsm::why_not(m.agent, "Y").candidates.size() == 1);
}

TEST_CASE("why_not lists entry choices of machines at rest, each event once, and states without a transition to them") {
    auto root = root_of();
    auto& o = root->add_fsm("O");
    o.dispatch(o.add("A")).when(&recorder::go);
    auto& b = root->add("B");
    o.to(b).on(hsm::range('a', 'z'));
    o.to(b).on('x').when(&recorder::go).priority(1);
    root->add("island");
    const started m(std::move(root));
    CHECK(explained(m, "A") == "to R/O/A: guarded\n  at rest: R/O\n  R/O -> R/O/A: its guard 1 returns false\n");
    CHECK(hsm::why_not(m.agent, "B").candidates.size() == 2);
    CHECK(explained(m, "island") == "to R/island: unhandled\n  at rest: R/O\n");
}

TEST_CASE("why_not reports inactive sources before the start, and throws for an unknown state") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).after(std::chrono::seconds(1)).when(&recorder::go);
    started m(std::move(root));
    m.agent.stop();
    CHECK(explained(m, "B") == "to R/B: inactive\n  R/A -> R/B after: its source is not active; 1 guard not evaluated\n");
    CHECK_THROWS_AS(hsm::why_not(m.agent, "nowhere"), hsm::state_error);
}

TEST_CASE("why_not ends on a circle of choices, which leads to no state") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& one = root->add_choice("one");
    auto& two = root->add_choice("two");
    auto& b = root->add("B");
    one.to(b).when(&recorder::go);
    one.otherwise(two);
    two.to(b).when(&recorder::ready);
    two.otherwise(one);
    a.to(one).on("go");
    const started m(std::move(root));
    CHECK(explained(m, "B") == "to R/B: guarded\n  R/A -> R/one on go: it waits for go; on entry by R/one -> R/B: its guard 1 returns false\n");
}

TEST_CASE("an entry choice tests whether its machine is finished, not the active leaf") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& o = root->add_fsm("O");
    auto& x = o.add("X");
    auto& y = o.add("Y");
    o.dispatch(x).when(hsm::is_over);
    o.initial(y);
    o.to(o).on("self");
    y.to(o).on("again");
    a.to(o).on("go");
    a.to(a).on_finished();
    o.to(a).on_finished().when(&recorder::go);
    started m(std::move(root));
    m.agent.finish("A");
    CHECK(explained(m, "X").find("R/A -> R/O on go: it waits for go; on entry by R/O -> R/O/X: its leaf is not finished\n") != std::string::npos);
    m.agent.process("go");
    m.agent.finish("O");
    const auto finished = explained(m, "X");
    CHECK(finished.substr(finished.find("  R/O -> R/O")) ==
          "  R/O -> R/O on self: it waits for self; on entry by R/O -> R/O/X: its leaf is not finished\n" // exits the machine before
          "  R/O/Y -> R/O on again: it waits for again\n");
    m.agent.process("again");
    CHECK(m.agent.is_in("X"));
}

TEST_CASE("a choice that leads to its own superstate makes the entry choice there, without its history") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& o = root->add_fsm("O").remembers();
    auto& x = o.add("X");
    auto& y = o.add("Y");
    auto& fork = o.add_choice("fork");
    fork.otherwise(o);
    x.to(y).on("next");
    o.to(a).on("leave");
    a.to(fork).on("go");
    started m(std::move(root));
    m.agent.change_to("Y");
    m.agent.process("leave");
    CHECK(explained(m, "X") == "to R/O/X: guarded\n  R/A -> R/O/fork on go: it waits for go\n");
    CHECK(explained(m, "Y") == "to R/O/Y: guarded\n  R/O/X -> R/O/Y on next: its source is not active; it waits for next\n");
    m.agent.process("go");
    CHECK(m.agent.is_in("X"));
}

TEST_CASE("why_not continues with the branches of a choice that a history returns to") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& o = root->add_fsm("O").remembers();
    auto& x = o.add("X");
    auto& fork = o.add_choice("fork");
    fork.to(x).when(&recorder::go);
    fork.otherwise(b);
    b.to(o).on("back");
    a.to(fork);
    started m(std::move(root));
    m.agent.decide();
    CHECK(m.agent.is_in("B"));
    const auto way = [](const std::string& ways) { return ways.substr(ways.rfind("  R/B")); };
    CHECK(way(explained(m, "X")) == "  R/B -> R/O on back: it waits for back; on entry by R/O/fork -> R/O/X: its guard 1 returns false\n");
    CHECK(way(explained(m, "B")) == "  R/B -> R/O on back: it waits for back\n");
    m.r.go = true;
    CHECK(way(explained(m, "X")) == "  R/B -> R/O on back: it waits for back\n");
    CHECK(way(explained(m, "B")) == "  R/B -> R/O on back: it waits for back; on entry, R/O/fork -> R/O/X is chosen instead\n");
    m.agent.process("back");
    CHECK(m.agent.is_in("X"));
}

namespace {
/// R{idle, M{a, b, c}}, in which M chooses by score.
auto choosing_root(hsm::choosing how) {
    auto root = root_of();
    auto& idle = root->add("idle");
    auto& m = root->add_fsm("M").choose(how);
    idle.to(m);
    m.dispatch(m.add("a")).weight(0.5);
    m.dispatch(m.add("b")).score([](const recorder& r) { return r.go ? 2 : 0; });
    m.dispatch(m.add("c")).weight(0.25).when(&recorder::ready);
    return root;
}
} // namespace

TEST_CASE("why_not names the chosen candidate, and the score of the others") {
    started m(choosing_root(hsm::best));
    CHECK(explained(m, "M/a") == "to R/M/a: taken\n  R/idle -> R/M: taken\n");
    CHECK(explained(m, "M/b") ==
          "to R/M/b: guarded\n  R/idle -> R/M: on entry, R/M -> R/M/a is chosen instead; on entry by R/M -> R/M/b: its score is 0 or invalid\n");
    m.r.go = true;
    CHECK(explained(m, "M/a") == "to R/M/a: guarded\n  R/idle -> R/M: on entry by R/M -> R/M/a: R/M -> R/M/b is chosen\n");
    CHECK(explained(m, "M/c") ==
          "to R/M/c: guarded\n  R/idle -> R/M: on entry, R/M -> R/M/b is chosen instead; on entry by R/M -> R/M/c: its guard 1 returns false\n");
}

TEST_CASE("an explained tick lists each candidate of a machine at rest with its score; chance is not used up") {
    auto root = choosing_root(hsm::random);
    started m(std::move(root));
    m.agent.set_state("M");
    const auto first = without_places(to_string(hsm::explain(m.agent)));
    for (int i = 0; i < 20; ++i) CHECK(without_places(to_string(hsm::explain(m.agent))) == first);
    CHECK(first == "in a tick: taken\n  at rest: R/M\n  R/M -> R/M/a: taken; its score is 0.5\n  R/M -> R/M/b: its score is 0 or invalid\n"
                   "  R/M -> R/M/c: its guard 1 returns false\n");
}

TEST_CASE("an explained tick of a machine that chooses again lists the chosen candidate, cooldowns and the bonus") {
    auto root = root_of();
    root->choose(hsm::best).rechoose().stay_bonus(1);
    root->dispatch(root->add("a")).score([](const recorder& r) { return r.go ? 1 : 5; }).cooldown(std::chrono::seconds(2));
    root->dispatch(root->add("b")).weight(2.5);
    root->dispatch(root->add("c")).weight(3);
    started m(std::move(root));
    const auto tick = [&] { return without_places(to_string(hsm::explain(m.agent, {.all_guards = true}))); };
    CHECK(tick() == "in a tick: unhandled\n  R -> R/a: its target is already active; its score is 6\n"
                    "  R -> R/b: R -> R/a is chosen; its score is 2.5\n  R -> R/c: R -> R/a is chosen; its score is 3\n");
    m.r.go = true;
    CHECK(tick().find("R -> R/c: taken; its score is 3\n") != std::string::npos);
    m.tick();
    CHECK(tick().find("R -> R/a: its cooldown ends in 2 s\n") != std::string::npos);
}

TEST_CASE("why_not_fired explains the transitions with a label, or one transition, also without a target") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(&recorder::go).after(std::chrono::seconds(1)).label("leave");
    b.to(a).on("back").label("leave");
    const auto reacts = a.when(&recorder::ready).then([](recorder&) {});
    started m(std::move(root));
    const auto text = [&](const hsm::timer_key& key) { return without_places(to_string(hsm::why_not_fired(m.agent, key))); };
    CHECK(text("leave") == "R/A -> R/B after: guarded\n  R/A -> R/B after: due in 1 s; 1 guard not evaluated\n"
                           "  R/B -> R/A on back: its source is not active; it waits for back\n");
    m.tick(std::chrono::seconds(1));
    CHECK(text("leave").find("R/A -> R/B after: its guard 1 returns false\n") != std::string::npos);
    CHECK(text(reacts).find("its guard 1 returns false\n") != std::string::npos);
    m.r.ready = true;
    CHECK(text(reacts).find(": taken\n") != std::string::npos);
    CHECK_THROWS_WITH_AS(hsm::why_not_fired(m.agent, "leav"),
                         doctest::Contains("no transition has the label \"leav\"; hint: did you mean \"leave\"?"), hsm::state_error);
}
