#include <hsm/reload.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::reload_plan;
using hsm::result;
using test::event;
using test::recorder;
using test::traced;

namespace {

using step = hsm::step<recorder>;
using hooks = std::function<void(recorder&, step&)>;
void nothing(recorder&, step&) {}

/// The state "old" becomes "new" with two regions; the leaves "old/a" and "keep" are in both charts.
hsm::chart<recorder> old_chart(const hooks& exit = nothing) {
    auto root = test::root_of();
    auto& keep = traced(root->add_fsm("keep"));
    auto& old = traced(keep.add_fsm("old"));
    traced(old.add("a")).on_exit(exit);
    keep.to(keep).on<event<9>>();
    return hsm::compile(std::move(root));
}

hsm::chart<recorder> new_chart(const hooks& enter = nothing) {
    auto root = test::root_of();
    auto& keep = traced(root->add_fsm("keep"));
    auto& both = traced(keep.add_parallel("both")).on_enter(enter);
    auto& left = traced(both.add_fsm("left"));
    auto& first = traced(left.add("a"));
    traced(both.add_fsm("right")).add("b");
    auto& rest = traced(keep.add("rest"));
    first.to(rest).on<event<1>>();
    return hsm::compile(std::move(root));
}

/// Maps "old" to the region "left", so that its leaf stays active.
reload_plan plan_between(const hsm::chart<recorder>& before, const hsm::chart<recorder>& after) {
    reload_plan plan(before, after);
    plan.drop("R/keep/old").map("R/keep/old/a", "R/keep/both/left/a").exit_enter();
    return plan;
}

constexpr auto passes = "X old, E both, E left, E right";

void fail(recorder&, step&) { throw std::runtime_error("a hook failed"); }

} // namespace

TEST_CASE("with exit_enter, states that vanish are exited and states that appear are entered") {
    const auto before = old_chart(), after = new_chart();
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    r.take();
    const auto plan = plan_between(before, after);
    plan.report(agent);
    CHECK(r.take() == "");
    plan.apply(agent);
    CHECK(r.take() == passes); // "keep" and "a" are active in both charts
    CHECK(agent.path_of_leaves() == "R/keep/both/left/a, R/keep/both/right");
    agent.tick();
    CHECK(agent.path_of_leaves() == "R/keep/both/left/a, R/keep/both/right/b");
}

TEST_CASE("an inactive machine, and a machine whose states have a place in the new chart, run no hook") {
    const auto before = old_chart(), after = old_chart();
    recorder r;
    hsm::instance agent{before, r}, inactive{before, r};
    agent.start();
    r.take();
    reload_plan plan(before, after);
    plan.exit_enter();
    plan.apply(agent);
    plan.apply(inactive);
    CHECK(r.take() == "");
    agent.stop();
    CHECK(r.take() == "X a, X old, X keep");
}

TEST_CASE("hooks of vanishing states run substate first, and find their locals") {
    const auto make = [](bool is_new) {
        auto root = test::root_of();
        auto& outer = root->add_fsm("outer").local<std::string>("outer");
        const auto add = [](auto& to, const char* name) -> auto& {
            return to.on_enter([name](recorder& r, const std::string& m) { r.note(std::string("E ") + name + " " + m); })
                .on_exit([name](recorder& r, const std::string& m) { r.note(std::string("X ") + name + " " + m); });
        };
        if (is_new) {
            add(add(outer.add_fsm("c"), "c").add("d"), "d");
            return hsm::compile(std::move(root));
        }
        auto& middle = add(outer.add_fsm("a").local<std::string>("middle"), "a");
        add(middle.add("b"), "b");
        return hsm::compile(std::move(root));
    };
    const auto before = make(false), after = make(true);
    recorder r;
    hsm::instance agent{before, r};
    agent.start();
    r.take();
    reload_plan plan(before, after);
    plan.exit_enter().apply(agent);
    CHECK(r.take() == "X b middle, X a middle"); // "outer" enters a substate in the next tick
    agent.tick();
    CHECK(r.take() == "E c outer, E d outer");
}

TEST_CASE("if an exit hook throws, machines keep their charts and states, but earlier hooks have run") {
    bool fails = true;
    int exits = 0;
    const auto before = old_chart([&](auto&r, auto&s) { fails && ++exits == 2 ? fail(r, s) : nothing(r, s); }), after = new_chart();
    recorder r;
    hsm::instance first{before, r}, second{before, r};
    first.start();
    second.start();
    r.take();
    reload_plan plan(before, after);
    plan.drop("R/keep/old").exit_enter();
    const auto image = hsm::save(first);
    hsm::instance_base* const both[] = {&first, &second};
    CHECK_THROWS_WITH(plan.apply(both), "a hook failed");
    CHECK(r.take() == "X a, X old, X a"); // those of the second machine have failed
    CHECK(hsm::save(first) == image);
    CHECK(hsm::save(second) == image);
    fails = false;
    CHECK(first.process(event<9>{}) == result::taken); // the plan was not applied
    r.take();
    plan.apply(both);
    CHECK(r.take() == "X a, X old, X a, X old");
}

TEST_CASE("if an enter hook throws, all machines have the new chart, and those of other machines run") {
    const auto before = old_chart(), after = new_chart([](auto&r, auto&s) {
                                         if (r.go) fail(r, s);
                                     });
    recorder r, other;
    r.go = true;
    hsm::instance first{before, r}, second{before, other};
    first.start();
    second.start();
    r.take();
    other.take();
    const auto plan = plan_between(before, after);
    hsm::instance_base* const both[] = {&first, &second};
    CHECK_THROWS_WITH(plan.apply(both), "a hook failed");
    CHECK(r.take() == "X old, E both");
    CHECK(other.take() == passes);
    CHECK(first.path_of_leaves() == "R/keep/both/left/a, R/keep/both/right"); // entered, although its hooks did not all run
    CHECK(first.process(event<1>{}) == result::taken);
    CHECK(r.take() == "X right, X a, X left, X both, E rest");
}

TEST_CASE("events, requests and a stop of these hooks follow when the enter hooks have run") {
    hooks on_exit = nothing, on_enter = nothing;
    const auto before = old_chart(), after = new_chart([&](auto&r, auto&s) { on_enter(r, s); });
    const auto exited = [&] {
        auto root = test::root_of();
        auto& keep = traced(root->add_fsm("keep"));
        auto& old = traced(keep.add_fsm("old")).on_exit([&](recorder& r, step& s) { on_exit(r, s); });
        auto& a = traced(old.add("a"));
        a.to(traced(keep.add("rest"))).on<event<1>>();
        return hsm::compile(std::move(root));
    }();
    const auto run = [&] {
        recorder r;
        hsm::instance agent{exited, r};
        agent.start();
        r.take();
        plan_between(exited, after).apply(agent);
        const auto trace = r.take();
        agent.tick();
        return trace + " | " + r.take() + " | " + (agent.active() ? agent.path_of_leaves() : "inactive");
    };
    const auto rests = " | U keep, U rest | R/keep/rest";
    const auto left = std::string(passes) + ", X right, X a, X left, X both, E rest";
    on_exit = [](auto&, auto& s) { s.process(event<1>{}); };
    CHECK(run() == left + rests);
    on_exit = [](auto&, auto& s) { CHECK(s.post(event<1>{}) == result::queued); }; // waits for the next tick
    CHECK(run() == std::string(passes) + " | X right, X a, X left, X both, E rest, U keep, U rest | R/keep/rest");
    on_exit = [](auto&, auto& s) { s.change_to("rest"); };
    CHECK(run() == left + rests);
    on_exit = [](auto&, auto& s) { s.stop(); };
    CHECK(run() == std::string(passes) + ", X right, X a, X left, X both, X keep |  | inactive");
    on_exit = nothing;
    on_enter = [](auto&, auto& s) { s.process(event<1>{}); };
    CHECK(run() == left + rests);
    on_enter = [](auto&, auto& s) { s.stop(); };
    CHECK(run() == std::string(passes) + ", X right, X a, X left, X both, X keep |  | inactive");
}

TEST_CASE("calls of these hooks to other machines of the plan are queued or return busy") {
    hsm::instance<recorder>* other = nullptr;
    std::vector<result> seen;
    const auto call = [&](auto&, auto&) {
        if (other) seen.push_back(other->tick(1ms)), seen.push_back(other->process(event<1>{}));
    };
    const auto before = old_chart(), after = new_chart(call);
    recorder r;
    hsm::instance first{before, r}, second{before, r};
    first.start();
    second.start();
    other = &second;
    hsm::instance_base* const both[] = {&first, &second};
    plan_between(before, after).apply(both);
    std::string texts;
    for (const auto each : seen) texts += std::string(hsm::to_string(each)) + ' ';
    CHECK(texts == "busy queued busy queued ");
    CHECK_FALSE(first.busy());
    CHECK_FALSE(second.busy());
}

TEST_CASE("agents of a crowd run these hooks, also if an agent is removed by its own hook") {
    hsm::crowd<recorder>* herd = nullptr;
    hsm::agent_id doomed;
    const auto before = old_chart(), after = new_chart([&](auto&r, auto&) {
                                         if (r.go) herd->remove(doomed);
                                     });
    hsm::crowd all{before};
    herd = &all;
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(all.add());
    doomed = ids[3];
    all.context(doomed).go = true;
    for (const auto id : ids) all.context(id).take();
    const auto plan = plan_between(before, after);
    plan.report(all);
    CHECK(all.context(ids[0]).trace == "");
    CHECK(plan.apply(all).machines == 5);
    CHECK_FALSE(all.has(doomed));
    for (const auto id : ids)
        if (id != doomed) CHECK(all.context(id).take() == passes);
    all.tick(1ms);
    CHECK(all.is_in(ids[4], "b"));
}

TEST_CASE("if an exit hook of an agent throws, no agent changes its chart") {
    const auto before = old_chart([](auto& r, auto& s) {
        if (r.go) fail(r, s);
    });
    const auto after = new_chart();
    std::vector<recorder> contexts(2); // an image of the crowd does not contain them
    hsm::crowd all{before, contexts};
    const auto first = all.add_element(0);
    all.add_element(1);
    contexts[1].go = true;
    const auto image = hsm::save(all);
    reload_plan plan(before, after);
    plan.drop("R/keep/old").exit_enter();
    CHECK_THROWS_WITH(plan.apply(all), "a hook failed");
    CHECK(hsm::save(all) == image);
    CHECK(all.is_in(first, "old"));
    contexts[1].go = false;
    CHECK(plan.apply(all).machines == 2);
    CHECK(all.is_in(first, "keep"));
}

TEST_CASE("these hooks create machines only with other charts than the old one") {
    hsm::manager machines;
    recorder a, b;
    const auto before = old_chart();
    const hsm::chart<recorder>* wanted = nullptr;
    std::string seen;
    const auto after = new_chart([&](auto&, auto&) {
        try {
            machines.create("late", before, b);
        } catch (const hsm::manager_error& e) {
            seen = e.what();
        }
        machines.create("b", *wanted, b);
    });
    wanted = &after;
    machines.create("a", before, a).start();
    CHECK(plan_between(before, after).apply(machines).machines == 1);
    CHECK(seen == "HSM-217 error at late: a machine with the old chart cannot be created during a reload; hint: pass the new chart");
    CHECK(machines.count() == 2);
    CHECK(machines.create("late", before, b));
}

TEST_CASE("machines of a manager can be removed by these hooks") {
    hsm::manager machines;
    const auto before = old_chart(), after = new_chart([&](auto&, auto&) { machines.remove("b"); });
    recorder a, b;
    machines.create("a", before, a).start();
    machines.create("b", before, b).start();
    a.take();
    b.take();
    CHECK(plan_between(before, after).apply(machines).machines == 2);
    CHECK(a.take() == passes);
    CHECK(machines.count() == 1);
    CHECK(b.take().find("X both, X keep") != std::string::npos);
}
