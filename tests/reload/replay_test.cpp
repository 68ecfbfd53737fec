#include <hsm/reload.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/machine_factory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::input_log;
using hsm::reload_plan;
using hsm::result;

namespace {

struct bird {
    int seeds = 0, flights = 0, calls = 0;
    bool hurt = false;
};
template <class A> void serialize(A& archive, bird& b) { archive("seeds", b.seeds)("flights", b.flights)("calls", b.calls)("hurt", b.hurt); }

struct seed {
    int count = 1;
};
template <class A> void serialize(A& archive, seed& s) { archive("count", s.count); }

struct twig {
    int length = 3;
};
template <class A> void serialize(A& archive, twig& t) { archive("length", t.length); }
struct branch {
    int length = 0;
};
template <class A> void serialize(A& archive, branch& b) { archive("length", b.length); }

/// The state "eat" or "peck", and "fly"; "up" is in the first chart only, "high" in the second only.
hsm::chart<bird> chart_of(bool is_new) {
    auto root = hsm::make_fsm<bird>("bird");
    auto& eat = root->add(is_new ? "peck" : "eat").on_update([is_new](bird& b) { b.seeds += is_new ? 10 : 1; });
    auto& fly = root->add_fsm("fly").on_enter([](bird& b) { ++b.flights; });
    auto& up = fly.add(is_new ? "high" : "up");
    up.on_exit([](bird& b) {
        b.calls = b.calls * 3 + 1;
        if (b.hurt) throw std::runtime_error("hurt");
    });
    up.on_enter([is_new](bird& b) { b.calls = b.calls * 5 + (is_new ? 2 : 1); });
    if (is_new)
        fly.local<branch>();
    else
        fly.local<twig>();
    eat.to(fly).on<seed>().then([](bird& b, const seed& s) { b.seeds += s.count; });
    fly.to(eat).after(is_new ? 100ms : 50ms);
    fly.on("hurt").then([](bird& b) { b.hurt = !b.hurt; });
    hsm::serializes<seed>(*root);
    return hsm::compile(std::move(root));
}

/// The charts and the plan of one run of the program.
struct edition {
    hsm::chart<bird> before = chart_of(false), after = chart_of(true);
    reload_plan plan{before, after};
    explicit edition(const std::function<void(reload_plan&)>& edit = [](reload_plan& to) { to.map("bird/eat", "bird/peck").exit_enter(); }) {
        edit(plan);
    }
};

constexpr hsm::input_log_options checked = {.calls_between = 3, .check_calls = true};

template <class Call> std::string error_of(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "none";
}

std::vector<std::byte> recorded(std::uint64_t* state = nullptr) {
    const edition first;
    bird b;
    hsm::instance agent{first.before, b};
    input_log log(checked);
    log.attach(agent, b);
    agent.start();
    agent.tick(10ms);
    agent.process(seed{7});
    agent.tick(20ms);
    first.plan.apply(agent);
    for (int i = 0; i < 9; ++i) agent.tick(30ms);
    agent.process(seed{5});
    agent.tick(1ms);
    if (state) *state = hsm::hash(agent);
    return log.bytes();
}

} // namespace

TEST_CASE("a log records a reload, and a replay repeats it with the plan and both charts") {
    std::uint64_t state = 0;
    const auto bytes = recorded(&state);
    const edition again;
    bird b;
    hsm::instance agent{again.before, b};
    hsm::replay replay(bytes);
    replay.attach(agent, b);
    replay.attach(again.plan);
    const auto found = replay.run();
    CHECK_MESSAGE(!found, found->to_string());
    CHECK(hsm::hash(agent) == state);
    CHECK(b.seeds > 40);
    replay.seek(2); // back to the old chart
    CHECK(hsm::to_string(agent) == "bird/eat");
    CHECK_FALSE(replay.run());
    CHECK(hsm::hash(agent) == state);
    replay.seek(3);
    CHECK(hsm::to_string(agent) == "bird/fly/up");
    replay.seek(replay.calls()); // from a keyframe behind the reload
    CHECK(hsm::hash(agent) == state);
    replay.seek(8);
    CHECK_FALSE(replay.run());
}

TEST_CASE("a replay without the plan of a reload, or with another plan, throws") {
    const auto bytes = recorded();
    const auto play = [&](const reload_plan* plan, const edition& again) {
        bird b;
        hsm::instance agent{again.before, b};
        hsm::replay replay(bytes);
        replay.attach(agent, b);
        if (plan) replay.attach(*plan);
        return error_of([&] { replay.run(); });
    };
    const edition again, unmapped([](reload_plan&plan) { plan.exit_enter(); }), quiet([](reload_plan&plan) { plan.map("bird/eat", "bird/peck"); });
    CHECK(play(nullptr, again).find("HSM-384 error at bird: call 4 is a reload by a plan that is not attached") == 0);
    CHECK(play(&unmapped.plan, unmapped).find("HSM-384 error at bird: call 4 is a reload by another plan between these charts") == 0);
    CHECK(play(&quiet.plan, quiet).find("HSM-384") == 0);
    const edition other;
    CHECK(play(&other.plan, again).find("HSM-420") == 0); // not of this machine's chart
    CHECK(play(&again.plan, again) == "none");
}

TEST_CASE("machines that change their chart together do so in the replay") {
    const auto play = [](const edition& charts, bird& both, auto with) {
        hsm::instance first{charts.before, both}, second{charts.before, both}, third{charts.before, both};
        with(first, second, third);
    };
    const edition charts;
    bird b;
    std::vector<std::byte> bytes;
    play(charts, b, [&](auto& first, auto& second, auto& third) {
        input_log log(checked);
        log.attach(first, b);
        log.attach(second);
        log.attach(third);
        for (auto* const each : {&first, &second, &third}) each->start("fly");
        hsm::instance_base* const two[] = {&first, &third};
        charts.plan.apply(two); // both exit hooks run before both enter hooks
        second.tick(1ms);
        charts.plan.apply(second);
        for (auto* const each : {&first, &second, &third}) each->tick(200ms);
        bytes = log.bytes();
    });
    const edition again;
    bird other;
    play(again, other, [&](auto& first, auto& second, auto& third) {
        hsm::replay replay(bytes);
        replay.attach(first, other);
        replay.attach(second);
        replay.attach(third);
        replay.attach(again.plan);
        for (int i = 0; i < 2; ++i) {
            const auto found = replay.run();
            CHECK_MESSAGE(!found, found->to_string());
            CHECK(other.calls == b.calls);
            replay.seek(0);
        }
    });
}

TEST_CASE("a reload that an exit hook has prevented is repeated without a change of the chart") {
    const edition charts;
    bird b;
    hsm::instance agent{charts.before, b};
    input_log log(checked);
    log.attach(agent, b);
    agent.start("fly");
    agent.process("hurt");
    CHECK_THROWS_AS(charts.plan.apply(agent), std::runtime_error);
    for (int i = 0; i < 5; ++i) agent.process("hurt");
    agent.tick(20ms);
    charts.plan.apply(agent);
    agent.tick(80ms);
    const auto state = hsm::hash(agent);

    const edition again;
    bird other;
    hsm::instance copy{again.before, other};
    hsm::replay replay(log.bytes());
    replay.attach(copy, other);
    replay.attach(again.plan);
    const auto found = replay.run();
    CHECK_MESSAGE(!found, found->to_string());
    CHECK(hsm::hash(copy) == state);
    replay.seek(6); // between the two
    CHECK(hsm::to_string(copy) == "bird/fly/up");
    CHECK_FALSE(replay.run());
}

TEST_CASE("a reload that has failed after the exit hooks is repeated without a change of the chart") {
    int left = 1;
    const auto edit = [&](reload_plan& plan) {
        plan.exit_enter().convert<twig, branch>([&](const twig& t) {
            if (left-- == 0) throw std::bad_alloc();
            return branch{t.length};
        });
    };
    bird b;
    const edition charts(edit);
    hsm::instance agent{charts.before, b};
    input_log log(checked);
    log.attach(agent, b);
    agent.start("fly");
    CHECK_THROWS_AS(charts.plan.apply(agent), std::bad_alloc);
    agent.tick(20ms);
    CHECK(b.calls == 4); // the exit hook has run
    const auto state = hsm::hash(agent);

    left = 99;
    const edition again(edit);
    bird other;
    hsm::instance copy{again.before, other};
    hsm::replay replay(log.bytes());
    replay.attach(copy, other);
    replay.attach(again.plan);
    const auto found = replay.run();
    CHECK_MESSAGE(!found, found->to_string());
    CHECK(hsm::to_string(copy) == "bird/fly/up");
    CHECK(hsm::hash(copy) == state);
}

TEST_CASE("a log of a crowd records a reload, and calls with the new chart after it") {
    std::vector<std::byte> bytes;
    std::uint64_t state = 0;
    {
        auto charts = std::make_unique<edition>();
        hsm::crowd<bird> flock{charts->before};
        input_log log(checked);
        log.attach(flock);
        for (int i = 0; i < 3; ++i) flock.add();
        flock[flock.add()]->process(seed{2});
        charts->plan.apply(flock);
        const auto after = charts->after;
        charts.reset(); // the old chart is destroyed
        flock.tick(20ms);
        flock.process_all(seed{4});
        flock[flock.add()]->process(seed{6});
        for (int i = 0; i < 6; ++i) flock.tick(30ms);
        state = hsm::hash(flock);
        bytes = log.bytes();
    }
    const edition again;
    hsm::crowd<bird> flock{again.before};
    hsm::replay replay(bytes);
    replay.attach(flock);
    CHECK(error_of([&] { replay.run(); }).find("HSM-384") == 0);
    replay.attach(again.plan);
    for (int i = 0; i < 2; ++i) {
        const auto found = replay.run();
        CHECK_MESSAGE(!found, found->to_string());
        CHECK(hsm::hash(flock) == state);
        replay.seek(1);
        CHECK(flock.count("eat") == 1);
    }
}

TEST_CASE("a log of a manager records a reload if its factory has both charts") {
    struct world {
        edition charts;
        std::vector<bird> birds{3};
        hsm::machine_factory kinds;
        hsm::manager machines;
        world() {
            const auto context = [this](std::string_view name) -> bird& { return birds[static_cast<std::size_t>(name.back() - '0')]; };
            kinds.add("old", charts.before, context);
            kinds.add("new", charts.after, context);
        }
    };
    world first;
    input_log log(checked);
    log.attach(first.machines, first.kinds);
    first.machines.create("bird 0", first.charts.before, first.birds[0]).start("fly");
    first.machines.create("bird 1", first.charts.before, first.birds[1]).start();
    CHECK(first.charts.plan.apply(first.machines).machines == 2);
    first.machines.create("bird 2", first.charts.after, first.birds[2]).start("fly");
    first.machines.broadcast(seed{3});
    for (int i = 0; i < 6; ++i) first.machines.update(30ms);
    CHECK(first.birds[0].calls > 5);

    world second;
    hsm::replay replay(log.bytes());
    replay.attach(second.machines, second.kinds);
    replay.attach(second.charts.plan);
    for (int i = 0; i < 2; ++i) {
        const auto found = replay.run();
        CHECK_MESSAGE(!found, found->to_string());
        CHECK(second.birds[0].calls == first.birds[0].calls);
        CHECK(second.birds[1].seeds == first.birds[1].seeds);
        replay.seek(3);
        CHECK(second.machines.find<bird>("bird 0")->path_of_leaves() == "bird/fly/up");
    }
}
