// Each call that takes a time, with each kind of number: clocks never run backwards and never overflow; they saturate.

#include <tests/support/started.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <vector>

using namespace test;
using namespace std::chrono_literals;
using hsm::result;
using hsm::time_span;

namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();

/// Calls f(time) for unusual and extreme counts of that duration.
template <class D, class F> void each_count(F f) {
    using rep = typename D::rep;
    using limits = std::numeric_limits<rep>;
    for (const rep n : {rep(0), rep(1), rep(3), limits::max(), limits::lowest(), limits::min(), rep(limits::max() / 2), rep(limits::lowest() / 2)})
        f(D(n));
    if constexpr (std::is_floating_point_v<rep>)
        for (const rep n :
             {rep(-1), rep(1e-30), rep(9.2e9), rep(9.3e9), rep(9.2e18), rep(9.3e18), -limits::infinity(), limits::infinity(), limits::quiet_NaN()})
            f(D(n));
}

/// Does the same for durations of all kinds, and for plain numbers of seconds.
template <class F> void each_time(F f) {
    using std::chrono::duration;
    each_count<std::chrono::nanoseconds>(f);
    each_count<std::chrono::seconds>(f);
    each_count<std::chrono::hours>(f);
    each_count<duration<std::uint64_t, std::nano>>(f);
    each_count<duration<std::uint64_t, std::atto>>(f);
    each_count<duration<std::uint32_t, std::exa>>(f);
    each_count<duration<std::int8_t>>(f);
    each_count<duration<std::uint8_t, std::ratio<1, 60>>>(f);
    each_count<duration<std::int64_t, std::pico>>(f);
    each_count<duration<std::int64_t, std::ratio<31556952>>>(f);
    each_count<duration<float>>(f);
    each_count<duration<double, std::nano>>(f);
    each_count<duration<double, std::exa>>(f);
    each_count<duration<long double, std::milli>>(f);
    each_count<duration<double>>([&](auto d) { f(d.count()); });
    each_count<duration<float>>([&](auto d) { f(d.count()); });
    each_count<duration<long double>>([&](auto d) { f(d.count()); });
    for (const auto n : {std::int64_t(0), std::int64_t(1), most, -most, -most - 1}) f(time_span::from_nanoseconds(n));
}

template <class T> time_span as_span(T t) { return hsm::detail::time_from(t); }

/// Checks a call that takes a time: it is refused if the time is negative, otherwise it advances the clock.
void check_step(const auto& where, time_span given, time_span before, result outcome, time_span after) {
    CAPTURE(where);
    CAPTURE(given.nanoseconds());
    CAPTURE(before.nanoseconds());
    CHECK((outcome == result::refused) == (given < time_span()));
    CHECK(after == (given < time_span() ? before : before + given));
    CHECK(after >= before);
}

auto make_chart() {
    auto root = root_of();
    auto& a = root->add("A").on_update([](recorder&, std::chrono::duration<std::int8_t> dt, std::chrono::duration<unsigned, std::pico> tiny,
                                          float seconds) { CHECK((dt.count() >= 0 && seconds >= 0 && (tiny.count() > 0 || seconds < 1e-9f))); });
    a.every(1h).then([](recorder&) {});
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("a clock accepts every time, up to its maximum") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    for (int round = 0; round < 2; ++round)
        each_time([&](auto t) {
            const auto before = agent.now();
            const auto outcome = agent.tick(t);
            check_step("tick", as_span(t), before, outcome, agent.now());
            const auto later = agent.now();
            const auto updated = agent.update(t);
            check_step("update", as_span(t), later, updated, agent.now());
            if (agent.now().nanoseconds() == most) agent.reset(), agent.start();
        });
    agent.tick(time_span::from_nanoseconds(most));
    CHECK(agent.tick(1ns) == result::unhandled);
    CHECK(agent.now().nanoseconds() == most);
}

TEST_CASE("no time scale makes time run backwards") {
    const auto chart = make_chart();
    using limits = std::numeric_limits<double>;
    for (const auto factor : {0.0, -0.0, 1e-300, limits::denorm_min(), 0.5, 1.0, 3.0, 1e18, limits::max(), limits::infinity(), -limits::infinity(),
                              limits::quiet_NaN(), -1e-300}) {
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        const bool fits = factor >= 0 && factor <= limits::max();
        CAPTURE(factor);
        CHECK(agent.set_time_scale(factor) == (fits ? result::taken : result::refused));
        CHECK(agent.time_scale() == (fits ? factor : 1.0));
        agent.tick(0ns);
        CHECK(agent.now() == time_span());
        each_time([&](auto t) {
            const auto before = agent.now();
            agent.tick(t);
            CHECK(agent.now() >= before);
        });
    }
}

TEST_CASE("the clocks of crowds and managers accept the same times as an instance's") {
    const auto chart = make_chart();
    recorder r;
    hsm::manager machines;
    machines.create("a", chart, r).start();
    std::optional<hsm::crowd<recorder>> herd;
    hsm::agent_id id;
    each_time([&](auto t) {
        const auto begun = machines.get("a")->now();
        const auto outcome = machines.update(t);
        check_step("manager", as_span(t), begun, outcome, machines.get("a")->now());
        CHECK((machines.update(1ns, t) == result::refused) == (as_span(t) < time_span()));
        if (!herd || herd->now().nanoseconds() == most) herd.emplace(chart), id = herd->add();
        const auto before = herd->now();
        const auto ticked = herd->tick(t);
        check_step("crowd, tick", as_span(t), before, ticked, herd->now());
        CHECK((*herd)[id]->now() == herd->now());
        const auto later = herd->now();
        const auto updated = herd->update(t);
        check_step("crowd, update", as_span(t), later, updated, herd->now());
    });
}

TEST_CASE("reset and destroy end a pause and a time scale, of instances, agents of a crowd and machines of a manager") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance alone{chart, r};
    hsm::crowd<recorder> herd(chart);
    const auto id = herd.add();
    hsm::manager machines;
    machines.create("a", chart, r);
    const auto check = [](auto machine, auto tick) {
        for (const bool resets : {true, false}) {
            machine()->start();
            machine()->pause();
            CHECK(machine()->set_time_scale(3) == result::taken);
            CHECK((resets ? machine()->reset() : machine()->destroy()) == result::taken);
            CHECK_FALSE(machine()->paused());
            CHECK(machine()->time_scale() == 1.0);
            machine()->start();
            const auto begun = machine()->now();
            tick();
            CHECK((machine()->now() - begun).nanoseconds() == 5);
            machine()->set_time_scale(2);
            tick();
            CHECK((machine()->now() - begun).nanoseconds() == 15);
            machine()->reset();
        }
    };
    check([&] { return &alone; }, [&] { alone.tick(5ns); });
    check([&] { return herd[id]; }, [&] { herd.tick(5ns); });
    check([&] { return machines.get("a"); }, [&] { machines.update(5ns); });
}

TEST_CASE("a timer is due after its delay, immediately if the delay is negative, and never beyond the maximum time") {
    each_time([](auto t) {
        const auto given = as_span(t);
        CAPTURE(given.nanoseconds());
        const auto check = [&](auto delay, auto period) {
            auto root = root_of();
            auto& a = root->add("A");
            auto& timed = root->add("timed").min_duration(delay);
            auto& b = root->add("B");
            a.to(timed).on("go");
            const auto after = timed.to(b).after(delay);
            timed.every(period).then([](recorder& rec) { rec.note("beat"); });
            const auto chart = hsm::compile(std::move(root));
            recorder r;
            hsm::instance agent{chart, r};
            agent.start();
            agent.tick(1h);
            CHECK(agent.process("go") == result::taken);
            const auto wanted = std::max(given, time_span());
            const bool never_comes = wanted > time_span::from_nanoseconds(most) - 1h || wanted.nanoseconds() == most;
            const auto left = agent.time_left(after);
            if (never_comes) {
                CHECK(!left);
                agent.tick(time_span::from_nanoseconds(most));
                CHECK(agent.current().name() == "timed");
            } else {
                CHECK(left == wanted);
                if (wanted > time_span()) {
                    agent.tick(wanted - 1ns);
                    CHECK(agent.current().name() == "timed");
                }
                agent.tick(1ns);
                CHECK(agent.current().name() == "B");
            }
        };
        const auto found = [t](const recorder&) { return t; };
        check(found, found);
        if (given > time_span())
            check(t, t);
        else if (given == time_span())
            check(t, 1ns); // a fixed period must not be zero
    });
}

TEST_CASE("take_over converts times to the other clock and back, any number of times") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto after = a.to(b).after(2h).when([](const recorder& r) { return r.go; });
    int beats = 0;
    a.every(1h).then([&beats](recorder&) { ++beats; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance old{chart, r}, young{chart, r};
    young.start();
    young.tick(1ns);
    young.stop();
    old.start();
    old.tick(1ns);
    for (int i = 0; i < 4; ++i) { // from a clock at its end to one at its beginning
        old.tick(time_span::from_nanoseconds(most));
        const auto age = old.time_in_state();
        CHECK(age.nanoseconds() >= most - 1);
        hsm::instance next{chart, r};
        CHECK(next.take_over(old) == result::taken);
        CHECK(next.now() == time_span());
        CHECK(next.time_in_state() == age);
        CHECK(next.time_left(after) == time_span());
        const auto before = beats;
        next.tick(0ns);
        CHECK(beats == before + 1);
        old.reset();
        CHECK(old.take_over(next) == result::taken);
        old.tick(1h);
    }
    CHECK(young.take_over(old) == result::taken);
    young.tick(time_span::from_nanoseconds(most));
    hsm::instance last{chart, r};
    last.start();
    last.tick(time_span::from_nanoseconds(most)); // a due time that is out of reach can be reached at the end of another clock
    last.stop();
    CHECK(last.take_over(young) == result::taken);
    CHECK(last.now().nanoseconds() == most);
    CHECK(last.time_in_state().nanoseconds() == most);
}
