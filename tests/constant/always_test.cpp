// `.always()` in constant charts. It has the same results as in a chart compiled at run time from the same definition.

#include <tests/constant/both_kinds.hpp>

#include <chrono>
#include <functional>
#include <string>

using namespace test;
using namespace std::chrono_literals;

namespace {

template <class Root> constexpr void define(Root& root) {
    auto& m = add_machine<"m">(root);
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    auto& c = add<"c">(root);
    a.to(b).when(&trace_context::go).always();
    b.when([](const trace_context& w) { return w.count > 2; }).always().then([](trace_context& w) { w.note("less"), --w.count; }).priority(1);
    b.to(c).when(&trace_context::ready).always();
    m.template on<key>(key::A).then([](trace_context& w) { w.go = !w.go; });
    m.to(a).when([](const trace_context& w) { return !w.go; }).always();
    m.when(&trace_context::ready).always().then(notes<"ready">);
    c.to(m).on(key::B).then([](trace_context& w) { w.go = w.ready = false; });
    c.on_update([](trace_context& w) { w.count += 3; });
    c.when([](const trace_context& w) { return w.count > 4; }).then(notes<"reacts">);
    c.to(m).when([](const trace_context& w) { return w.count > 7; }).always();
}
constexpr auto outer_first = hsm::constant_chart<trace_context>([](auto& root) { define(root); });
constexpr auto inner_first = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define(root); });

constexpr auto endless = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    a.on(key::A).then(notes<"A">);
    root.when(&trace_context::go).always().then(notes<"again">);
});
constexpr auto rests = hsm::constant_chart<trace_context>([](auto& root) {
    auto& m = add_machine<"m">(root);
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    m.dispatch(a).when(&trace_context::go);
    a.to(b).when(&trace_context::ready).always();
    b.when([](const trace_context& w) { return w.count == 1; }).then([](trace_context& w) { ++w.count; });
    b.to(a).when([](const trace_context& w) { return w.count == 2; }).always();
});

template <auto Chart> std::string play() {
    both_kinds<Chart> both;
    std::string path;
    const auto step = [&](auto does) {
        both(does);
        path += std::string(both.constant.current().name());
    };
    step([](auto& agent) { agent.start(); });
    step([](auto& agent) { agent.process(key::A); });
    step([](auto& agent) { agent.context().count = 5, agent.tick(1ms); });
    step([](auto& agent) { agent.process(key::A); });
    step([](auto& agent) { agent.context().go = true, agent.update(1ms); });
    step([](auto& agent) { agent.decide(); });
    step([](auto& agent) { agent.process(key::C); });
    return path;
}

} // namespace

TEST_CASE("always transitions of a constant chart fire after each transition and reaction") {
    CHECK(play<outer_first>() == "abbaabb");
    CHECK(play<inner_first>() == "abbaabb");
}

TEST_CASE("always transitions of a constant chart that never end are reported") {
    same_text<endless> m;
    m.both([](auto& agent) { return agent.start(); });
    m.set(&trace_context::go);
    CHECK(m.process(key::B) == ""); // they are not tried before a transition fires
    CHECK(m.process(key::A).find("again, again, again") != std::string::npos);
    m.set(&trace_context::go, false);
    CHECK(m.process(key::B) == "");
    CHECK(m.process(key::A) == "A");
}

TEST_CASE("an observer of a constant chart receives the same records of an endless chain") {
    both_kinds<endless> both;
    both([](auto& agent) { agent.start(); });
    both([](auto& agent) {
        agent.context().go = true;
        CHECK_THROWS_AS(agent.process(key::A), hsm::chain_error);
    });
    both([](auto& agent) { agent.context().go = false, agent.process(key::A); });
}

TEST_CASE("a reaction and a machine at rest cause always transitions in a constant chart") {
    same_text<rests> m;
    m.both([](auto& agent) { return agent.start(); });
    CHECK(m.path() == "root/m");
    m.set(&trace_context::go), m.set(&trace_context::ready);
    CHECK(m.tick() == "U m, E a, X a, E b, U b");
    m.both([](auto& agent) { return agent.context().count = 1, agent.update(1ms); });
    CHECK(m.path() == "root/m/b");
}

namespace {
struct again {};
struct unknown {};
struct repeater {
    std::function<void()> repeat;
};
constexpr auto repeating = hsm::constant_chart<repeater>([](auto& root) {
    auto& a = root.add("a");
    a.to(a).template on<again>();
    a.on_enter([](repeater& p) {
        if (p.repeat) p.repeat();
    });
});

/// Plays a chain that ends with an error, and then an unknown event, with and without the repetition. Returns the records of the unknown event.
template <class Agent> std::string play_unknown_after_chain(Agent& agent, repeater& context, test::text_observer& log, bool ends) {
    context.repeat = {};
    agent.start();
    context.repeat = [&] { (void)agent.process(again{}); };
    CHECK_THROWS_AS(agent.process(again{}), hsm::chain_error);
    log.take();
    if (ends) context.repeat = {};
    if (ends)
        CHECK(agent.process(unknown{}) == hsm::result::unhandled);
    else
        CHECK_THROWS_AS(agent.process(unknown{}), hsm::chain_error);
    return log.take();
}
} // namespace

TEST_CASE("events that an endless chain left are handled in the next call, also if a constant chart does not know its event") {
    for (const bool ends : {true, false}) {
        repeater p, q;
        test::text_observer log;
        hsm::constant_instance<repeating, hsm::queue<4>, test::text_observer> constant(p, log);
        const auto records = play_unknown_after_chain(constant, p, log, ends);
        const auto chart = hsm::chart_of(repeating);
        hsm::instance<repeater> ordinary(chart, q);
        const auto attached = ordinary.attach(log);
        CHECK(play_unknown_after_chain(ordinary, q, log, ends) == records);
        CHECK(records.starts_with("call process"));
    }
}

namespace {
constexpr auto circle = hsm::constant_chart<trace_context>([](auto& root) {
    auto& choice = root.add_choice("choice").choose(hsm::choosing::weighted);
    for (const auto* name : {"1", "2", "3", "4", "5"}) {
        auto& s = root.add(name);
        choice.to(s).weight(1);
        s.to(choice).when(&trace_context::go).always();
    }
    root.to(choice).on(key::A);
});
}

TEST_CASE("an endless chain of random choices draws as often in a constant chart") {
    same_text<circle> t;
    t.start();
    t.set(&trace_context::go);
    t.process(key::A); // the paths after it are compared
    t.set(&trace_context::go, false);
    std::string names;
    for (int i = 0; i < 12; ++i) t.process(key::A), names += t.path().back();
    CHECK(names.find_first_not_of(names[0]) != std::string::npos);
}
