// Every error that a definition can have: the smallest one that has it, and a near miss.

#include <tests/support/findings.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

using namespace test;

namespace {

using fsm = hsm::fsm<recorder>;

enum class pose { idle, run };

void add_named(fsm& machine, std::initializer_list<const char*> names) {
    for (const auto* name : names) machine.add(name);
    machine.on_update([]() -> hsm::state_base* { return nullptr; }); // so that all of them are reachable
}

enum class number : int {};

struct swing {
    int count = 0;
    void enter(recorder&) {}
    bool ready() const { return true; }
};
struct combo {};
struct hit {};
struct ticking {
    void update(recorder&) {}
};
struct ending {
    bool finished() const { return true; }
};

} // namespace

TEST_CASE("HSM-002: a machine has at least one substate") {
    const auto f = only(found_in([](fsm& r) { r.add_fsm("M"); }));
    CHECK(f.to_string() ==
          "HSM-002 error at R/M: the machine has no substates; hint: add at least one, or make it a state");
    CHECK(codes_in([](fsm&) {}) == "HSM-002 at R");
    CHECK(codes_in([](fsm& r) { r.add_fsm("M").add("A"); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A"); }) == "");
}

TEST_CASE("HSM-003: a name is not empty") {
    const auto f = only(found_in([](fsm& r) { r.add(""); }));
    CHECK(f.to_string() == "HSM-003 error at R/: the state has no name; hint: give every state a name of its own");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.named(""); }) == "HSM-003 at ");
    CHECK(codes_in([](fsm& r) { r.add("").named("A"); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("").identified<pose::idle>(); }) == "");
    CHECK(codes_in([](fsm& r) { r.add(" "); }) == "");
}

TEST_CASE("HSM-003: a name contains no slash") {
    const auto f = only(found_in([](fsm& r) { r.add("jump/run"); }));
    CHECK(f.path == "R/jump/run");
    CHECK(f.problem == "the name \"jump/run\" contains '/', which separates names in a path");
    CHECK(f.hint == "use another character");
    CHECK(codes_in([](fsm& r) { r.add("jump\\run.and-roll:1"); }) == "");
}

TEST_CASE("HSM-004: the names of a machine's substates differ") {
    const auto f = only(found_in([](fsm& r) { add_named(r.add_fsm("M"), {"A", "B", "A"}); }));
    CHECK(f.code == hsm::code::duplicate_name);
    CHECK(f.path == "R/M");
    CHECK(f.problem == "more than one substate is named \"A\"");
    CHECK(contains(f.hint, ".named(...)"));
    CHECK(codes_in([](fsm& r) { add_named(r, {"B", "A", "B", "A", "A", "C"}); }) == "HSM-004 at R, HSM-004 at R");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.initial(r.add_fsm("M").add("A")), r.to("A"); }) == "");
}

TEST_CASE("HSM-005: initial names a state below its machine") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& m = r.add_fsm("M");
        m.add("x");
        m.initial(a);
    }));
    CHECK(f.code == hsm::code::initial_outside);
    CHECK(f.path == "R/M");
    CHECK(f.problem == "initial names \"R/A\", which is not below \"R/M\"");
    CHECK(f.hint == "name a substate of this machine, at any depth");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.initial(r); }) == "HSM-005 at R");
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              m.add("x");
              m.initial("A"); // found outwards
              r.add("A");
          }) == "HSM-005 at R/M");
    CHECK(codes_in([](fsm& r) { r.initial(r.add_fsm("M").add_fsm("N").add("x")); }) == "");
}

TEST_CASE("HSM-006: dispatch names states below its machine") {
    const auto f = only(found_in([](fsm& r) {
        auto& m = r.add_fsm("M");
        m.dispatch(r).when(&recorder::go);
        m.dispatch(m.add("x"));
    }));
    CHECK(f.code == hsm::code::dispatch_outside);
    CHECK(f.path == "R/M");
    CHECK(f.problem == "dispatch names \"R\", which is not below \"R/M\"");
    CHECK(f.hint == "name a substate of this machine, at any depth");
    CHECK(codes_in([](fsm& r) { r.dispatch(r.add_fsm("M").add("x")); }) == "");
}

TEST_CASE("HSM-007: a state that is named exists; a misspelt name is guessed") {
    const auto f = only(found_in([](fsm& r) { r.add("idle").to("stirke"), r.add_fsm("strike").add("x"); }));
    CHECK(f.to_string() == "HSM-007 error at R/idle: a transition names \"stirke\", and there is no such state; hint: "
                           "did you mean \"R/strike\"?");
    const auto hint = [](const char* wrong) {
        return only(found_in([&](fsm& r) {
                   auto& attack = r.add_fsm("attack");
                   attack.add("slash").to(wrong);
                   attack.add("shoot");
                   r.add("dead");
               })).hint;
    };
    CHECK(hint("slahs") == "did you mean \"R/attack/slash\"?");
    CHECK(hint("attack/shot") == "did you mean \"R/attack/shoot\"?");
    CHECK(hint("Dead") == "did you mean \"R/dead\"?");
    CHECK(hint("R/attack/slush") == "did you mean \"R/attack/slash\"?");
    CHECK(hint("something else") == "\"R/attack\" has \"slash\", \"shoot\"");
}

TEST_CASE("HSM-007: in initial, dispatch, and for an enumerator that no state has") {
    const auto initial = only(found_in([](fsm& r) { r.add("A"), r.initial("B"); }));
    CHECK(initial.path == "R");
    CHECK(initial.problem == "initial names \"B\", and there is no such state");
    const auto dispatch = only(found_in([](fsm& r) { r.add("A"), r.dispatch("some other").when(&recorder::go); }));
    CHECK(dispatch.problem == "dispatch names \"some other\", and there is no such state");
    CHECK(dispatch.hint == "\"R\" has \"A\"");
    const auto id = only(found_in([](fsm& r) { r.add<pose::idle>().to(pose::run); }));
    CHECK(id.path == "R/idle");
    CHECK(id.problem == "a transition names \"pose(1)\", and there is no such state");
    CHECK(id.hint == "add<pose::...>() gives a state that name");
    CHECK(codes_in([](fsm& r) { r.add("A").to(""); }) == "HSM-007 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("B"), r.add("B"); }) == ""); // it may come later
    CHECK(codes_in([](fsm& r) { r.add<pose::idle>().to(pose::run), r.add<pose::run>(); }) == "");
}

TEST_CASE("HSM-008: a state of another tree is no target") {
    auto other = hsm::make_fsm<recorder>("other");
    auto& stranger = other->add("stranger");
    const auto f = only(found_in([&](fsm& r) { r.add("A").to(stranger); }));
    CHECK(f.code == hsm::code::foreign_state);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition names \"other/stranger\", which is not in the tree of \"R\"");
    CHECK(contains(f.hint, "add the state to this tree"));
    CHECK(codes_in([&](fsm& r) { r.add("A"), r.initial(stranger), r.dispatch(*other); }) ==
          "HSM-008 at R, HSM-008 at R");
}

TEST_CASE("HSM-008: also when the other tree has been compiled, or has more states") {
    auto other = hsm::make_fsm<recorder>("other");
    for (int i = 0; i < 10; ++i) other->add("s" + std::to_string(i));
    auto& last = *other->substates()[9];
    const auto chart = hsm::compile(std::move(other));
    CHECK(codes_in([&](fsm& r) { r.add("A").to(last); }) == "HSM-008 at R/A");
}

TEST_CASE("HSM-009: a machine has one initial at most") {
    const auto f = only(found_in([](fsm& r) { r.initial(r.add("A")), r.initial("A"), r.initial("A"); }));
    CHECK(f.code == hsm::code::second_initial);
    CHECK(f.path == "R");
    CHECK(f.problem == "initial was given 3 times");
    CHECK(contains(f.hint, "dispatch(...).when(...)"));
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              r.initial(m);
              m.initial(m.add("A"));
          }) == "");
}

TEST_CASE("HSM-010: the local that a hook takes is there") {
    const auto f = only(found_in([](fsm& r) { r.add("A").on_enter([](recorder&, swing&) {}); }));
    CHECK(f.code == hsm::code::missing_local);
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "an enter hook takes a \""));
    CHECK(contains(f.problem, "swing\", but no state from \"R/A\" outwards has such a local"));
    CHECK(f.hint == "give the state one with local<T>(...)");
    const auto problem = [](auto define) { return only(found_in(define)).problem; };
    CHECK(contains(problem([](fsm& r) { r.add("A").on_update([](recorder&, swing&) {}); }), "an update hook takes a"));
    CHECK(
        contains(problem([](fsm& r) { r.add("A").on_exit([](recorder&, const swing&) {}); }), "an exit hook takes a"));
    CHECK(contains(problem([](fsm& r) { r.add("A").when(&swing::ready).then(noting("")); }), "a guard takes a"));
    CHECK(codes_in([](fsm& r) { r.add<swing>("B"), r.add("A").on_enter([](recorder&, swing&) {}), r.to("A"); }) ==
          "HSM-010 at R/A"); // that of a sibling is not on the path
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").on_enter([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").when(&swing::ready).then(noting("")); }) == "");
}

TEST_CASE("HSM-010: a guard that takes a class is told that the event may be meant") {
    const auto f = only(
        found_in([](fsm& r) { r.add("A").to(r.add("B")).when([](const recorder&, const hit&) { return true; }); }));
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "a guard takes a \""));
    CHECK(contains(f.hint, "call .on<Event>() before .when"));
    CHECK(codes_in([](fsm& r) {
              r.add("A").to(r.add("B")).on<hit>().when([](const recorder&, const hit&) { return true; });
          }) == "");
}

TEST_CASE("HSM-010: an action finds the locals of states that stay, not those of states that are left") {
    const auto f = only(found_in([](fsm& r) { r.add<swing>("A").to(r.add("B")).then([](recorder&, swing&) {}); }));
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "an action takes a \""));
    CHECK(contains(f.problem, "but no state from \"R\" outwards has such a local"));
    CHECK(contains(f.hint, "are gone when its action runs"));
    const auto self = only(found_in([](fsm& r) { r.local<swing>().add("A"), r.to(r).then([](recorder&, swing&) {}); }));
    CHECK(contains(self.problem, "but no state from \"above the root\" outwards"));
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").to(r.add("B")).then([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on<hit>().then([](recorder&, swing&) {}); }) ==
          ""); // nothing is left
    CHECK(codes_in([](fsm& r) { r.local<swing>().initial(r.add("A")).then([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.dispatch(r.add<swing>("A")).then([](recorder&, swing&) {}); }) == "HSM-010 at R");
}

TEST_CASE("HSM-011: a state has one local of a type") {
    const auto f = only(found_in([](fsm& r) { r.add<swing>("A").local<swing>(3); }));
    CHECK(f.code == hsm::code::duplicate_local);
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "the state has two locals of type \""));
    CHECK(contains(f.hint, "derive a type of its own"));
    CHECK(codes_in([](fsm& r) { r.local<swing>().add<swing>("A").local<combo>(); }) == "");
}

TEST_CASE("HSM-012: a polled reaction does something") {
    const auto f = only(found_in([](fsm& r) { r.add("A").when(&recorder::go); }));
    CHECK(f.to_string() ==
          "HSM-012 error at R/A: a polled reaction has no action; hint: add .then(...), or a target with to(...)");
    CHECK(codes_in([](fsm& r) { r.add("A").when(&recorder::go).then(noting("")); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").on<hit>(); }) == ""); // it swallows the event
}

TEST_CASE("HSM-013: nothing leads out of a final state") {
    const auto f = only(found_in([](fsm& r) { r.add_final("end").to(r.add("A")), r.initial("A"); }));
    CHECK(f.code == hsm::code::leaves_final);
    CHECK(f.path == "R/end");
    CHECK(f.problem == "a final state cannot have transitions or reactions");
    CHECK(contains(f.hint, ".on_finished()"));
    CHECK(codes_in([](fsm& r) { r.add_final("end").on<hit>(); }) == "HSM-013 at R/end");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add_final("end")); }) == "");
}

TEST_CASE("HSM-014: a final state is never updated") {
    const auto f = only(found_in([](fsm& r) { r.add_final("end").on_update(noting("")); }));
    CHECK(f.to_string() ==
          "HSM-014 error at R/end: a final state is never updated; hint: use enter, or an ordinary state");
    CHECK(codes_in([](fsm& r) { r.add_final("end").local<ticking>(); }) == "HSM-014 at R/end");
    CHECK(codes_in([](fsm& r) { r.add_final("end").local<ending>(); }) == "HSM-014 at R/end");
    CHECK(codes_in([](fsm& r) { r.add_final("end").on_enter(noting("")).on_exit(noting("")).local<swing>(); }) == "");
}

TEST_CASE("HSM-015: a transition does not wait for an event and for completion") {
    const auto f = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).on<hit>().on_finished(); }));
    CHECK(f.code == hsm::code::event_and_finished);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition waits for the event \"hit\" and for the source to be finished");
    CHECK(f.hint == "write two transitions");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).on_finished().on(pose::run); }) == "HSM-015 at R/A");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B")).on<hit>();
              a.to("B").on_finished();
          }) == "");
}

TEST_CASE("HSM-016: an enumerator names one state at the same distance") {
    const auto twice = [](fsm& r) -> fsm& {
        auto& m = r.add_fsm("M");
        m.add<pose::idle>();
        r.add_fsm("N").add<pose::idle>();
        return m;
    };
    const auto f = only(found_in([&](fsm& r) { twice(r), r.add("A").to(pose::idle), r.initial("A"), r.to("N"); }));
    CHECK(f.code == hsm::code::ambiguous_state);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition names \"pose(0)\", and several states at the same distance have that name");
    CHECK(f.hint == "name the state by reference or by path");
    CHECK(codes_in([&](fsm& r) { twice(r), r.initial(pose::idle); }) == "HSM-016 at R");
    CHECK(codes_in([&](fsm& r) { twice(r).initial(pose::idle), r.to("N").when(&recorder::go); }) ==
          ""); // its own is nearer
    CHECK(codes_in([&](fsm& r) {
              twice(r), r.add<pose::idle>(), r.initial(pose::idle), r.to("M").on<hit>(), r.to("N");
          }) == "");
}

TEST_CASE("HSM-017: a definition has at most as many states as can be counted") {
    const auto many = [](int n) {
        return [n](fsm& r) {
            r.on_update([]() -> hsm::state_base* { return nullptr; }); // may lead anywhere
            for (int i = 1; i < n; ++i) r.add(std::to_string(i));
        };
    };
    const auto f = only(found_in(many(65535)));
    CHECK(f.to_string() ==
          "HSM-017 error at R: the definition has more than 65534 states; hint: split it into several charts");
    CHECK(codes_in(many(65534)) == "");
}

TEST_CASE("HSM-017: there are at most 65534 different events") {
    const auto waits_for = [](int count) {
        return [count](fsm& r) {
            auto& a = r.add("A");
            for (int i = 0; i < count; ++i) a.on(static_cast<number>(i)).when(&recorder::go);
            for (int i = 0; i < 10; ++i) a.on(static_cast<number>(i)).when(&recorder::go);
        };
    };
    const auto f = only(found_in(waits_for(65535)));
    CHECK(f.to_string() ==
          "HSM-017 error at R: the definition has more than 65534 events; hint: split it into several charts");
    CHECK(codes_in(waits_for(65534)) == "");
}

TEST_CASE("HSM-018: a reaction cannot wait for its own state to be finished") {
    const auto f = only(found_in([](fsm& r) { r.add("A").when(&recorder::go).then(noting("")).on_finished(); }));
    CHECK(f.code == hsm::code::finished_reaction);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a reaction waits for its own state to be finished");
    CHECK(contains(f.hint, "to(...)"));
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).when(&recorder::go).then(noting("")).on_finished(); }) == "");
}

TEST_CASE("several errors are reported at once, in the order of the tree, transitions after states") {
    const auto findings = found_in([](fsm& r) {
        auto& a = r.add("A");
        a.to("nowhere").on<hit>().on_finished();
        a.on_enter([](recorder&, swing&) {});
        r.add("B/C");
        auto& m = r.add_fsm("M");
        m.when(&recorder::go);
        r.initial("M"), r.initial("M");
    });
    CHECK(codes_of(findings) == "HSM-009 at R, HSM-010 at R/A, HSM-003 at R/B/C, HSM-002 at R/M, "
                                "HSM-007 at R/A, HSM-015 at R/A, HSM-012 at R/M");
}

TEST_CASE(
    "a guard of a nested machine is one over its own part: for another context it is told what it was taken for") {
    struct weapon {
        bool drawn = false;
    };
    struct knight {
        weapon sword;
        bool ready = false;
    };
    struct weapon_machine : hsm::fsm<weapon> {
        weapon_machine() : fsm("weapon") { add("x"); }
    };
    auto root = hsm::make_fsm<knight>("R");
    auto& nested = root->add<weapon_machine>(&knight::sword);
    nested.to(root->add("B")).when(&knight::ready);
    const auto f = only(hsm::check(root));
    CHECK(f.code == hsm::code::missing_local);
    CHECK(f.path == "R/weapon");
    CHECK(contains(f.problem, "a guard takes a \""));
    CHECK(contains(f.problem, "knight\""));
    CHECK(contains(f.hint, "is it written for the context of an outer machine?"));
    CHECK_FALSE(contains(only(found_in([](fsm& r) { r.add("A").when(&swing::ready).then(noting("")); })).hint, "outer machine"));
}

TEST_CASE("the check changes nothing, and finds the same again") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.to("B");
    CHECK(codes_of(hsm::check(root)) == "HSM-007 at R/A");
    CHECK(codes_of(hsm::check(*root)) == "HSM-007 at R/A");
    root->add("B");
    CHECK(codes_of(hsm::check(root)) == "");
    CHECK(hsm::compile(std::move(root)).state_count() == 3);
}

TEST_CASE("HSM-002: a history state is no substate to be in") {
    CHECK(codes_in([](fsm& r) { r.add_history("h"); }) == "HSM-002 at R");
}

TEST_CASE("HSM-005: a history state's default is a state of its machine") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& m = r.add_fsm("M");
        m.add("x");
        auto& h = m.add_history("h");
        h.otherwise(a);
        a.to(h);
    }));
    CHECK(f.to_string() ==
          "HSM-005 error at R/M/h: otherwise names \"R/A\", which is not below \"R/M\"; hint: name a substate of this machine, at any depth");
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              auto& h = m.add_history("h");
              h.otherwise(m.add_fsm("N").add("x"));
              r.to(h).on<hit>();
          }) == "");
}

TEST_CASE("HSM-010: at on_init and on_destroy no local lives") {
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_init([](recorder&, swing&) {}); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_destroy([](recorder&, swing&) {}); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_init([](recorder&) {}); }) == "");
}

TEST_CASE("HSM-010: holds and delays may take locals of the path") {
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").hold_until(&swing::ready).min_duration(&swing::count); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").hold_until(&swing::ready); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(&swing::count); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r).after(&swing::count); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").every(&swing::count).then([](recorder&) {}); }) == "HSM-010 at R/A");
}

TEST_CASE("HSM-019: a choice has a branch without a guard") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& c = r.add_choice("c");
        c.to(a).when(&recorder::go);
        a.to(c).on<hit>();
    }));
    CHECK(f.to_string() == "HSM-019 error at R/c: each branch of the choice has a guard, and all of them may refuse; hint: say where to "
                           "go then, with otherwise(...)");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add_choice("c")).on<hit>(); }) == "HSM-019 at R/c");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& c = r.add_choice("c");
              c.otherwise(a);
              c.to(a).when(&recorder::go);
              a.to(c).on<hit>();
          }) == "");
}

TEST_CASE("HSM-020: a time is not negative, and a period longer than nothing") {
    const auto f = only(found_in([](fsm& r) { r.add("A").every(0).then([](recorder&) {}); }));
    CHECK(f.to_string() == "HSM-020 error at R/A: every is given 0 ns; hint: a period is longer than nothing");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").after(-1); }) == "HSM-020 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(-0.5); }) == "HSM-020 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(0).to("A").after(0); }) == "");
}

TEST_CASE("HSM-021: words that exclude each other") {
    const auto f = only(found_in([](fsm& r) { r.add("A").every(1).on<hit>().then([](recorder&) {}); }));
    CHECK(f.to_string() ==
          "HSM-021 error at R/A: a transition has every() and the event \"hit\"; hint: write two transitions, or leave one of the words out");
    CHECK(codes_in([](fsm& r) { r.add("A").every(1).after(1).then([](recorder&) {}); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").on<hit>().always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").on_finished().always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").when(&recorder::go).then([](recorder&) {}).always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").when(&recorder::go).always().after(1); }) == "");
}

TEST_CASE("HSM-022: a history state does not lead back to itself") {
    const auto f = only(found_in([](fsm& r) {
        r.add("A");
        r.initial(r.add_history("h"));
    }));
    CHECK(f.to_string() == "HSM-022 error at R/h: when there is nothing to go back to, \"R\" leads here, and from here one comes there "
                           "again; hint: give it an otherwise(...), or let the machine remember: remembers()");
    CHECK(codes_in([](fsm& r) {
              r.add("A");
              r.dispatch(r.add_deep_history("h")).when(&recorder::go);
          }) == "HSM-022 at R/h");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& h = r.add_history("h");
              auto& i = r.add_deep_history("i");
              h.otherwise(i);
              i.otherwise(a);
              a.to(h).on<hit>();
          }) == "HSM-022 at R/i");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& h = r.add_history("h");
              h.otherwise(a);
              r.initial(h);
          }) == "");
}

TEST_CASE("HSM-002, HSM-023: a parallel has regions, and these are neither final nor choices") {
    CHECK(only(found_in([](fsm& r) { r.add_parallel("P"); })).to_string() ==
          "HSM-002 error at R/P: the parallel has no regions; hint: add them, or make it a state");
    CHECK(only(found_in([](fsm& r) {
              auto& p = r.add_parallel("P");
              p.add("a");
              p.adopt(hsm::make_owned<hsm::final_state<recorder>>("end"));
          })).to_string() == "HSM-023 error at R/P/end: a region of a parallel is neither final nor a choice; hint: put it into a machine, "
                "and make that the region");
}

TEST_CASE("HSM-024: the targets of a fork, and the states of a join, can be active together") {
    const auto with = [](auto define) {
        return [define](fsm& r) {
            auto& out = r.add("out");
            auto& p = r.add_parallel("P");
            auto& legs = p.add_fsm("legs");
            auto& stand = legs.add("stand");
            auto& run = legs.add("run");
            auto& arms = p.add("arms");
            auto& history = p.add_deep_history("history");
            p.to(stand).on<hit>();
            p.to(run).on<swing>();
            p.to(history).on<combo>();
            define(out, p, stand, run, arms, history);
        };
    };
    CHECK(only(found_in(with([](auto& out, auto&, auto& stand, auto& run, auto&, auto&) { out.to(stand, run); }))).to_string() ==
          "HSM-024 error at R/out: a transition goes to \"R/P/legs/stand\" and \"R/P/legs/run\", which are never active together; "
          "hint: name states in different regions of a parallel");
    CHECK(only(found_in(with([](auto& out, auto& p, auto& stand, auto& run, auto&, auto&) { out.to(p), p.to(out).in(stand, run); }))).to_string() ==
          "HSM-024 error at R/P: a join waits for \"R/P/legs/stand\" and \"R/P/legs/run\", which are never active together; "
          "hint: name states in different regions of a parallel");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto& arms, auto&) { out.to(stand, arms); })) == "");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto&, auto& history) { out.to(stand, history); })) == "HSM-024 at R/out");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto&, auto&) { out.to(stand, "P/arm"); })) == "HSM-007 at R/out");
}
