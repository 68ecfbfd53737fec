#include <hsm/reload.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/manage.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/replay.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save/image.hpp>
#include <tests/save/fighter.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::reload_plan;
using hsm::result;
using test::event;
using test::fighter;
using test::hit;
using test::recorder;
using test::shout;
using test::stance;
using test::traced;

namespace {

template <class Define> hsm::chart<recorder> chart_of(const Define& define, const char* name = "R") {
    auto root = hsm::make_fsm<recorder>(name);
    define(*root);
    return hsm::compile(std::move(root));
}

std::string texts_of(const hsm::reload_report& report) {
    std::string text;
    for (const auto& each : report.changes) text += each.path + ": " + each.problem + '\n';
    return text;
}

template <class Call> std::string error_of(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "none";
}

void fight_with_mail(hsm::instance<fighter>& agent, fighter& f) {
    fight(agent, f);
    agent.mailbox().post(shout{"mailed"});
}

constexpr hsm::instance_options with_mail = {.mailbox = 4};

} // namespace

TEST_CASE("a plan between equal charts does not change the image of an instance") {
    const auto before = test::fighter_chart(), after = test::fighter_chart();
    fighter f;
    hsm::instance agent{before, f, with_mail};
    fight_with_mail(agent, f);
    const auto* const marks = test::combo_of(agent, f).marks.data();
    auto& mail = agent.mailbox();
    const auto image = hsm::save(agent);
    const reload_plan plan(before, after);
    CHECK(texts_of(plan.report(agent)) == "");
    const auto done = plan.apply(agent);
    CHECK(done.outcome == result::taken);
    CHECK(done.to_string() == "1 machines; active states: 6 with the same path, 0 with another path, 0 replaced\n");
    CHECK(hsm::save(agent) == image);
    CHECK(agent.current().get() == after.find("fight").get());
    CHECK(test::combo_of(agent, f).marks.data() == marks); // the local was moved
    CHECK(&agent.mailbox() == &mail);
    CHECK(mail.post(hit{1}) == result::queued);
}

TEST_CASE("a plan that was applied there and back does not change the image of an instance") {
    const auto first = test::fighter_chart();
    auto other = test::fighter_chart();
    fighter f;
    hsm::instance agent{first, f, with_mail};
    fight_with_mail(agent, f);
    const auto image = hsm::save(agent);
    {
        const auto second = test::fighter_chart();
        CHECK(reload_plan(first, second).apply(agent).changes.empty());
        CHECK(reload_plan(second, other).apply(agent).changes.empty());
    }
    CHECK(hsm::save(agent) == image);
    agent.tick(1s);
    agent.stop();
}

TEST_CASE("renamed states keep their place, and the trace continues without hooks") {
    const auto define = [](const char* run, const char* fast, auto& root) {
        auto& idle = traced(root.add("idle"));
        auto& outer = traced(root.add_fsm(run));
        traced(outer.add("slow"));
        auto& inner = traced(outer.add(fast));
        idle.to(inner).template on<event<1>>();
        inner.to(idle).after(100ms);
    };
    const auto before = chart_of([&](auto& root) { define("run", "fast", root); });
    const auto after = chart_of([&](auto& root) { define("move", "quick", root); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.process(event<1>{});
    agent.tick(60ms);
    r.take();

    reload_plan plan(before, after);
    plan.map("R/run", "R/move").map("R/run/fast", "R/move/quick");
    CHECK(plan.apply(agent).to_string() == "1 machines; active states: 1 with the same path, 2 with another path, 0 replaced\n");
    CHECK(r.take() == "");
    CHECK(hsm::to_string(agent) == "R/move/quick");
    agent.tick(39ms);
    CHECK(r.take() == "U move, U quick");
    agent.tick(1ms);
    CHECK(r.take() == "X quick, X move, E idle, U idle");
}

TEST_CASE("former names, classes and enumerators find states that have moved") {
    struct dash : hsm::state<recorder> {
        explicit dash(const char* name) : state(name) {}
    };
    enum class place { yard };
    const auto before = chart_of([](auto& root) {
        root.add("idle");
        root.template add<dash>("dash");
        root.template add<place::yard>();
        root.add("rest");
    });
    const auto after = chart_of([](auto& root) {
        auto& group = root.add_fsm("group");
        group.template add<dash>("rush");
        group.template add<place::yard>();
        root.add("pause").was("rest");
        root.add("idle");
    });
    CHECK(reload_plan(before, after).to_string() == "state R -> R: same name\n"
                                                    "state R/idle -> R/idle: same name\n"
                                                    "state R/dash -> R/group/rush: same class or enumerator\n"
                                                    "state R/yard -> R/group/yard: same class or enumerator\n"
                                                    "state R/rest -> R/pause: renamed\n");
    recorder r;
    hsm::instance agent{before, r};
    agent.start("dash");
    reload_plan(before, after).apply(agent);
    CHECK(hsm::to_string(agent) == "R/group/rush");
}

TEST_CASE("a state that no longer exists is replaced by its superstate, which tries its entry choices in the next tick") {
    const auto before = chart_of([](auto& root) {
        auto& run = traced(root.add_fsm("run"));
        traced(run.add("jog"));
        traced(run.add("sprint"));
    });
    const auto after = chart_of([](auto& root) {
        auto& run = traced(root.add_fsm("run"));
        traced(run.add("walk"));
    });
    recorder r;
    hsm::instance agent{before, r};
    agent.start("run/sprint");
    r.take();
    const reload_plan plan(before, after);
    const auto report = plan.report(agent);
    CHECK(report.replaced == 1);
    CHECK(texts_of(report) == "R/active/0: R/run/sprint no longer exists: R/run replaces it and chooses its initial state\n"
                              "R/states/R/run/sprint: R/run/sprint is no longer active: its data is dropped\n");
    CHECK(hsm::to_string(agent) == "R/run/sprint"); // a report changes nothing
    plan.apply(agent);
    CHECK(hsm::to_string(agent) == "R/run");
    agent.tick(1ms);
    CHECK(r.take() == "U run, E walk, U walk");
}

TEST_CASE("a dropped state is replaced although the new chart has it") {
    const auto define = [](auto& root) {
        root.add("idle");
        root.add("run");
    };
    const auto before = chart_of(define), after = chart_of(define);
    recorder r;
    hsm::instance agent{before, r};
    agent.start("run");
    reload_plan plan(before, after);
    plan.drop("R/run").apply(agent);
    CHECK(hsm::to_string(agent) == "R");
    agent.tick();
    CHECK(hsm::to_string(agent) == "R/idle");
}

TEST_CASE("timers keep their time, also if the new chart has another one") {
    const auto define = [](auto time, auto& root) {
        auto& idle = root.add("idle");
        idle.to(root.add("run")).after(time);
    };
    const auto before = chart_of([&](auto& root) { define(100ms, root); });
    const auto after = chart_of([&](auto& root) { define(1s, root); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.tick(60ms);
    reload_plan(before, after).apply(agent);
    agent.tick(39ms);
    CHECK(hsm::to_string(agent) == "R/idle");
    agent.tick(1ms);
    CHECK(hsm::to_string(agent) == "R/run");
}

TEST_CASE("an added region begins with its entry choice, and a removed one is dropped") {
    const auto define = [](auto& root, std::vector<std::string> regions) {
        auto& both = root.add_parallel("both");
        for (const auto& each : regions) {
            auto& region = traced(both.add_fsm(each));
            auto& first = traced(region.add(each + "1"));
            first.to(traced(region.add(each + "2"))).template on<event<1>>();
        }
    };
    const auto before = chart_of([&](auto& root) { define(root, {"a", "b"}); });
    const auto after = chart_of([&](auto& root) { define(root, {"b", "c"}); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.process(event<1>{});
    r.take();
    reload_plan(before, after).apply(agent);
    CHECK(r.take() == "");
    CHECK(agent.path_of_leaves() == "R/both/b/b2, R/both/c");
    agent.tick();
    CHECK(agent.path_of_leaves() == "R/both/b/b2, R/both/c/c1");
}

TEST_CASE("a history keeps the state that it recorded") {
    const auto define = [](const char* second, auto& root) {
        auto& idle = root.add("idle");
        auto& run = root.add_fsm("run").remembers();
        run.add("one");
        auto& two = run.add(second);
        idle.to(run).template on<event<1>>();
        two.to(idle).template on<event<2>>();
    };
    const auto before = chart_of([&](auto& root) { define("two", root); });
    const auto after = chart_of([&](auto& root) { define("second", root); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start("run/two");
    agent.process(event<2>{});
    reload_plan plan(before, after);
    plan.map("R/run/two", "R/run/second").apply(agent);
    agent.process(event<1>{});
    CHECK(hsm::to_string(agent) == "R/run/second");
}

namespace {

struct bow {
    int arrows = 0;
};
/// Cannot be moved without exceptions.
struct quiver {
    std::vector<int> arrows;
    int copies = 0;
    quiver() = default;
    quiver(const quiver& other) : arrows(other.arrows), copies(other.copies + 1) {}
};
struct shot {
    int arrows = 0;
};
struct volley {
    int arrows = 0, archers = 1;
};
/// Cannot be copied.
struct note {
    std::unique_ptr<int> number;
};

} // namespace

TEST_CASE("a converter gives active states a local of another class") {
    const auto before = chart_of([](auto& root) { root.template add<bow>("aim"); });
    const auto after = chart_of([](auto& root) { root.template add<quiver>("aim"); });
    const auto applied = [&](bool convert) {
        recorder r;
        hsm::instance agent{before, r};
        agent.start();
        agent.template local<bow>()->arrows = 7;
        reload_plan plan(before, after);
        if (convert)
            plan.convert<bow, quiver>([](const bow& b) {
                quiver made;
                made.arrows.assign(1, b.arrows);
                return made;
            });
        plan.apply(agent);
        return agent.template local<quiver>()->arrows;
    };
    CHECK(applied(false).empty());
    CHECK(applied(true) == std::vector{7});
}

TEST_CASE("a local that is added begins as a copy of its prototype in each machine") {
    const auto before = chart_of([](auto& root) { root.add("aim"); });
    const auto after = chart_of([](auto& root) { root.add("aim").template local<std::vector<int>>(3, 4); });
    const reload_plan plan(before, after);
    for (int i = 0; i < 2; ++i) {
        recorder r;
        hsm::instance agent{before, r};
        agent.start();
        plan.apply(agent);
        CHECK(agent.template local<std::vector<int>>()->size() == 2);
    }
}

TEST_CASE("a converter that throws changes nothing") {
    const auto before = chart_of([](auto& root) { root.template add<bow>("aim"); });
    const auto after = chart_of([](auto& root) { root.template add<quiver>("aim"); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    const auto image = hsm::save(agent);
    reload_plan plan(before, after);
    plan.convert<bow, quiver>([](const bow&) -> quiver { throw std::runtime_error("no arrows"); });
    CHECK(error_of([&] { plan.apply(agent); }) == "no arrows");
    CHECK(hsm::save(agent) == image);
}

TEST_CASE("waiting events are mapped by type or name, converted, or dropped") {
    const auto define = []<class Shot>(std::type_identity<Shot>, const char* call, auto& root) {
        root.add("idle").template on<Shot>().then([](recorder& r, const Shot& s) { r.note("shot " + std::to_string(s.arrows)); });
        root.on(call).then([call](recorder& r) { r.note(call); });
        root.template on<note>().then([](recorder& r, const note& n) { r.note("note " + std::to_string(*n.number)); });
    };
    const auto before = chart_of([&](auto& root) { define(std::type_identity<shot>(), "wake", root); });
    const auto after = chart_of([&](auto& root) { define(std::type_identity<volley>(), "rise", root); });
    const auto applied = [&](const auto& edit) {
        recorder r;
        hsm::instance agent{before, r, with_mail};
        agent.start();
        agent.post(shot{2});
        agent.post("wake");
        agent.post(note{std::make_unique<int>(5)});
        agent.mailbox().post(shot{3});
        reload_plan plan(before, after);
        edit(plan);
        plan.apply(agent);
        agent.tick();
        return r.take();
    };
    CHECK(applied([](reload_plan&) {}) == "note 5");
    CHECK(applied([](reload_plan& plan) { plan.map("wake", "rise").convert<shot, volley>([](const shot& s) { return volley{s.arrows * 10}; }); }) ==
          "shot 20, rise, note 5, shot 30");
}

TEST_CASE("a waiting event of a prefix does not become the event whose name equals the prefix") {
    const auto define = [](auto& root) {
        root.add("idle");
        root.on("ping").then([](recorder& r) { r.note("ping"); });
        root.on(hsm::event_prefix("ping")).then([](recorder& r, const hsm::named_event& e) { r.note("prefix of " + std::string(e.name())); });
    };
    const auto before = chart_of(define), after = chart_of(define);
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.post("ping.a");
    reload_plan(before, after).apply(agent);
    agent.tick();
    CHECK(r.take() == "prefix of ping.a");
}

TEST_CASE("conditions are mapped by name") {
    const auto define = [](const char* name, auto& root) { root.add("idle").to(root.add("run")).when(name).when("Go"); };
    const auto before = chart_of([&](auto& root) { define("Old", root); });
    const auto after = chart_of([&](auto& root) { define("New", root); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.set("Old");
    reload_plan plan(before, after);
    plan.map("Old", "New").apply(agent);
    CHECK(agent.get("New"));
    agent.set("Go");
    agent.tick();
    CHECK(hsm::to_string(agent) == "R/run");
}

TEST_CASE("references into the old chart are errors after a reload, and bind returns new ones") {
    const auto define = [](auto& root) {
        root.add("idle");
        root.add("run");
    };
    const auto before = chart_of(define), after = chart_of(define);
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    const auto old = before.find("run");
    reload_plan(before, after).apply(agent);
    CHECK(error_of([&] { agent.change_to(old); }).find("HSM-202") == 0);
    CHECK(error_of([&] { static_cast<void>(agent.is_in(old)); }).find("HSM-202") == 0);
    agent.change_to(hsm::bind(after, "run"));
    CHECK(hsm::to_string(agent) == "R/run");
    CHECK(error_of([&] { hsm::bind(after, "walk"); }).find("HSM-202") == 0);
}

TEST_CASE("a plan refuses machines of another chart, unknown parts, and states that are never active together") {
    const auto before = chart_of([](auto& root) {
        auto& both = root.add_parallel("both");
        both.add("left");
        both.add("right");
    });
    const auto after = chart_of([](auto& root) {
        root.add("one");
        root.add("two");
    });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    reload_plan plan(before, after);
    CHECK(error_of([&] { plan.map("R/both/lift", "R/one"); }) ==
          "HSM-421 error at R: the chart has no state, event or condition \"R/both/lift\"; hint: did you mean \"R/both/left\"?");
    CHECK(error_of([&] { plan.drop("R/x"); }).find("HSM-421") == 0);
    plan.map("R/both/left", "R/one").map("R/both/right", "R/two");
    const auto image = hsm::save(agent);
    CHECK(error_of([&] { plan.apply(agent); }) ==
          "HSM-422 error at R/both/right: R/two cannot be active together with the other active states; hint: map these states to states that can "
          "be active together, or drop one of them");
    CHECK(hsm::save(agent) == image);
    CHECK(error_of([&] { reload_plan(after, before).apply(agent); }) ==
          "HSM-420 error at R: the plan is for machines of another chart; hint: create a plan from the chart of this machine");
}

TEST_CASE("a plan is not applied to a machine whose hook runs") {
    const reload_plan* wanted = nullptr;
    hsm::instance_base* machine = nullptr;
    result seen = result::taken;
    const auto define = [&](auto& root) { root.add("idle").on_update([&](recorder&) { seen = wanted->apply(*machine).outcome; }); };
    const auto before = chart_of(define), after = chart_of(define);
    recorder r;
    hsm::instance agent{before, r};
    const reload_plan plan(before, after);
    wanted = &plan;
    machine = &agent;
    agent.start();
    agent.tick();
    CHECK(seen == result::busy);
}

TEST_CASE("observers stay attached and learn the new chart") {
    struct watcher : hsm::observer {
        void on_attached(const hsm::moment& now) override { seen += "attached to " + std::string(now.chart().root().name()) + '\n'; }
        void on_record(const hsm::record& r, const hsm::moment& now) override {
            if (r.kind == hsm::record_kind::entered) seen += now.chart().state(r.state).path() + '\n';
        }
        std::string seen;
    };
    const auto define = [](auto& root) { root.add("idle").to(root.add("run")).template on<event<1>>(); };
    const auto before = chart_of(define, "A"), after = chart_of(define, "B");
    recorder r;
    watcher w;
    {
        hsm::actor<recorder> agent{before};
        agent.start();
        const auto handle = agent.machine().attach(w);
        reload_plan plan(before, after);
        plan.apply(agent);
        agent.process(event<1>{});
    }
    CHECK(w.seen == "attached to A\nattached to B\nB/run\n");
}

TEST_CASE("a recorder shows records from before a reload with the names of the old chart") {
    const auto define = [](const char* run, auto& root) { root.add("idle").to(root.add(run)).template on<event<1>>(); };
    const auto before = chart_of([&](auto& root) { define("walk", root); });
    const auto after = chart_of([&](auto& root) {
        root.add("first");
        define("march", root);
    });
    recorder r;
    hsm::recorder seen(16);
    hsm::instance agent{before, r};
    const auto attached = agent.attach(seen);
    agent.start("walk");
    reload_plan plan(before, after);
    plan.map("R/walk", "R/march").apply(agent);
    agent.change_to("first");
    const auto text = seen.text();
    const auto at = text.find("R/march");
    CHECK(text.find("R/walk") < at);
    CHECK(text.find("entered R/first") > at);
    CHECK(text.find("entered R/first") != std::string::npos);
    CHECK(seen.chart().find("march"));
    for (int i = 0; i < 20; ++i) agent.change_to(i % 2 ? "first" : "march"); // the old records are dropped
    CHECK(seen.lost() > 0);
    CHECK(seen.text().find("walk") == std::string::npos);
    const auto start = seen.configuration_at_start();
    REQUIRE(start.active.size() == 2);
    CHECK(start.active[1] > 0);
    CHECK(after.state(start.active[1]).get()->name() != "idle");
}

TEST_CASE("all machines of a manager that have the old chart change it, and handles stay valid") {
    const auto define = [](auto& root) { root.add("idle").to(root.add("run")).template on<event<1>>(); };
    const auto other = chart_of(define, "other");
    auto before = chart_of(define, "A"), after = chart_of(define, "B");
    recorder r;
    hsm::manager machines;
    const auto a = machines.create("a", before, r), b = machines.create("b", other, r), c = machines.create("c", before, r);
    a.start();
    b.start();
    c.start("run");
    {
        reload_plan plan(before, after);
        CHECK(plan.report(machines).machines == 2);
        CHECK(plan.apply(machines).machines == 2);
        CHECK(plan.apply(machines).machines == 0);
        before = after = other; // the manager keeps the chart
    }
    machines.trim();
    a->process(event<1>{});
    CHECK(a->path_of_leaves() == "B/run");
    CHECK(b->path_of_leaves() == "other/idle");
    CHECK(c->path_of_leaves() == "B/run");
    machines.remove("a");
    machines.trim();
    const auto d = machines.create("d", other, r); // in new memory
    d.start();
    CHECK(d->path_of_leaves() == "other/idle");
    CHECK(c->process(event<1>{}) == result::unhandled);
}

TEST_CASE("a manager releases the old chart, and can use it again") {
    const auto define = [](auto& root) { root.add("idle").to(root.add("run")).template on<event<1>>(); };
    const auto before = chart_of(define, "A"), after = chart_of(define, "B");
    recorder r;
    hsm::manager machines;
    machines.create("a", before, r).start();
    const reload_plan plan(before, after);
    CHECK_FALSE(plan.released());
    plan.apply(machines);
    CHECK(plan.released());
    machines.create("b", before, r).start();
    CHECK_FALSE(plan.released());
    machines.remove("a");
    machines.create("c", after, r).start();
    plan.apply(machines);
    CHECK(plan.released());
    machines.remove("b");
    machines.trim();
    CHECK(machines.find<recorder>("c")->process(event<1>{}) == result::taken);
}

TEST_CASE("options that only the new chart uses are kept") {
    const auto define = [](bool uses, auto& root) {
        auto& idle = root.add("idle");
        if (!uses) return;
        idle.template defer<event<1>>();
        auto& fight = root.add_fsm("fight").choose(hsm::random);
        fight.dispatch(fight.add("a"));
        fight.dispatch(fight.add("b"));
        idle.to(fight).template on<event<2>>();
    };
    const auto plain = chart_of([&](auto& root) { define(false, root); });
    const auto rich = chart_of([&](auto& root) { define(true, root); });
    const hsm::instance_options options{.deferred_queue = 3, .seed = 7, .stream = 9};
    const auto deferred = [](auto& agent) {
        int count = 0;
        while (count < 100 && agent.process(event<1>{}) == result::deferred) ++count;
        return count;
    };
    recorder r;
    hsm::instance fresh{rich, r, options}, agent{plain, r, options};
    fresh.start();
    agent.start();
    reload_plan(plain, rich).apply(agent);
    CHECK(hsm::save(agent) == hsm::save(fresh));
    reload_plan(rich, plain).apply(agent);
    reload_plan(plain, rich).apply(agent); // the options have survived both ways
    CHECK(hsm::save(agent) == hsm::save(fresh));
    CHECK(deferred(agent) == 3);

    hsm::manager all, others;
    all.create("a", plain, r, options).start();
    others.create("a", rich, r, options).start();
    reload_plan(plain, rich).apply(all);
    CHECK(hsm::save(*all.find<recorder>("a")) == hsm::save(*others.find<recorder>("a")));
}

TEST_CASE("a rollback refuses frames from before a reload, and keeps later ones") {
    const auto before = chart_of([](auto& root) { root.add("idle").to(root.add("run")).template on<event<1>>(); });
    const auto after = chart_of([](auto& root) { root.add("idle").to(root.add_fsm("group").add("run")).template on<event<1>>(); });
    recorder r;
    hsm::instance agent{before, r};
    hsm::rollback<recorder> frames(4);
    frames.add(agent, r);
    agent.start();
    const auto old = frames.keep();
    reload_plan(before, after).apply(agent);
    const auto kept = frames.keep();
    agent.process(event<1>{});
    CHECK(error_of([&] { frames.back_to(old); }).find("HSM-354") == 0);
    CHECK(agent.path_of_leaves() == "R/group/run");
    CHECK(frames.back_to(kept));
    CHECK(agent.path_of_leaves() == "R/idle");
}

TEST_CASE("a plan is released when only it and the caller share the old chart") {
    const auto define = [](auto& root) { root.add("idle"); };
    const auto before = chart_of(define), after = chart_of(define);
    const reload_plan plan(before, after);
    CHECK(plan.released());
    {
        const auto copy = before;
        CHECK_FALSE(plan.released());
    }
    CHECK(plan.released());
}

TEST_CASE("a plan prints its steps as JSON") {
    const auto before = chart_of([](auto& root) { root.template add<test::combo>("idle").to(root.add("gone")).after(1s); });
    const auto after = chart_of([](auto& root) { root.template add<test::combo>("idle"); });
    CHECK(reload_plan(before, after).to_json() == R"([
  {"kind": "state", "from": "R", "to": "R", "rule": "same name"},
  {"kind": "state", "from": "R/idle", "to": "R/idle", "rule": "same name"},
  {"kind": "timer", "from": "R/idle: after -> R/gone", "to": null, "rule": "dropped"},
  {"kind": "local", "from": "R/idle: test::combo", "to": "R/idle: test::combo", "rule": "same name"},
  {"kind": "state", "from": "R/gone", "to": "R", "rule": "replaced"}
]
)");
}

TEST_CASE("a machine that is listed twice changes its chart once") {
    const auto define = [](hsm::fsm<recorder>& root) { root.add("A").local<std::string>("kept"); };
    const auto before = chart_of(define), after = chart_of(define);
    recorder r;
    hsm::instance agent(before, r);
    agent.start();
    hsm::instance_base* const twice[] = {&agent, &agent};
    CHECK(reload_plan(before, after).apply(twice).machines == 1);
    CHECK(*agent.local<std::string>() == "kept");
}

TEST_CASE("a state can be moved out of a superstate that is renamed") {
    const auto before = chart_of([](hsm::fsm<recorder>& root) { root.add_fsm("fight").add("run"); });
    const auto after = chart_of([](hsm::fsm<recorder>& root) {
        root.add_fsm("combat").add("slash");
        root.add("run");
    });
    recorder r;
    hsm::instance agent(before, r);
    agent.start();
    reload_plan plan(before, after);
    plan.map("R/fight", "R/combat").map("R/fight/run", "R/run");
    plan.apply(agent);
    CHECK(agent.current().path() == "R/run");
}

TEST_CASE("a root with another name can be dropped") {
    const auto before = chart_of([](hsm::fsm<recorder>& root) { root.add("A"); }, "old");
    const auto after = chart_of([](hsm::fsm<recorder>& root) { root.add("B"); }, "new");
    recorder r;
    hsm::instance agent(before, r);
    agent.start();
    reload_plan plan(before, after);
    plan.drop("old");
    plan.apply(agent);
    CHECK(agent.current().path() == "new");
    agent.tick(1ms);
    CHECK(agent.current().path() == "new/B");
}

TEST_CASE("a report names a new timer whose time a function computes") {
    const auto before = chart_of([](hsm::fsm<recorder>& root) { root.add("A").to(root.add("B")).on<hit>(); });
    const auto after =
        chart_of([](hsm::fsm<recorder>& root) { root.add("A").to(root.add("B")).after([](const recorder&) { return hsm::time_span(1s); }); });
    recorder r;
    hsm::instance agent(before, r);
    agent.start();
    const auto text = texts_of(reload_plan(before, after).report(agent));
    CHECK_MESSAGE(text.find("the timer never elapses") != text.npos, text);
}

TEST_CASE("an image of the old chart is restored into an instance with the new chart") {
    const auto define = [](const char* run, auto& root) {
        auto& idle = root.add("idle");
        auto& moving = traced(root.add(run)).template local<bow>();
        idle.to(moving).template on<event<1>>();
        moving.to(idle).after(100ms);
    };
    const auto before = chart_of([&](auto& root) { define("run", root); });
    const auto after = chart_of([&](auto& root) { define("dash", root); });
    recorder r;
    hsm::instance old{before, r, with_mail};
    old.start();
    old.process(event<1>{});
    old.tick(60ms);
    old.mailbox().post(event<1>{});
    const auto image = hsm::save(old);
    hsm::instance agent{after, r, with_mail};
    agent.start();
    auto& mail = agent.mailbox();
    reload_plan plan(before, after);
    plan.map("R/run", "R/dash");
    CHECK(error_of([&] { plan.restore(old, image); }).find("HSM-420") == 0);
    CHECK(error_of([&] { plan.restore(agent, std::span(image).first(10)); }).find("HSM-353") == 0);
    CHECK(agent.current().path() == "R/idle");
    CHECK(plan.restore(agent, image).moved == 1);
    CHECK(agent.current().get() == after.find("dash").get());
    CHECK(&agent.mailbox() == &mail);
    agent.tick(39ms);
    CHECK(agent.current().path() == "R/dash");
    agent.tick(1ms);
    CHECK(agent.current().path() == "R/idle");
    CHECK(hsm::save(old) == image);
}

TEST_CASE("the order in which converters and locals are defined does not matter") {
    const auto before = chart_of([](auto& root) {
        root.template add<bow>("aim").template local<shot>();
        root.template on<shot>().then([](recorder&) {});
    });
    const auto after = chart_of([](auto& root) {
        root.template add<quiver>("aim").template local<volley>().template local<bow>();
        root.template on<volley>().then([](recorder& r, const volley& v) { r.note("volley " + std::to_string(v.arrows)); });
        root.template on<note>().then([](recorder&) {});
    });
    const auto applied = [&](const auto&... convert) {
        recorder r;
        hsm::instance agent{before, r};
        agent.start();
        agent.template local<bow>()->arrows = 7;
        agent.template local<shot>()->arrows = 8;
        agent.post(shot{9});
        reload_plan plan(before, after);
        (convert(plan), ...);
        plan.apply(agent);
        agent.tick();
        const auto& arrows = agent.template local<quiver>()->arrows;
        return "bow " + std::to_string(agent.template local<bow>()->arrows) + ", quiver " + std::to_string(arrows.empty() ? 0 : arrows[0]) + ", " +
               r.take();
    };
    const auto to_quiver = [](reload_plan& plan) {
        plan.convert<shot, quiver>([](const shot& s) {
            quiver made;
            made.arrows.assign(1, s.arrows);
            return made;
        });
    };
    const auto to_volley = [](reload_plan& plan) { plan.convert<shot, volley>([](const shot& s) { return volley{s.arrows * 10}; }); };
    const auto steal = [](reload_plan& plan) { plan.convert<bow, quiver>([](const bow&) { return quiver(); }); };
    const auto shadow = [](reload_plan& plan) { plan.convert<shot, note>([](const shot&) { return note(); }); };
    // The bow stays, because the state still has one. The shot becomes the first local that a converter makes of it.
    for (const auto& seen : {applied(to_quiver, to_volley, steal), applied(steal, to_volley, to_quiver)}) CHECK(seen == "bow 7, quiver 8, volley 90");
    CHECK(applied(to_quiver, shadow) == "bow 7, quiver 8, ");
}

TEST_CASE("two locals that could become the same local do not overwrite each other") {
    const auto before = chart_of([](auto& root) { root.template add<bow>("aim").template local<shot>(); });
    const auto after = chart_of([](auto& root) { root.template add<quiver>("aim"); });
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    const auto full = [](int arrows) {
        quiver made;
        made.arrows.assign(1, arrows);
        return made;
    };
    reload_plan plan(before, after);
    plan.convert<shot, quiver>([&](const shot&) { return full(1); });
    plan.convert<bow, quiver>([&](const bow&) { return full(2); });
    const auto report = plan.apply(agent);
    CHECK(agent.local<quiver>()->arrows == std::vector{2}); // of the local that is defined first
    CHECK(texts_of(report).find("the state no longer has this local") != std::string::npos);
}

TEST_CASE("a plan has no condition for finished states, and its messages contain no characters that mark names") {
    const auto define = [](const char* name, auto& root) { root.add("idle").to(root.add("run")).when(name).when(hsm::is_over); };
    const auto before = chart_of([&](auto& root) { define("Old", root); });
    const auto after = chart_of([&](auto& root) { define("New", root); });
    reload_plan plan(before, after);
    const auto is_over = before.view().condition(0).text();
    CHECK(error_of([&] { plan.map(is_over, "New"); }).find("HSM-421") == 0);
    CHECK(error_of([&] { plan.map("Old", is_over); }).find("HSM-421") == 0);
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    agent.set("Old");
    plan.drop("Old");
    CHECK(texts_of(plan.apply(agent)) == "R/conditions/Old: this condition no longer exists\n");
}
