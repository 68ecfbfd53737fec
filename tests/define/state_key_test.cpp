// The ways to name a state, and the results of an update that name the next state.

#include <tests/support/findings.hpp>
#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <type_traits>

using namespace test;

namespace {

enum class pose { stand, walk, dead };
enum class other { stand };

/// The state after a tick in which the update of "stand" returns the result of `next(walk)`.
std::string led_by(auto make_hook) {
    auto root = hsm::make_fsm<recorder>("R");
    auto& stand = root->add<pose::stand>();
    auto& walk = root->add<pose::walk>();
    stand.on_update(make_hook(walk));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    return std::string(agent.current().name());
}

struct chooser {
    std::optional<pose> update(recorder& r) const { return r.go ? std::optional(pose::walk) : std::nullopt; }
};

struct choosing_node : hsm::state<recorder> {
    choosing_node() : state("node") {}
    pose update(recorder&) const { return pose::walk; }
};

} // namespace

TEST_CASE("an enumerator id consists of the type and the value") {
    CHECK(hsm::enum_id_of(pose::stand) == hsm::enum_id_of(pose::stand));
    CHECK_FALSE(hsm::enum_id_of(pose::stand) == hsm::enum_id_of(pose::walk));
    CHECK_FALSE(hsm::enum_id_of(pose::stand) == hsm::enum_id_of(other::stand));
    CHECK(hsm::enum_id_of(pose::walk).type->name.ends_with("::pose"));
    CHECK(hsm::enum_id_of(pose::stand));
    CHECK_FALSE(hsm::enum_id{});
}

TEST_CASE("a state, a path or an enumerator converts to a state key") {
    static_assert(std::is_convertible_v<hsm::fsm<recorder>&, hsm::state_key>);
    static_assert(std::is_convertible_v<const hsm::state_base&, hsm::state_key>);
    static_assert(std::is_convertible_v<const char*, hsm::state_key>);
    static_assert(std::is_convertible_v<std::string_view, hsm::state_key>);
    static_assert(std::is_convertible_v<std::string, hsm::state_key>);
    static_assert(std::is_convertible_v<hsm::state_ref, hsm::state_key>);
    static_assert(std::is_convertible_v<pose, hsm::state_key>);
    static_assert(std::is_convertible_v<hsm::class_id, hsm::state_key>);
    static_assert(!std::is_convertible_v<int, hsm::state_key>);
    auto root = hsm::make_fsm<recorder>("R");
    CHECK(hsm::state_key(*root).node == root.get());
    CHECK(hsm::state_key("a/b").path == "a/b");
    CHECK(hsm::state_key(hsm::state_ref(*root)).node == root.get());
    CHECK(hsm::state_key(pose::dead).id.value == 2);
}

TEST_CASE("a state_ref from a chart or an instance names its state; an empty one names none") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").to("B").when(&recorder::go);
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.is_in(agent.current()));
    agent.change_to(chart.find("B"));
    CHECK(agent.is_in(chart.find(agent.current())));
    CHECK(agent.is_in(std::string("B")));
    CHECK_FALSE(chart.find(hsm::state_ref()));
    CHECK_THROWS_AS(agent.change_to(hsm::state_ref()), hsm::state_error);
    CHECK_THROWS_AS(agent.change_to("C"), hsm::state_error);
    CHECK(agent.current().name() == "B");
}

TEST_CASE("an update can return the next state as a reference, a pointer, an enumerator or a successor") {
    using state = hsm::state<recorder>;
    CHECK(led_by([](state& s) { return [&s](recorder&) -> state& { return s; }; }) == "walk");
    CHECK(led_by([](state& s) { return [&s](recorder&) -> const hsm::state_base& { return s; }; }) == "walk");
    CHECK(led_by([](state& s) { return [&s](recorder&) { return &s; }; }) == "walk");
    CHECK(led_by([](state&) { return [](recorder&) { return pose::walk; }; }) == "walk");
    CHECK(led_by([](state&) { return [](recorder&) { return std::optional(pose::walk); }; }) == "walk");
    CHECK(led_by([](state& s) { return [&s](recorder&) { return hsm::successor(s); }; }) == "walk");
    CHECK(led_by([](state&) { return [](recorder&) -> hsm::successor { return pose::walk; }; }) == "walk");
    CHECK(led_by([](state&) { return [](auto&) { return pose::walk; }; }) == "walk");
    CHECK(led_by([](state&) { return [] { return pose::walk; }; }) == "walk");
}

TEST_CASE("an update returns no state with a null pointer, an empty optional or an empty successor") {
    using state = hsm::state<recorder>;
    CHECK(led_by([](state&) { return [](recorder&) -> const state* { return nullptr; }; }) == "stand");
    CHECK(led_by([](state&) { return [](recorder&) -> std::optional<pose> { return {}; }; }) == "stand");
    CHECK(led_by([](state&) { return [](recorder&) { return hsm::successor(); }; }) == "stand");
    CHECK(led_by([](state&) { return [](recorder&) { return nullptr; }; }) == "stand");
}

TEST_CASE("the update of a local's class or a node's class can return the next state") {
    const auto next_of = [](auto define, bool go) {
        auto root = hsm::make_fsm<recorder>("R");
        define(*root);
        root->template add<pose::walk>();
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        r.go = go;
        hsm::instance agent{chart, r};
        agent.start();
        agent.tick();
        return std::string(agent.current().name());
    };
    CHECK(next_of([](auto& root) { root.template add<chooser>("A"); }, true) == "walk");
    CHECK(next_of([](auto& root) { root.template add<chooser>("A"); }, false) == "A");
    CHECK(next_of([](auto& root) { root.template add<choosing_node>(); }, false) == "walk");
}

TEST_CASE("the last update that returns a state determines the next state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.on_update([&](recorder&) { return &b; });
    a.on_update([&](recorder&) { return &c; });
    a.on_update([](recorder&) -> hsm::state<recorder>* { return nullptr; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(agent.is_in(c));
}

TEST_CASE("the transition to a returned state fires after the reactions of the state, and before completion") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").on_enter(tracing("E B"));
    auto& c = root->add("C").on_enter(tracing("E C"));
    a.on_update([&](recorder&, hsm::step<recorder>& s) {
        s.finish();
        return &b;
    });
    a.when([](const recorder&) { return true; }).then(tracing("reaction"));
    a.to(c).on_finished();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(r.take() == "reaction, E B");
}

TEST_CASE("an update that returns a state of another definition throws after it has run, and changes nothing else") {
    auto elsewhere = hsm::make_fsm<recorder>("elsewhere");
    auto& foreign = elsewhere->add("X");
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_exit(tracing("X A"));
    a.on_update([&](recorder& r) {
        r.note("U A");
        return &foreign;
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK_THROWS_AS(agent.tick(), hsm::state_error);
    CHECK(r.take() == "U A");
    CHECK(agent.current().path() == "R/A");
}

TEST_CASE("the type of an update determines whether it can return a state") {
    auto root = hsm::make_fsm<recorder>("R");
    CHECK(root->add("A").on_update([](recorder&) { return pose::walk; }).names_successor());
    CHECK(root->add("B").local<chooser>().names_successor());
    CHECK(root->add<choosing_node>().names_successor());
    CHECK_FALSE(root->add("C").on_update([](recorder&) {}).on_enter([](recorder&) { return 1; }).names_successor());
}

namespace {
struct aiming {
    int shots = 0;
};
struct firing : hsm::fsm<recorder> {
    firing() : fsm("fire") { add<aiming>("aim"); }
};
} // namespace

TEST_CASE("a class can name a state in every call that takes a state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& idle = root->add("idle");
    root->add<firing>();
    idle.to(hsm::state_of<firing>()).on<event<1>>();
    idle.to(hsm::state_of<aiming>()).on<event<2>>();
    const auto chart = hsm::compile(std::move(root));
    CHECK(chart.find(hsm::state_of<firing>()).path() == "R/fire");
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK_FALSE(agent.is_in(hsm::state_of<firing>()));
    agent.process(event<2>{});
    CHECK(agent.current().path() == "R/fire/aim");
    CHECK(agent.is_in(hsm::state_of<firing>()));
    CHECK(agent.is_in(hsm::state_of<aiming>()));
    agent.change_to("idle");
    agent.change_to(hsm::state_of<firing>());
    CHECK(agent.current().path() == "R/fire/aim");
}

TEST_CASE("a class that no state has is an error") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& idle = root->add("idle");
    SUBCASE("in a definition") {
        idle.to(hsm::state_of<firing>());
        const auto findings = hsm::check(root);
        REQUIRE(findings.size() == 1);
        CHECK(said(findings[0]) == "HSM-007 error at R/idle: a transition names \"firing\", but this state does not exist; "
                                   "hint: add<firing>(...) adds a state of this class");
    }
    SUBCASE("in a call") {
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        hsm::instance agent{chart, r};
        std::string message;
        try {
            agent.start(hsm::state_of<firing>());
        } catch (const hsm::state_error& e) {
            message = e.what();
        }
        CHECK(message == "HSM-202 error at R: \"firing\" is not a state of this chart; hint: add<firing>(...) adds a state of this class");
        CHECK_FALSE(agent.active());
    }
}

namespace {

/// hero { ground { idle, run }, climb { idle, rest { idle } }, slash } with an event for each way.
struct named {
    hsm::owned<hsm::fsm<recorder>> root = hsm::make_fsm<recorder>("hero");
    std::optional<hsm::chart<recorder>> chart;
    recorder r;
    std::optional<hsm::instance<recorder>> agent;
    std::string seen; ///< by the hook of climb/rest

    named() {
        auto& ground = root->add_fsm("ground");
        ground.add<pose::stand>();
        ground.add("idle");
        ground.add("run");
        auto& climb = root->add_fsm("climb");
        climb.add("idle");
        auto& rest = climb.add_fsm("rest");
        rest.add("idle").on_update([this](recorder&, hsm::step<recorder>& s) {
            seen += s.is_in("idle") ? "rest/idle " : "";
            seen += s.is_in("climb/idle") ? "climb/idle " : "";
            seen += s.is_in("slash") ? "slash " : "";
            s.change_to("idle");
        });
        rest.add<pose::dead>();
        root->add<pose::dead>();
        root->add("slash");
        root->add("hero").named("hero"); // named as the root is
        chart.emplace(hsm::compile(std::move(root)));
        agent.emplace(*chart, r);
        agent->start();
    }

    std::string message(auto call) {
        try {
            call();
        } catch (const hsm::state_error& e) {
            return e.what();
        }
        return "nothing";
    }
};

} // namespace

TEST_CASE("outside hooks, a path begins at the root, or is the end of exactly one path, whichever state is active") {
    named n;
    for (const auto* const at : {"hero/ground/run", "hero/climb/rest/idle", "slash"}) {
        n.agent->set_state(at);
        CHECK(n.agent->is_in("slash") == (at == std::string_view("slash")));
        CHECK(n.agent->is_in("run") == (at == std::string_view("hero/ground/run")));
        CHECK(n.agent->is_in("rest/idle") == (at == std::string_view("hero/climb/rest/idle")));
        CHECK_FALSE(n.agent->is_in("climb/idle"));
        CHECK(n.message([&] { (void)n.agent->is_in("idle"); }) == "HSM-202 error at hero: \"idle\" names several states; hint: write one of "
                                                                  "\"hero/ground/idle\", \"hero/climb/idle\", \"hero/climb/rest/idle\"");
        CHECK(n.message([&] { (void)n.agent->is_in("slas"); }) ==
              "HSM-202 error at hero: \"slas\" is not a state of this chart; hint: did you mean \"hero/slash\"?");
        CHECK(n.message([&] { n.agent->change_to("idle"); }).starts_with("HSM-202 error at hero: \"idle\" names several states"));
        CHECK(n.message([&] { (void)n.agent->time_in_state("idle"); }).starts_with("HSM-202"));
        CHECK(n.message([&] { n.agent->set_state("und/run"); }).starts_with("HSM-202")); // whole names only
        CHECK(n.message([&] { n.agent->set_state(""); }).starts_with("HSM-202"));
        CHECK(n.message([&] { n.agent->set_state("/run"); }).starts_with("HSM-202"));
    }
    CHECK(n.chart->find("rest").path() == "hero/climb/rest");
    CHECK_FALSE(n.chart->find("idle"));
    CHECK(n.chart->find("hero").path() == "hero/hero"); // a path from the root, before the root's own name
    CHECK(n.chart->find("hero/slash").path() == "hero/slash");
}

TEST_CASE("outside hooks, an enumerator names a target if exactly one state has it") {
    named n;
    CHECK_FALSE(n.agent->is_in(pose::dead));
    CHECK(n.agent->change_to(pose::stand) == hsm::result::taken);
    CHECK(n.message([&] { n.agent->change_to(pose::dead); }) ==
          "HSM-202 error at hero: \"pose::dead\" names several states; hint: write one of \"hero/climb/rest/dead\", \"hero/dead\"");
    n.agent->change_to("rest/dead");
    CHECK(n.agent->is_in(pose::dead)); // any that has it
}

TEST_CASE("in a hook, a name is looked up from the hook's state outwards") {
    named n;
    n.agent->set_state("rest/idle");
    CHECK(n.message([&] { n.agent->tick(); }) == "nothing");
    CHECK(n.seen == "rest/idle ");
    CHECK(n.agent->current().path() == "hero/climb/rest/idle");
}

TEST_CASE("in a hook, a name that is not visible is an error whose hint contains the full path") {
    auto root = hsm::make_fsm<recorder>("hero");
    auto& attack = root->add_fsm("attack");
    attack.add("slash");
    std::string message;
    auto& dead = root->add("dead").on_enter([&](recorder&, hsm::step<recorder>& s) {
        try {
            (void)s.is_in("slash");
        } catch (const hsm::state_error& e) {
            message = e.what();
        }
    });
    attack.to(dead).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process(event<1>{});
    CHECK(message == "HSM-202 error at hero: \"slash\" does not name a state that is visible from \"hero/dead\"; hint: hsm searches below that "
                     "state, then below each of its superstates; write \"hero/attack/slash\"");
}

namespace {
/// A string class of a program.
struct own_string {
    const char* text;
    operator std::string_view() const { return text; }
};
} // namespace

TEST_CASE("any type that converts to string_view can name a new state") {
    auto root = hsm::make_fsm<int>("root");
    CHECK(root->add(own_string{"a"}).path() == "root/a");
    CHECK(root->add_fsm(std::string("b")).path() == "root/b");
    CHECK(root->add_parallel(std::string_view("c")).path() == "root/c");
}
