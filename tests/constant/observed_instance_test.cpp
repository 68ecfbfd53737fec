// Observed constant instances send the same records as an instance of the same chart at run time.

#include <hsm/constant/observed_instance.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/breakpoint.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/expect.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <tests/observe/traces.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::record_kind;

namespace {

enum class key { press, hold, shake };
struct shock {
    int volts = 0;
};
std::string describe(const shock& s) { return std::to_string(s.volts) + " V"; }
struct unknown {};

struct desk {
    bool broken = false, bright = false;
    int updates = 0;
};

constexpr auto lamp_chart = hsm::constant_chart<desk>([](auto& root) {
    auto& off = root.add("off").on_exit([](desk&) {});
    auto& on = root.add_fsm("on").on_enter([](desk&) {}).on_update([](desk& d) { ++d.updates; });
    auto& bright = on.add("bright");
    auto& dim = on.add("dim");
    auto& flash = on.add("flash").transient();
    auto& broken = root.add_final("broken");
    off.to(on).on(key::press).when([](const desk& d) { return !d.broken; }).then([](desk&) {});
    on.to(off).on(key::press).priority(1);
    on.dispatch(bright).when(&desk::bright);
    on.initial(dim);
    bright.to(dim).on(key::hold);
    dim.to(flash).on(key::hold);
    flash.to(bright).then([](desk& d) { d.bright = true; });
    on.to(broken).when(&desk::broken);
    on.template on<shock>().then([](desk& d) { d.broken = true; });
});

using observed_lamp = hsm::constant_instance<lamp_chart, hsm::queue<0>, test::text_observer>;

/// Makes each of several calls on both instances.
template <class Does> void check_same_records(Does does) {
    desk at_run_time, constant;
    const auto& chart = hsm::chart_of(lamp_chart);
    test::text_observer ordinary, seen;
    hsm::instance<desk> agent(chart, at_run_time);
    const auto attached = agent.attach(ordinary);
    observed_lamp lamp(constant, seen);
    CHECK(seen.take() == ordinary.take());
    const auto both = [&](auto what) {
        what(agent, at_run_time);
        what(lamp, constant);
        const auto expected = ordinary.take();
        CHECK(!expected.empty());
        CHECK(seen.take() == expected);
    };
    does(both);
}

} // namespace

TEST_CASE("a constant instance sends the same records as an instance of a chart compiled at run time") {
    check_same_records([](auto both) {
        both([](auto& a, desk&) { a.start(); });
        both([](auto& a, desk&) { a.process(key::hold); });
        both([](auto& a, desk& d) { d.broken = true, a.process(key::press); });
        both([](auto& a, desk& d) { d.broken = false, a.process(key::press); });
        both([](auto& a, desk&) { a.tick(16ms); });
        both([](auto& a, desk&) { a.update(16ms); });
        both([](auto& a, desk&) { a.decide(); });
        both([](auto& a, desk&) { a.process(key::hold); });
        both([](auto& a, desk&) { a.process(key::hold); });
        both([](auto& a, desk&) { a.process(key::shake); });
        both([](auto& a, desk&) { a.process(unknown()); });
        both([](auto& a, desk&) { a.process(key::press); });
        both([](auto& a, desk&) { a.process(key::press); });
        both([](auto& a, desk&) { a.process(shock{230}); });
        both([](auto& a, desk&) { a.tick(16ms); });
        both([](auto& a, desk&) { a.stop(); });
    });
}

TEST_CASE("a constant instance records an unhandled event by name, and no call while it is inactive") {
    desk d;
    test::text_observer seen;
    observed_lamp lamp(d, seen);
    CHECK(seen.take() == "call none, is - of 0 (attached), -> taken");
    CHECK(lamp.process(key::press) == hsm::result::inactive);
    CHECK(seen.take().empty());
    lamp.start();
    seen.take();
    CHECK(lamp.process(unknown()) == hsm::result::unhandled);
    CHECK(seen.take() == "call process, event - call, -> unhandled");
}

TEST_CASE("an observer can query the event, the time and the active states") {
    struct describing_observer final : hsm::observer {
        void on_record(const hsm::record& r, const hsm::moment& when) override {
            if (r.kind == record_kind::event) texts.push_back(when.describe_event() + " at " + to_string(when.now()));
            if (r.kind == record_kind::action)
                texts.push_back(std::string(when.is_in(when.chart().find("on")) ? "on" : "off") +
                                (when.is_in(when.chart().root()) ? " in root" : ""));
        }
        std::vector<std::string> texts;
    };
    desk d;
    describing_observer seen;
    hsm::constant_instance<lamp_chart, hsm::queue<0>, describing_observer> lamp(d, seen);
    lamp.start();
    lamp.tick(1500ms);
    lamp.process(shock{12});
    lamp.process(key::press);
    lamp.process(shock{12});
    const std::vector<std::string> expected{"12 V at 1500ms", " at 1500ms", "off in root", "12 V at 1500ms", "on in root"};
    CHECK(fmt::format("{}", fmt::join(seen.texts, "; ")) == fmt::format("{}", fmt::join(expected, "; ")));
}

TEST_CASE("a filtered observer receives only the listed kinds of records") {
    desk d;
    test::text_observer seen;
    hsm::constant_instance<lamp_chart, hsm::queue<0>, hsm::filtered<test::text_observer, record_kind::entered, record_kind::exited>> lamp(d, seen);
    lamp.start();
    lamp.process(key::press);
    CHECK(seen.take() == "E 0, E 1, X 1, E 2, E 4");
}

TEST_CASE("an unobserved instance has no observer data") {
    CHECK(sizeof(hsm::constant_instance<lamp_chart>) == 2 * sizeof(void*));
    CHECK(std::string(hsm::chart_of(lamp_chart).root().name()) == "root");
    CHECK(&hsm::chart_of(lamp_chart) == &hsm::chart_of(lamp_chart));
}

namespace {
/// The same calls for each observer.
template <class Agent> void press_and_break(Agent& agent) {
    agent.start();
    agent.process(key::press);
    agent.tick(16ms);
    agent.process(shock{5});
    agent.tick(16ms);
}
template <class Observer> void play_constant(Observer& seen) {
    desk d;
    hsm::constant_instance<lamp_chart, hsm::queue<0>, Observer> lamp(d, seen);
    press_and_break(lamp);
}
template <class Observer> void play_at_run_time(Observer& seen) {
    desk d;
    hsm::instance<desk> agent(hsm::chart_of(lamp_chart), d);
    const auto attached = agent.attach(seen);
    press_and_break(agent);
}
} // namespace

TEST_CASE("a recorder receives the same records from a constant instance and an instance") {
    hsm::recorder seen(100), other(100);
    play_constant(seen);
    play_at_run_time(other);
    CHECK(seen.text() == other.text());
    hsm::expect(seen).call(hsm::call_kind::start).enters("root").enters("off");
    play_constant(seen); // a second instance after the first
    CHECK(seen.text() == other.text() + other.text());
}

TEST_CASE("a constant instance and an instance write the same trace file") {
    std::string bytes[2];
    for (const bool constant : {true, false}) {
        hsm::string_sink sink(bytes[constant]);
        hsm::trace_writer writer(sink, {.describe_events = true});
        if (constant)
            play_constant(writer);
        else
            play_at_run_time(writer);
    }
    CHECK(bytes[1] == bytes[0]);
    CHECK(test::lines_of(bytes[1]).find("shock (call): 5 V") != std::string::npos);
}

TEST_CASE("statistics and coverage combine the records of constant instances and instances") {
    const auto& chart = hsm::chart_of(lamp_chart);
    hsm::statistics figures;
    hsm::coverage covered(chart);
    play_constant(figures);
    play_constant(covered);
    const auto on = figures.of(chart.view().find("on"));
    CHECK(on.entries == 1);
    CHECK(on.active == hsm::time_span(32ms));
    CHECK(covered.entered(chart.view().find("broken")) == 1);
    CHECK(covered.came(chart.view().event(0), chart.view().find("off")) == 1);
    play_at_run_time(figures);
    play_at_run_time(covered);
    CHECK(figures.of(chart.view().find("on")).entries == 2);
    CHECK(covered.entered(chart.view().find("broken")) == 2);
    CHECK(covered.came(chart.view().event(0), chart.view().find("off")) == 2);
}

TEST_CASE("a constant instance accepts any observer by its base class") {
    int stops = 0;
    hsm::breakpoint stop(hsm::chart_of(lamp_chart), [&](const hsm::record&, const hsm::moment& when) {
        ++stops;
        CHECK(when.agent() == 0);
        CHECK(when.generation() == 0);
    });
    stop.at_entry("broken");
    play_constant<hsm::observer>(stop);
    CHECK(stops == 1);
}
