// Every error of a transition: the smallest definition with the error, and a similar one without it.

#include <tests/support/findings.hpp>

#include <hsm/compile/detail/outline.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace test;

namespace {

using fsm = hsm::fsm<recorder>;

enum class pose { idle, run };

struct swing {
    int count = 0;
    void enter(recorder&) {}
    bool ready() const { return true; }
};
struct combo {};
struct hit {};

} // namespace

TEST_CASE("HSM-007: a named state must exist; the hint suggests a similar name") {
    const auto f = only(found_in([](fsm& r) { r.add("idle").to("stirke"), r.add_fsm("strike").add("x"); }));
    CHECK(said(f) == "HSM-007 error at R/idle: a transition names \"stirke\", but this state does not exist; hint: "
                     "did you mean \"R/strike\"?");
    const auto hint = [](const char* wrong) {
        return only(found_in([&](fsm& r) {
                   auto& attack = r.add_fsm("attack");
                   attack.add("slash").to(wrong);
                   attack.add("shoot");
                   r.add("dead");
               }))
            .hint;
    };
    CHECK(hint("slahs") == "did you mean \"R/attack/slash\"?");
    CHECK(hint("attack/shot") == "did you mean \"R/attack/shoot\"?");
    CHECK(hint("Dead") == "did you mean \"R/dead\"?");
    CHECK(hint("R/attack/slush") == "did you mean \"R/attack/slash\"?");
    CHECK(hint("something else") == "\"R/attack\" has \"slash\", \"shoot\"");
}

TEST_CASE("HSM-007: initial, dispatch and enumerators must name existing states") {
    const auto initial = only(found_in([](fsm& r) { r.add("A"), r.initial("B"); }));
    CHECK(initial.path == "R");
    CHECK(initial.problem == "initial names \"B\", but this state does not exist");
    const auto dispatch = only(found_in([](fsm& r) { r.add("A"), r.dispatch("some other").when(&recorder::go); }));
    CHECK(dispatch.problem == "dispatch names \"some other\", but this state does not exist");
    CHECK(dispatch.hint == "\"R\" has \"A\"");
    const auto id = only(found_in([](fsm& r) { r.add<pose::idle>().to(pose::run); }));
    CHECK(id.path == "R/idle");
    CHECK(id.problem == "a transition names \"pose::run\", but this state does not exist");
    CHECK(id.hint == "add<pose::run>() adds a state with this name");
    CHECK(codes_in([](fsm& r) { r.add("A").to(""); }) == "HSM-007 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("B"), r.add("B"); }) == ""); // it may come later
    CHECK(codes_in([](fsm& r) { r.add<pose::idle>().to(pose::run), r.add<pose::run>(); }) == "");
}

TEST_CASE("HSM-008: a state of another tree cannot be a target") {
    auto other = hsm::make_fsm<recorder>("other");
    auto& stranger = other->add("stranger");
    const auto f = only(found_in([&](fsm& r) { r.add("A").to(stranger); }));
    CHECK(f.code == hsm::code::foreign_state);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a transition names \"other/stranger\", which is not in the tree of \"R\"");
    CHECK(contains(f.hint, "add the state to this tree"));
    CHECK(codes_in([&](fsm& r) { r.add("A"), r.initial(stranger), r.dispatch(*other); }) == "HSM-008 at R, HSM-008 at R");
}

TEST_CASE("HSM-008: a state of a compiled or larger tree cannot be a target either") {
    auto other = hsm::make_fsm<recorder>("other");
    for (int i = 0; i < 10; ++i) other->add("s" + std::to_string(i));
    auto& last = *other->substates()[9];
    const auto chart = hsm::compile(std::move(other));
    CHECK(codes_in([&](fsm& r) { r.add("A").to(last); }) == "HSM-008 at R/A");
}

TEST_CASE("HSM-012: a polled reaction must have an action") {
    const auto f = only(found_in([](fsm& r) { r.add("A").when(&recorder::go); }));
    CHECK(said(f) == "HSM-012 error at R/A: a polled reaction has no action; hint: add .then(...), or a target with to(...)");
    CHECK(codes_in([](fsm& r) { r.add("A").when(&recorder::go).then(tracing("")); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").on<hit>(); }) == ""); // it swallows the event
}

TEST_CASE("HSM-013: a final state cannot have transitions") {
    const auto f = only(found_in([](fsm& r) { r.add_final("end").to(r.add("A")), r.initial("A"); }));
    CHECK(f.code == hsm::code::leaves_final);
    CHECK(f.path == "R/end");
    CHECK(f.problem == "a final state cannot have transitions or reactions");
    CHECK(contains(f.hint, ".on_finished()"));
    CHECK(codes_in([](fsm& r) { r.add_final("end").on<hit>(); }) == "HSM-013 at R/end");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add_final("end")); }) == "");
}

TEST_CASE("HSM-015: a transition cannot wait for both an event and completion") {
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

TEST_CASE("HSM-018: a reaction cannot wait for the completion of its own state") {
    const auto f = only(found_in([](fsm& r) { r.add("A").when(&recorder::go).then(tracing("")).on_finished(); }));
    CHECK(f.code == hsm::code::finished_reaction);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "a reaction waits for its own state to be finished");
    CHECK(contains(f.hint, "to(...)"));
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add("B")).when(&recorder::go).then(tracing("")).on_finished(); }) == "");
}

TEST_CASE("HSM-019: a choice must have a branch without a guard") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& c = r.add_choice("c");
        c.to(a).when(&recorder::go);
        a.to(c).on<hit>();
    }));
    CHECK(said(f) == "HSM-019 error at R/c: each branch of the choice has a guard, and all guards can be false; hint: add a default "
                     "branch with otherwise(...)");
    CHECK(codes_in([](fsm& r) { r.add("A").to(r.add_choice("c")).on<hit>(); }) == "HSM-019 at R/c");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& c = r.add_choice("c");
              c.otherwise(a);
              c.to(a).when(&recorder::go);
              a.to(c).on<hit>();
          }) == "");
}

TEST_CASE("HSM-020: a time must not be negative, and a period must be positive") {
    const auto f = only(found_in([](fsm& r) { r.add("A").every(0.0).then([](recorder&) {}); }));
    CHECK(said(f) == "HSM-020 error at R/A: the time of every is 0 ns; hint: pass a positive time");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").after(-1.0); }) == "HSM-020 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(-0.5); }) == "HSM-020 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").min_duration(0.0).to("A").after(0.0); }) == "");
}

TEST_CASE("HSM-021: conflicting options of a transition or state are an error") {
    const auto f = only(found_in([](fsm& r) { r.add("A").every(1.0).on<hit>().then([](recorder&) {}); }));
    CHECK(said(f) ==
          "HSM-021 error at R/A: a transition has every() and the event \"hit\"; hint: write two transitions, or remove one of these options");
    CHECK(codes_in([](fsm& r) { r.add("A").every(1.0).after(1.0).then([](recorder&) {}); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").on<hit>().always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").on_finished().always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").every(1.0).then([](recorder&) {}).always(); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add("A").when(&recorder::go).then([](recorder&) {}).always(); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").done_data([](recorder&) { return 1; }); }) == "HSM-021 at R/A");
    CHECK(codes_in([](fsm& r) { r.add_final("A").done_data([](recorder&) { return 1; }); }) == "");
    CHECK(codes_in([](fsm& r) { r.add("A").to("A").when(&recorder::go).always().after(1.0); }) == "");
}

TEST_CASE("HSM-022: a history state must not lead back to itself") {
    const auto f = only(found_in([](fsm& r) {
        r.add("A");
        r.initial(r.add_history("h"));
    }));
    CHECK(said(f) == "HSM-022 error at R/h: the entry of \"R\" leads to this history state. When nothing is recorded, the history state leads back "
                     "to that entry; hint: set a default for the history state, or let the machine remember its last state");
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
              r.initial(h);
          }) == "");
    CHECK(codes_in([](fsm& r) {
              r.add("A");
              auto& h = r.add_history("h");
              h.otherwise(h);
          }) == "HSM-022 at R/h");
    CHECK(codes_in([](fsm& r) { // by way of the entry of R
              r.add("A");
              auto& h = r.add_history("h");
              h.otherwise(r.add_history("i"));
              r.initial(h);
          }) == "HSM-022 at R/h");
    CHECK(codes_in([](fsm& r) {
              auto& a = r.add("A");
              auto& h = r.add_history("h");
              h.otherwise(a);
              r.initial(h);
          }) == "");
}

TEST_CASE("HSM-022: a cycle of history states is reported once") {
    const auto f = only(found_in([](fsm& r) {
        auto& a = r.add("A");
        auto& outside = r.add_history("outside");
        auto& h = r.add_history("h");
        auto& i = r.add_deep_history("i");
        auto& j = r.add_history("j");
        outside.otherwise(h);
        h.otherwise(i);
        i.otherwise(j);
        j.otherwise(h);
        a.to(outside).on<hit>();
    }));
    CHECK(said(f) == "HSM-022 error at R/h: the defaults of 3 history states form a cycle: \"h\", \"i\", \"j\"; hint: set a default that "
                     "is not a history state");
}

TEST_CASE("HSM-024: the targets of a fork and the states of a join must be able to be active together") {
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
    CHECK(said(only(found_in(with([](auto& out, auto&, auto& stand, auto& run, auto&, auto&) { out.to(stand, run); })))) ==
          "HSM-024 error at R/out: a transition goes to \"R/P/legs/stand\" and \"R/P/legs/run\", which are never active together; "
          "hint: name states in different regions of a parallel");
    CHECK(said(only(found_in(with([](auto& out, auto& p, auto& stand, auto& run, auto&, auto&) { out.to(p), p.to(out).in(stand, run); })))) ==
          "HSM-024 error at R/P: a join waits for \"R/P/legs/stand\" and \"R/P/legs/run\", which are never active together; "
          "hint: name states in different regions of a parallel");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto& arms, auto&) { out.to(stand, arms); })) == "");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto&, auto& history) { out.to(stand, history); })) == "HSM-024 at R/out");
    CHECK(codes_in(with([](auto& out, auto&, auto& stand, auto&, auto&, auto&) { out.to(stand, "P/arm"); })) == "HSM-007 at R/out");
}

TEST_CASE("HSM-024: in random forks and joins, the check reports exactly the pairs that are never active together") {
    std::uint32_t random = 7;
    const auto next = [&](std::size_t below) {
        random = random * 1664525 + 1013904223;
        return (random >> 8) % below;
    };
    int apart = 0, together = 0;
    for (int trees = 0; trees < 300; ++trees) {
        auto root = hsm::make_fsm<recorder>("R");
        std::vector<hsm::state_base*> all;
        std::vector<fsm*> machines{root.get()};
        std::vector<hsm::parallel<recorder>*> parallels;
        for (int i = 0; i < 14; ++i) {
            const auto name = "s" + std::to_string(i);
            const bool in_parallel = !parallels.empty() && next(2) == 0;
            const auto add = [&](auto& to) {
                if (next(4) == 0)
                    all.push_back(&to.add(name));
                else if (next(2) == 0)
                    all.push_back(machines.emplace_back(&to.add_fsm(name)));
                else
                    all.push_back(parallels.emplace_back(&to.add_parallel(name)));
            };
            if (in_parallel)
                add(*parallels[next(parallels.size())]);
            else
                add(*machines[next(machines.size())]);
            if (next(4) == 0) all.push_back(&machines[next(machines.size())]->add_history("h" + std::to_string(i)));
        }
        auto& source = root->add("source");
        std::vector<const hsm::state_base*> targets;
        for (auto count = 2 + next(4); count > 0; --count) targets.push_back(all[next(all.size())]);
        source.to(*targets[0]);
        auto& spec = *source.transitions()[0];
        for (std::size_t i = 1; i < targets.size(); ++i)
            const_cast<hsm::transition_spec&>(spec).more_targets.push_back(hsm::target_spec(*targets[i]));
        const auto o = hsm::detail::make_outline(*root);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < targets.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                auto a = o.index_of(*targets[i]), b = o.index_of(*targets[j]);
                const bool history = o.is_history(a) || o.is_history(b);
                a = o.is_history(a) ? o.states[a].superstate : a;
                b = o.is_history(b) ? o.states[b].superstate : b;
                wrong += !o.may_coexist(a, b) || (history && (o.contains(a, b) || o.contains(b, a)));
            }
        std::size_t reports = 0;
        for (const auto& f : hsm::check(root)) reports += f.code == hsm::code::never_together;
        CHECK(reports == wrong);
        (wrong ? apart : together) += 1;
    }
    CHECK(apart > 50);
    CHECK(together > 20);
}

TEST_CASE("HSM-024: unless_in cannot name a history state") {
    const auto f = only(found_in([](fsm& r) {
        auto& m = r.add_fsm("M");
        m.add("x");
        auto& back = m.add_history("H");
        r.add("A").to(m).on<hit>().unless_in(back);
    }));
    CHECK(f.code == hsm::code::never_together);
    CHECK(f.path == "R/A");
    CHECK(f.problem == "unless_in() names \"R/M/H\", a history state, which is never active");
    CHECK(f.hint == "name the machine of the history state, or states in it");
}

namespace {
struct pinned {
    pinned() = default;
    pinned(const pinned&) = delete;
};
struct movable {
    movable() = default;
    movable(movable&&) = default;
};
} // namespace

TEST_CASE("HSM-032: an event that can be neither copied nor moved must not be deferred or held") {
    const auto deferred = only(found_in([](fsm& r) { r.add("A").defer<pinned>(); }));
    CHECK(deferred.code == hsm::code::unstorable_event);
    CHECK(deferred.path == "R/A");
    CHECK(deferred.problem == "the event \"pinned\" can be neither copied nor moved, but the state defers it");
    const auto held = only(found_in([](fsm& r) {
        auto& m = r.add_fsm("M");
        m.add("x").hold();
        m.to("B").on<pinned>();
        r.add("B");
    }));
    CHECK(held.code == hsm::code::unstorable_event);
    CHECK(held.path == "R/M");
    CHECK(held.problem == "the event \"pinned\" can be neither copied nor moved, but its transition must wait while \"R/M/x\" holds");
    CHECK(codes_in([](fsm& r) { // the holding state is not exited, or its hold is not checked
              auto& a = r.add("A").hold();
              a.on<pinned>().then([](recorder&) {});
              a.to("B").on<pinned>().force();
              a.to("C").on<movable>();
              r.add("B").to("C").on<pinned>();
              r.add("C").defer<movable>().to("A");
          }) == "");
}
