// Every error of a definition except those of transitions: the smallest definition with the error, and a similar one without it.

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
    float count = 0;
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
    CHECK(said(f) == "HSM-002 error at R/M: the machine has no substates; hint: add a substate, or use a plain state instead");
    CHECK(codes_in([](fsm&) {}) == "HSM-002 at R");
    CHECK(codes_in([](fsm& r) { r.add_fsm("M").add("A"); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A"); }) == "");
}

TEST_CASE("HSM-003: a name must not be empty") {
    const auto f = only(found_in([](fsm& r) { r.add(""); }));
    CHECK(said(f) == "HSM-003 error at R/: the state has no name; hint: give each state a unique name");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.named(""); }) == "HSM-003 at ");
    CHECK(codes_in([](fsm& r) { r.add("").named("A"); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("").identified<pose::idle>(); }) == "");
    CHECK(codes_in([](fsm& r) { r.add(" "); }) == "");
}

TEST_CASE("HSM-003: a name must not contain a slash") {
    const auto f = only(found_in([](fsm& r) { r.add("jump/run"); }));
    CHECK(f.path == "R/jump/run");
    CHECK(f.problem == "the name \"jump/run\" contains '/', which separates names in a path");
    CHECK(f.hint == "use another character");
    CHECK(codes_in([](fsm& r) { r.add("jump\\run.and-roll:1"); }) == "");
}

TEST_CASE("HSM-004: the substates of a machine must have different names") {
    const auto f = only(found_in([](fsm& r) { add_named(r.add_fsm("M"), {"A", "B", "A"}); }));
    CHECK(f.code == hsm::code::duplicate_name);
    CHECK(f.path == "R/M");
    CHECK(f.problem == "more than one substate is named \"A\"");
    CHECK(contains(f.hint, ".named(...)"));
    CHECK(codes_in([](fsm& r) { add_named(r, {"B", "A", "B", "A", "A", "C"}); }) == "HSM-004 at R, HSM-004 at R");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.initial(r.add_fsm("M").add("A")), r.to("A"); }) == "");
}

TEST_CASE("HSM-005: initial must name a state below its machine") {
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

TEST_CASE("HSM-006: dispatch must name states below its machine") {
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

TEST_CASE("HSM-009: a machine can have at most one initial") {
    const auto f = only(found_in([](fsm& r) { r.initial(r.add("A")), r.initial("A"), r.initial("A"); }));
    CHECK(f.code == hsm::code::second_initial);
    CHECK(f.path == "R");
    CHECK(f.problem == "initial is set 3 times");
    CHECK(contains(f.hint, "dispatch(...).when(...)"));
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              r.initial(m);
              m.initial(m.add("A"));
          }) == "");
}

TEST_CASE("HSM-010: a state of the path must have the local that a hook takes") {
    const auto f = only(found_in([](fsm& r) { r.add("A").on_enter([](recorder&, swing&) {}); }));
    CHECK(f.code == hsm::code::missing_local);
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "an enter hook takes a \""));
    CHECK(contains(f.problem, "swing\", but no state from \"R/A\" outwards has such a local"));
    CHECK(f.hint == "add a local to the state with local<T>(...)");
    const auto problem = [](auto define) { return only(found_in(define)).problem; };
    CHECK(contains(problem([](fsm& r) { r.add("A").on_update([](recorder&, swing&) {}); }), "an update hook takes a"));
    CHECK(contains(problem([](fsm& r) { r.add("A").on_exit([](recorder&, const swing&) {}); }), "an exit hook takes a"));
    CHECK(contains(problem([](fsm& r) { r.add("A").when(&swing::ready).then(tracing("")); }), "a guard takes a"));
    CHECK(codes_in([](fsm& r) { r.add<swing>("B"), r.add("A").on_enter([](recorder&, swing&) {}), r.to("A"); }) ==
          "HSM-010 at R/A"); // that of a sibling is not on the path
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").on_enter([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").when(&swing::ready).then(tracing("")); }) == "");
}

TEST_CASE("HSM-010: if a guard takes an unknown class, the hint suggests an event") {
    const auto f = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).when([](const recorder&, const hit&) { return true; }); }));
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "a guard takes a \""));
    CHECK(contains(f.hint, "call .on<Event>() before .when"));
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).on<hit>().when([](const recorder&, const hit&) { return true; }); }) == "");
}

TEST_CASE("HSM-010: if a hook takes a wrong event, the hint names the event of the transition") {
    struct miss {};
    const auto acts = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).on<hit>().then([](recorder&, const miss&) {}); }));
    CHECK(contains(acts.hint, "the event of this transition is \"hit\"; an action takes only locals of states that stay active"));
    CHECK_FALSE(contains(acts.hint, ".on<Event>()"));
    const auto asks = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).on<hit>().when([](const recorder&, const miss&) { return true; }); }));
    CHECK(contains(asks.hint, "the event of this transition is \"hit\"; any other class must be a local"));
}

TEST_CASE("HSM-010: an action can take locals of states that stay active, but not of exited states") {
    const auto f = only(found_in([](fsm& r) { r.add<swing>("A").to(r.add("B")).then([](recorder&, swing&) {}); }));
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "an action takes a \""));
    CHECK(contains(f.problem, "but no state from \"R\" outwards has such a local"));
    CHECK(contains(f.hint, "otherwise add a local to a state that stays active"));
    const auto self = only(found_in([](fsm& r) { r.local<swing>().add("A"), r.to(r).then([](recorder&, swing&) {}); }));
    CHECK(contains(self.problem, "but no state is active at that moment"));
    CHECK(codes_in([](fsm& r) { r.local<swing>().add("A").to(r.add("B")).then([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on<hit>().then([](recorder&, swing&) {}); }) == ""); // no state exits
    CHECK(codes_in([](fsm& r) { r.local<swing>().initial(r.add("A")).then([](recorder&, swing&) {}); }) == "");
    CHECK(codes_in([](fsm& r) { r.dispatch(r.add<swing>("A")).then([](recorder&, swing&) {}); }) == "HSM-010 at R");
}

TEST_CASE("HSM-011: a state can have at most one local of each type") {
    const auto f = only(found_in([](fsm& r) { r.add<swing>("A").local<swing>(3.0f); }));
    CHECK(f.code == hsm::code::duplicate_local);
    CHECK(f.path == "R/A");
    CHECK(contains(f.problem, "the state has two locals of type \""));
    CHECK(contains(f.hint, "derive a separate type"));
    CHECK(codes_in([](fsm& r) { r.local<swing>().add<swing>("A").local<combo>(); }) == "");
}

TEST_CASE("HSM-014: a final state is never updated") {
    const auto f = only(found_in([](fsm& r) { r.add_final("end").on_update(tracing("")); }));
    CHECK(said(f) == "HSM-014 error at R/end: a final state cannot have an update hook or a local with finished(); hint: use the enter hook, or an ordinary state");
    CHECK(codes_in([](fsm& r) { r.add_final("end").local<ticking>(); }) == "HSM-014 at R/end");
    CHECK(codes_in([](fsm& r) { r.add_final("end").local<ending>(); }) == "HSM-014 at R/end");
    CHECK(codes_in([](fsm& r) { r.add_final("end").on_enter(tracing("")).on_exit(tracing("")).local<swing>(); }) == "");
}

TEST_CASE("HSM-016: an enumerator must not name several states at the same distance") {
    const auto twice = [](fsm& r) -> fsm& {
        auto& m = r.add_fsm("M");
        m.add<pose::idle>();
        r.add_fsm("N").add<pose::idle>();
        return m;
    };
    const auto f = only(found_in([&](fsm& r) { twice(r), r.add("A").to(pose::idle), r.initial("A"), r.to("N"); }));
    CHECK(f.code == hsm::code::ambiguous_state);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition names \"pose::idle\", but several states at the same distance have this name");
    CHECK(f.hint == "name the state by reference or by path");
    CHECK(codes_in([&](fsm& r) { twice(r), r.initial(pose::idle); }) == "HSM-016 at R");
    CHECK(codes_in([&](fsm& r) { twice(r).initial(pose::idle), r.to("N").when(&recorder::go); }) == ""); // its own is nearer
    CHECK(codes_in([&](fsm& r) { twice(r), r.add<pose::idle>(), r.initial(pose::idle), r.to("M").on<hit>(), r.to("N"); }) == "");
}

TEST_CASE("HSM-017: a definition can have at most 65534 states") {
    const auto many = [](int n) {
        return [n](fsm& r) {
            r.on_update([]() -> hsm::state_base* { return nullptr; }); // may lead anywhere
            for (int i = 1; i < n; ++i) r.add(std::to_string(i));
        };
    };
    const auto f = only(found_in(many(65535)));
    CHECK(said(f) == "HSM-017 error at R: the definition has more than 65534 states; hint: split it into several charts");
    CHECK(codes_in(many(65534)) == "");
}

TEST_CASE("HSM-017: a definition can have at most 65534 different events") {
    const auto waits_for = [](int count) {
        return [count](fsm& r) {
            auto& a = r.add("A");
            for (int i = 0; i < count; ++i) a.on(static_cast<number>(i)).when(&recorder::go);
            for (int i = 0; i < 10; ++i) a.on(static_cast<number>(i)).when(&recorder::go);
        };
    };
    const auto f = only(found_in(waits_for(65535)));
    CHECK(said(f) == "HSM-017 error at R: the definition has more than 65534 events; hint: split it into several charts");
    CHECK(codes_in(waits_for(65534)) == "");
}

TEST_CASE("the check reports all errors in the order of the tree, transitions after states") {
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

TEST_CASE("HSM-010: if a guard of a nested machine takes the outer context, the hint mentions the outer machine") {
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
    CHECK(contains(f.hint, "if the function takes the context of an outer machine, let it take this machine's part of the context; otherwise:"));
    CHECK_FALSE(contains(only(found_in([](fsm& r) { r.add("A").when(&swing::ready).then(tracing("")); })).hint, "outer machine"));
}

TEST_CASE("the check does not change the definition, and can be repeated") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.to("B");
    CHECK(codes_of(hsm::check(root)) == "HSM-007 at R/A");
    CHECK(codes_of(hsm::check(*root)) == "HSM-007 at R/A");
    root->add("B");
    CHECK(codes_of(hsm::check(root)) == "");
    CHECK(hsm::compile(std::move(root)).state_count() == 3);
}

TEST_CASE("HSM-002: a history state does not count as a substate") {
    CHECK(codes_in([](fsm& r) { r.add_history("h"); }) == "HSM-002 at R");
}

TEST_CASE("HSM-005: the default of a history state must be below its machine") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& m = r.add_fsm("M");
        m.add("x");
        auto& h = m.add_history("h");
        h.otherwise(a);
        a.to(h);
    }));
    CHECK(said(f) ==
          "HSM-005 error at R/M/h: otherwise names \"R/A\", which is not below \"R/M\"; hint: name a substate of this machine, at any depth");
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              auto& h = m.add_history("h");
              h.otherwise(m.add_fsm("N").add("x"));
              r.to(h).on<hit>();
          }) == "");
}

TEST_CASE("HSM-010: on_init and on_destroy hooks cannot take locals") {
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_init([](recorder&, swing&) {}); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_destroy([](recorder&, swing&) {}); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").on_init([](recorder&) {}); }) == "");
}

TEST_CASE("HSM-010: holds and delays can take locals of the path") {
    CHECK(codes_in([](fsm& r) { r.add<swing>("A").hold_until(&swing::ready).min_duration(&swing::count); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").hold_until(&swing::ready); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(&swing::count); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r).after(&swing::count); }) == "HSM-010 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").every(&swing::count).then([](recorder&) {}); }) == "HSM-010 at R/A");
}

TEST_CASE("HSM-002, HSM-023: a parallel must have regions, which must not be final states or choices") {
    CHECK(said(only(found_in([](fsm& r) { r.add_parallel("P"); }))) ==
          "HSM-002 error at R/P: the parallel has no regions; hint: add regions, or use a plain state instead");
    CHECK(said(only(found_in([](fsm& r) {
              auto& p = r.add_parallel("P");
              p.add("a");
              p.adopt(hsm::make_owned<hsm::final_state<recorder>>("end"));
          }))) == "HSM-023 error at R/P/end: a region of a parallel cannot be a final state or a choice; hint: put it into a machine, "
                  "and make the machine the region");
}

TEST_CASE("HSM-030: after conditions_declared, an undeclared condition is an error") {
    const auto f = only(found_in([](fsm& r) {
        r.conditions_declared();
        r.condition("IsRun");
        auto& a = r.add("A");
        a.to(r.add("B")).when("IsRun").when("!IsRnu");
    }));
    CHECK(f.code == hsm::code::undeclared_condition);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition requires the condition \"IsRnu\", which is not declared");
    CHECK(f.hint == "did you mean \"IsRun\"?");
    const auto bit = only(found_in([](fsm& r) {
        r.conditions_declared();
        r.condition("IsRun", 4);
        auto& a = r.add("A");
        a.to(r.add("B")).when(4).when(-5).when(hsm::is_over);
    }));
    CHECK(bit.problem == "a transition requires the condition bit 5, which is not declared");
    CHECK(bit.hint == "declare it: root->condition(\"name\", 5)");
    CHECK(codes_in([](fsm& r) { // it may be declared anywhere, and by a handle
              r.conditions_declared();
              auto& a = r.add("A");
              a.to(r.add("B")).when("IsRun").when(r.condition());
              a.condition("IsRun");
          }) == "");
    CHECK(codes_in([](fsm& r) { // conditions_declared of one machine
              r.add("A").to("M").when("one");
              auto& m = r.add_fsm("M").conditions_declared();
              m.add("x").hold_until("two");
          }) == "HSM-030 at R/M/x");
}
