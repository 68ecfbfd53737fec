// Every warning: the smallest definition with the warning, and a similar one without it.

#include <tests/support/findings.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

using fsm = hsm::fsm<recorder>;

struct hit {};
enum class input { jump, duck };

constexpr hsm::compile_options substate_first{.order = hsm::decision_order::substate_first};

} // namespace

TEST_CASE("HSM-101: a state that no transition reaches is reported") {
    const auto f = only(found_in([](fsm& r) { r.add("A"), r.add("B"); }));
    CHECK(said(f) == "HSM-101 warning at R/B: no transition, dispatch or initial leads to this state; "
                     "hint: add a transition to it, or enter it with change_to");
    CHECK(codes_in([](fsm& r) { r.add("A").to("B").when(&recorder::go), r.add("B"); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A"), r.dispatch("B").when(&recorder::go), r.add("B"), r.initial("A"); }) == "");
}

TEST_CASE("HSM-101: transitions of unreachable states reach no state; only the outermost unreachable state is reported") {
    CHECK(codes_in([](fsm& r) {
              r.add("A");
              r.add("B").to("C");
              r.add("C");
              auto& m = r.add_fsm("M");
              m.add("x");
              m.add("y");
          }) == "HSM-101 at R/B, HSM-101 at R/C, HSM-101 at R/M");
}

TEST_CASE("HSM-101: an entry choice reaches the targets of its choices up to the first unguarded one") {
    CHECK(codes_in([](fsm& r) {
              r.dispatch(r.add("A")).when(&recorder::go);
              r.dispatch(r.add("B"));
              r.add("C");
          }) == "HSM-101 at R/C");
    CHECK(codes_in([](fsm& r) {
              r.dispatch(r.add("A")).when(&recorder::go);
              r.add("B"); // the machine rests instead
          }) == "HSM-101 at R/B");
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              m.add("x");
              m.add("y");
              r.initial("M/y"); // enters y directly, never by M's own choice
          }) == "HSM-101 at R/M/x");
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              m.add("x");
              m.add("y");
              r.initial("M/y");
              m.to(m).when(&recorder::go); // makes it
          }) == "");
}

TEST_CASE("HSM-101: if an update returns a state, all states count as reachable") {
    CHECK(codes_in([](fsm& r) {
              r.add("A").on_update([](recorder&) -> hsm::state_base* { return nullptr; });
              r.add("B");
          }) == "");
}

TEST_CASE("HSM-102: a transition after one that always fires is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        a.to(r.add("B"));
        a.to(r.add("C"));
    }));
    CHECK(f.code == hsm::code::shadowed);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "the transition to \"R/C\" never fires: the transition to \"R/B\" is tried before it and has no guard");
    CHECK(f.hint == "guard the transition that is tried first, or set a higher priority for the other one");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B")).when(&recorder::go);
              a.to(r.add("C"));
          }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B"));
              a.to(r.add("C")).when(&recorder::go).priority(1);
          }) == "");
}

TEST_CASE("HSM-102: event transitions, reactions and dispatch choices are compared within each trigger") {
    const auto problem = [](auto define) { return only(found_in(define)).problem; };
    CHECK(problem([](fsm& r) {
              auto& a = r.add("A");
              a.on<hit>();
              a.to(r.add("B")).on<hit>();
          }) == "the transition to \"R/B\" on \"hit\" never fires: the reaction on \"hit\" is tried before it and has "
                "no guard");
    CHECK(problem([](fsm& r) { r.dispatch(r.add("A")), r.dispatch("A").when(&recorder::go); }) ==
          "the dispatch to \"R/A\" never fires: the dispatch to \"R/A\" is tried before it and has no guard");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              a.on<input::jump>();
              a.on(input::duck).then(tracing(""));
              a.on("jump");
              a.to(r.add("B"));
              a.to("B").on_finished();
              a.when(&recorder::go).then(tracing(""));
              a.when(&recorder::go).then(tracing("")); // all reactions run
          }) == "");
    CHECK(codes_in([](fsm& r) {
              r.add("A").on<input::jump>();
              r.on(input::jump).when(&recorder::go);
              r.on(input::jump); // the same event, written in another way
          }) == "HSM-102 at R/A");
}

TEST_CASE("HSM-102: conditions that contradict each other, or include those of an earlier transition, are reported") {
    const auto problem = [](auto define) { return only(found_in(define)).problem; };
    CHECK(problem([](fsm& r) { r.add("A").to(r.add("B")).when("X").when("!X"); }) ==
          "the transition to \"R/B\" never fires: it requires \"X\" and its negation");
    CHECK(problem([](fsm& r) { r.add("A").to(r.add("B")).when(hsm::all("X", "Y")).when(hsm::no("X")); }) ==
          "the transition to \"R/B\" never fires: it requires \"X\" and its negation");
    CHECK(problem([](fsm& r) { r.add("A").when(5).when(-5).then(tracing("")); }) == "the reaction never fires: it requires bit 5 and its negation");
    CHECK(problem([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B")).when("X");
              a.to(r.add("C")).when(hsm::all("Y", "X"));
          }) == "the transition to \"R/C\" never fires: the transition to \"R/B\" is tried before it and requires no other conditions");
    CHECK(problem([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B")).when(hsm::any("X", "Z"));
              a.to(r.add("C")).when("X").when(&recorder::go);
          }) == "the transition to \"R/C\" never fires: the transition to \"R/B\" is tried before it and requires no other conditions");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).when(hsm::any("X", "!X")); }) == "");
    CHECK(codes_in([](fsm& r) { // the first transition requires more conditions than a later one, or other conditions
              auto& a = r.add("A");
              a.to(r.add("B")).when(hsm::all("X", "Y"));
              a.to(r.add("C")).when("X");
              a.to(r.add("D")).when("!X");
              a.to(r.add("E")).when("Y");
          }) == "");
    CHECK(codes_in([](fsm& r) { // the first has a guard besides
              auto& a = r.add("A");
              a.to(r.add("B")).when("X").when(&recorder::go);
              a.to(r.add("C")).when("X");
          }) == "");
    CHECK(codes_in([](fsm& r) { // one of two is not both
              auto& a = r.add("A");
              a.to(r.add("B")).when(hsm::all("X", "Z"));
              a.to(r.add("C")).when(hsm::any("X", "Z"));
          }) == "");
}

TEST_CASE("HSM-102: polled transitions shadow each other only at the same level") {
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              m.to(m.add("x")); // level M
              m.to(r.add("A")); // level R, and so decided before
          }) == "");
}

TEST_CASE("HSM-102: an event that the superstate always consumes does not reach its substates") {
    const auto define = [](fsm& r) {
        r.add("A").to(r.add("B")).on<hit>();
        r.on<hit>().then(tracing(""));
    };
    const auto findings = found_in(define);
    REQUIRE(codes_of(findings) == "HSM-102 at R/A");
    CHECK(findings[0].problem == "the transition to \"R/B\" on \"hit\" never fires: hsm tries the superstate \"R\" first, "
                                 "and its reaction on \"hit\" has no guard");
    CHECK(contains(findings[0].hint, "decision_order::substate_first"));
    CHECK(codes_in(define, substate_first) == "");
    CHECK(codes_in([](fsm& r) {
              r.add("A").to(r.add("B")).on<hit>();
              r.on<hit>().when(&recorder::go).then(tracing(""));
          }) == "");
}

TEST_CASE("HSM-102: a transition whose unless_in excludes its whole source is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        a.to(r.add("B")).on<hit>().unless_in("B", a);
    }));
    CHECK(f.code == hsm::code::shadowed);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "the transition to \"R/B\" on \"hit\" never fires: unless_in() excludes \"R/A\", and that state is always active while the source is active");
    CHECK(f.hint == "in unless_in(), name states that are not always active together with the source");
    CHECK(codes_in([](fsm& r) { r.to(r.add("A")).on<hit>().unless_in("A"); }) == "");
    CHECK(codes_in([](fsm& r) { // the second fires where the first is excluded
              auto& a = r.add("A");
              r.to(a).on<hit>().unless_in(a);
              a.on<hit>().then(tracing(""));
          }) == "");
}

TEST_CASE("HSM-103: an endless cycle of transient states is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& b = r.add("b").transient();
        auto& c = r.add("c").transient();
        a.to(b);
        b.to(c);
        c.to(b);
    }));
    CHECK(f.code == hsm::code::unguarded_cycle);
    CHECK(f.path == "R/b");
    CHECK(f.problem == "states that are left immediately form an endless cycle: b -> c -> b");
    CHECK(f.hint == "guard one of the transitions");
    CHECK(codes_in([](fsm& r) { r.add("a").transient().to("a"); }) == "HSM-103 at R/a");
}

TEST_CASE("HSM-103: a cycle with a guard, an event or an ordinary state is not reported") {
    CHECK(codes_in([](fsm& r) {
              auto& b = r.add("b").transient();
              auto& c = r.add("c").transient();
              b.to(c).when(&recorder::go);
              c.to(b);
          }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& b = r.add("b").transient();
              auto& c = r.add("c");
              b.to(c);
              c.to(b);
          }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& b = r.add("b").transient();
              auto& c = r.add("c").transient();
              b.to(c);
              c.to(b).on_finished();
          }) == "");
}

TEST_CASE("HSM-104: a transient state without a polled transition is reported") {
    const auto f = only(found_in([](fsm& r) { r.add("A").transient(); }));
    CHECK(f.code == hsm::code::pointless_transient);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transient state has no polled transition to try on entry");
    CHECK(f.hint == "add a polled transition, or remove transient()");
    CHECK(codes_in([](fsm& r) { r.add("A").transient().to(r.add("B")).on<hit>(); }) == "HSM-104 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").transient().when(&recorder::go).then(tracing("")); }) == "HSM-104 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").transient().to(r.add("B")); }) == "");
}

TEST_CASE("HSM-105: external has an effect only between a superstate and a state inside it") {
    const auto f = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).external(); }));
    CHECK(f.code == hsm::code::pointless_kind);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "external() has no effect on the transition to \"R/B\"");
    CHECK(f.hint == "use it for transitions between a superstate and its own substate");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").external(); }) == "HSM-105 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").on<hit>().external(); }) == "HSM-105 at R/A");
    CHECK(codes_in([](fsm& r) { r.to(r.add("A")).on<hit>().external(); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r).on<hit>().external(); }) == "");
}

TEST_CASE("HSM-105: reenter on a transition that is never satisfied has no effect") {
    const auto f = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).reenter(); }));
    CHECK(f.path == "R/A");
    CHECK(f.problem == "reenter() has no effect on the transition to \"R/B\"");
    CHECK(f.hint == "use it for polled transitions from a superstate to its own substate");
    CHECK(codes_in([](fsm& r) { r.to(r.add("A")).on<hit>().reenter(); }) == "HSM-105 at R");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r).reenter(); }) == "HSM-105 at R/A");
    CHECK(codes_in([](fsm& r) { r.to(r.add("A")).reenter(); }) == "");
}

TEST_CASE("HSM-105: carry_over on a transition that is not due at a moment has no effect") {
    const auto f = only(found_in([](fsm& r) { r.add("A").to(r.add("B")).carry_over(); }));
    CHECK(f.path == "R/A");
    CHECK(f.problem == "carry_over() has no effect on the transition to \"R/B\"");
    CHECK(f.hint == "use it for transitions with a target and after(), and without an event");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).on<hit>().after(1.0).carry_over(); }) == "HSM-105 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").when(&recorder::go).after(1.0).carry_over().then(tracing("")); }) == "HSM-105 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).after(1.0).carry_over(); }) == "");
}

TEST_CASE("HSM-106: an initial of a machine with an unguarded dispatch choice is never used") {
    const auto f = only(found_in([](fsm& r) { r.dispatch(r.add("A")), r.initial("A"); }));
    CHECK(f.code == hsm::code::pointless_initial);
    CHECK(f.path == "R");
    CHECK(f.problem == "initial is never used: the machine has a dispatch choice without a guard");
    CHECK(f.hint == "remove initial, or add a guard to that choice");
    CHECK(codes_in([](fsm& r) { r.dispatch(r.add("A")).when(&recorder::go), r.initial("A"); }) == "");
}

TEST_CASE("HSM-107: a completion transition of the root never fires") {
    const auto f = only(found_in([](fsm& r) { r.to(r.add("A")).on_finished(); }));
    CHECK(f.code == hsm::code::root_finished);
    CHECK(f.path == "R");
    CHECK(f.problem == "the transition to \"R/A\" never fires: when the root is finished, the machine is finished");
    CHECK(contains(f.hint, "finished()"));
    CHECK(codes_in([](fsm& r) {
              auto& m = r.add_fsm("M");
              m.to(m.add("A")).on_finished();
          }) == "");
}

TEST_CASE("the check reports warnings only if it finds no error") {
    const auto define = [](bool with_error) {
        return [with_error](fsm& r) {
            r.add("A").transient();
            if (with_error) r.add("B").to("nowhere");
        };
    };
    CHECK(codes_in(define(true)) == "HSM-007 at R/B");
    CHECK(codes_in(define(false)) == "HSM-104 at R/A");
}

TEST_CASE("the check reports all warnings") {
    CHECK(codes_in([](fsm& r) {
              r.add("A").transient().to("A").external();
              r.add("B");
          }) == "HSM-101 at R/B, HSM-103 at R/A, HSM-105 at R/A");
}

TEST_CASE("HSM-101: a history state reaches its default, or its machine's entry choice") {
    const auto through_history = [](bool with_default) {
        return codes_in([=](fsm& r) {
            auto& a = r.add("A");
            auto& m = r.add_fsm("M");
            m.add("x");
            auto& y = m.add("y");
            auto& h = m.add_history("h");
            if (with_default) h.otherwise(y);
            a.to(h).when(&recorder::go);
        });
    };
    CHECK(through_history(true) == "HSM-101 at R/M/x");
    CHECK(through_history(false) == "HSM-101 at R/M/y");
}

TEST_CASE("HSM-102: a delayed transition shadows no other; one that can be held shadows no forced one") {
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& b = r.add("B");
              a.to(b).after(1.0);
              a.to(b);
          }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A").hold();
              auto& b = r.add("B");
              a.to(b);
              a.to(b).force();
          }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A").hold();
              auto& b = r.add("B");
              a.to(b).force();
              a.to(b);
          }) == "HSM-102 at R/A");
}

TEST_CASE("HSM-103: endless cycles of choices or always transitions are reported") {
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("a");
              auto& b = r.add("b");
              a.to(b).always();
              b.to(a).always();
          }) == "HSM-103 at R/a");
    CHECK(codes_in([](fsm& r) {
              auto& c = r.add_choice("c");
              auto& d = r.add_choice("d");
              c.otherwise(d);
              d.otherwise(c);
          }) == "HSM-103 at R/c");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("a");
              auto& b = r.add("b");
              a.to(b).always().when(&recorder::go);
              b.to(a).always();
          }) == "");
}

TEST_CASE("HSM-105: force has no effect on a reaction") {
    CHECK(codes_in([](fsm& r) { r.add("A").on<hit>().force(); }) == "HSM-105 at R/A");
}

TEST_CASE("HSM-102: each of many transitions of a state is compared with the transitions that are tried before it") {
    const auto warnings_in = [](int count, bool alike) {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A");
        for (int i = 0; i < count; ++i) {
            const auto bit = "b" + std::to_string(alike ? 0 : i);
            a.to(a).on("e" + std::to_string(i)).when(bit);
            a.to(a).on("e").when(bit);
        }
        hsm::compile_options options;
        options.max_findings = std::size_t(-1);
        return hsm::check(root, options).size();
    };
    CHECK(warnings_in(3000, false) == 0);
    CHECK(warnings_in(3000, true) == 2999);
}

TEST_CASE("HSM-102: the warning names the innermost superstate that consumes the event") {
    const auto f = found_in([](fsm& r) {
        auto& m = r.add_fsm("M");
        auto& n = m.add_fsm("N");
        auto& x = n.add("x");
        auto& o = r.add_fsm("O");
        auto& y = o.add("y");
        r.to(o).on("first");
        m.to(m).on("second");
        n.to(n).on("second").when(&recorder::go);
        n.to(n).on("third");
        x.to(x).on("first"), x.to(x).on("second"), x.to(x).on("third");
        y.to(m).on("first"), y.to(m).on("second"), y.to(m).on("third");
    });
    REQUIRE(f.size() == 5);
    CHECK(codes_of(f) == "HSM-102 at R/M/N, HSM-102 at R/M/N/x, HSM-102 at R/M/N/x, HSM-102 at R/M/N/x, HSM-102 at R/O/y");
    CHECK(f[2].problem.find("hsm tries the superstate \"R/M\" first") != std::string::npos);
    CHECK(f[3].problem.find("hsm tries the superstate \"R/M/N\" first") != std::string::npos);
}

TEST_CASE("HSM-109: a condition that is used once and is similar to another one is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& b = r.add("B");
        a.to(b).when("IsRun");
        b.to(a).when("!IsRnu");
    }));
    CHECK(f.code == hsm::code::misspelt_condition);
    CHECK(f.path == "R/B");
    CHECK(f.problem == "the condition \"IsRnu\" is used once, and is similar to \"IsRun\"");
    CHECK(f.hint == "if both are intended, declare each with root->condition(...)");
}

namespace {
/// The warnings of a definition that uses the first condition once and the second `times` times.
std::string warnings_of(std::string_view first, std::string_view second, int times = 1) {
    return codes_in([&](fsm& r) {
        auto& a = r.add("A");
        auto& b = r.add("B");
        a.to(b).when(first);
        for (int i = 0; i < times; ++i) b.to(a).on("e" + std::to_string(i)).when(second);
    });
}
} // namespace

TEST_CASE("HSM-109: names are similar if they differ by a typing error or in case, but not in a suffix or number") {
    for (const auto* wrong : {"IsRnu", "IsRu", "IsRunn", "IsRum", "isRun", "is_run", "ISRUN", "IsRrun"}) {
        CAPTURE(wrong);
        CHECK(warnings_of("IsRun", wrong) == "HSM-109 at R/B");
        CHECK(warnings_of("IsRun", wrong, 2) == (std::string_view(wrong) == "IsRun" ? "" : "HSM-109 at R/A"));
    }
    for (const auto* other : {"IsGun", "IsRun2", "IsRunA", "IsRunning", "Run", "IsFly", "IsR"}) {
        CAPTURE(other);
        CHECK(warnings_of("IsRun", other) == "");
    }
    CHECK(warnings_of("AxisX", "AxisY") == "");
    CHECK(warnings_of("key_1", "key_2") == "");
    CHECK(warnings_of("slot_12", "slot_21") == "");
    CHECK(warnings_of("cell_1_11", "cell_11_1") == "");
    CHECK(warnings_of("door_n", "door_s") == "");
    CHECK(warnings_of("up", "us") == "");
    CHECK(warnings_of("a", "b") == "");
}

TEST_CASE("HSM-109: a condition that is used several times or declared is not reported") {
    const auto warnings = [](auto declare) {
        return codes_in([&](fsm& r) {
            auto& a = r.add("A");
            auto& b = r.add("B");
            declare(r);
            a.to(b).when("IsRun");
            b.to(a).when(hsm::any("IsRnu", &recorder::go));
        });
    };
    CHECK(warnings([](fsm&) {}) == "HSM-109 at R/B");
    CHECK(warnings([](fsm& r) { r.condition("IsRnu"); }) == "HSM-109 at R/A");
    CHECK(warnings([](fsm& r) { r.condition("IsRnu"), r.condition("IsRun"); }) == "");
    CHECK(warnings([](fsm& r) { r.on("e").when("IsRun"), r.on("f").when("IsRnu"); }) == "");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              a.to(r.add("B")).when("IsRun");
              a.hold_until("IsRnu");
          }) == "HSM-109 at R/A");
}

TEST_CASE("HSM-112: a deferral of an event that no transition takes is reported") {
    const auto f = only(found_in([](fsm& r) { r.add("A").defer("go").to(r.add("B")).on("stop"); }));
    CHECK(f.code == hsm::code::never_enabled);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "the state defers the event \"go\", but no transition takes it, so it stays in the queue");
    CHECK(f.hint == "add a transition on this event, or remove the deferral");
    CHECK(codes_in([](fsm& r) { r.add("A").defer<hit>().to(r.add("B").defer<hit>()); }) == "HSM-112 at R/A, HSM-112 at R/B");
    CHECK(codes_in([](fsm& r) { r.add("A").defer("go.left").to(r.add("B")).on(hsm::event_prefix("go")); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").defer("go").to(r.add("B")).on(hsm::any("stop", "go")); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").defer('5').to(r.add("B")).on(hsm::range('0', '9')); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").defer('x').to(r.add("B")).on(hsm::range('0', '9')); }) == "HSM-112 at R/A");
}

TEST_CASE("HSM-102: a transition that both requires and excludes an active state is reported") {
    const auto regions = [](fsm& r, const char* wanted, const char* excluded) {
        auto& p = r.add_parallel("P");
        auto& one = p.add_fsm("1");
        one.add("a").to(one.add("b")).in(wanted).unless_in(excluded);
        auto& two = p.add_fsm("2");
        two.add("c").to(two.add("d"));
    };
    const auto f = only(found_in([&](fsm& r) { regions(r, "R/P/2/c", "R/P/2"); }));
    CHECK(f.code == hsm::code::shadowed);
    CHECK(f.problem == "the transition to \"R/P/1/b\" never fires: in() requires \"R/P/2/c\", and unless_in() excludes \"R/P/2\"");
    CHECK(codes_in([&](fsm& r) { regions(r, "R/P/2/c", "R/P/2/c"); }) == "HSM-102 at R/P/1/a");
    CHECK(codes_in([&](fsm& r) { regions(r, "R/P/2/c", "R/P/2/d"); }) == "");
    CHECK(codes_in([&](fsm& r) { regions(r, "R/P/2", "R/P/2/c"); }) == "");
}

TEST_CASE("HSM-102: a delayed transition after one that fires no later is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        a.to(r.add("B")).after(1.0);
        a.to(r.add("C")).after(2.0);
    }));
    CHECK(f.code == hsm::code::shadowed);
    CHECK(f.problem == "the transition to \"R/C\" never fires: the transition to \"R/B\" is tried before it, is due at the same time "
                       "or earlier, and has no guard");
    CHECK(f.hint == "guard the transition that is tried first, or set a shorter time for the other one");
    const auto two = [](double first, double second, auto change) {
        return codes_in([&](fsm& r) {
            auto& a = r.add("A");
            change(a.to(r.add("B")).after(first));
            a.to(r.add("C")).after(second);
        });
    };
    const auto as_it_is = [](auto) {};
    CHECK(two(1.0, 1.0, as_it_is) == "HSM-102 at R/A");
    CHECK(two(2.0, 1.0, as_it_is) == "");
    CHECK(two(1.0, 2.0, [](auto t) { t.when(&recorder::go); }) == "");
    CHECK(two(1.0, 2.0, [](auto t) { t.template on<hit>(); }) == "");
    CHECK(codes_in([](fsm& r) { // it is fired once, and its source stays active
              auto& m = r.add_fsm("M");
              m.to(m.add("x")).after(1.0);
              m.to(m.add("y")).after(2.0);
          }) == "");
}

TEST_CASE("HSM-113: a history state that is a target only from inside its machine is reported") {
    const auto f = only(found_in([](fsm& r) {
        auto& m = r.add_fsm("M");
        auto& h = m.add_history("h");
        m.add("x").to(h).on<hit>();
    }));
    CHECK(f.code == hsm::code::useless_history);
    CHECK(f.path == "R/M/h");
    CHECK(f.problem == "all transitions to this history state begin in \"R/M\", which no transition exits, so the history state never records anything");
    CHECK(f.hint == "add a transition from outside, or name another target");
    CHECK(codes_in([](fsm& r) { // from outside, too
              auto& m = r.add_fsm("M");
              auto& h = m.add_history("h");
              m.add("x").to(h).on<hit>();
              m.to(r.add("B")).on("go");
              r.add("C").to(h).on("back");
              r.to("C").on("C");
          }) == "");
    CHECK(codes_in([](fsm& r) { // a later transition resumes the record of an exit
              auto& m = r.add_fsm("M");
              auto& menu = m.add("menu");
              menu.to(m.add_history("h")).on<hit>();
              menu.to(m.add("x")).on("x");
              m.to(r.add("A")).on("out");
              r.to("M").on("in");
          }) == "");
    CHECK(codes_in([](fsm& r) { // it is exited
              auto& m = r.add_fsm("M");
              auto& h = m.add_history("h");
              m.to(h).on<hit>().external();
              m.add("x");
          }) == "");
}
