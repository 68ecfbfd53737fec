// History states and machines of constant charts that remember. They have the same results as in an ordinary chart of the same definition.

#include <hsm/observe/explain_constant.hpp>
#include <tests/constant/both_kinds.hpp>

using namespace test;

namespace {

template <class Root> constexpr void define(Root& root) {
    auto& out = add<"out">(root);
    auto& m = add_machine<"m">(root).remembers();
    auto& a = add<"a">(m);
    auto& inner = add_machine<"inner">(m);
    auto& x = add<"x">(inner);
    auto& y = add<"y">(inner);
    auto& done = inner.add_final("done");
    auto& deep = add_machine<"deep">(root).remembers_deep();
    auto& b = add<"b">(deep);
    auto& rests = add_machine<"rests">(deep);
    auto& p = add<"p">(rests);
    auto& remembers = add_machine<"remembers">(rests).remembers();
    auto& q = add<"q">(remembers);
    auto& r = add<"r">(remembers);
    auto& last = remembers.add_final("last");

    rests.dispatch(p).when(&trace_context::go);
    out.to(m).on(key::A);
    out.to(deep).on(key::B);
    out.to(r).on(key::C);
    out.to(rests).on(key::D);
    m.to(out).on(key::A);
    deep.to(out).on(key::B);
    a.to(y).on(key::C);
    y.to(x).on(key::C);
    x.to(done).on(key::C);
    y.to(m).on(key::D); // from inside: not by its record
    b.to(rests).on(key::C);
    rests.to(remembers).on(key::C).priority(-1);
    q.to(r).on(key::D);
    r.to(last).on(key::E);
    r.to(root).on(key::F);
}
constexpr auto outer_first = hsm::constant_chart<trace_context>([](auto& root) { define(root); });
constexpr auto inner_first =
    hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define(root.remembers_deep()); });

template <class Root> constexpr void define_histories(Root& root) {
    auto& out = add<"out">(root);
    auto& m = add_machine<"m">(root);
    auto& shallow = m.add_history("shallow");
    auto& deep = m.add_deep_history("deep");
    auto& previous = m.add_previous("previous");
    auto& a = add<"a">(m);
    auto& inner = add_machine<"inner">(m);
    auto& x = add<"x">(inner);
    auto& y = add<"y">(inner);
    auto& done = inner.add_final("done");
    auto& c = add<"c">(m);
    auto& back = inner.add_history("back");

    deep.otherwise(y).then(notes<"otherwise">);
    previous.otherwise(shallow);
    inner.dispatch(y).when(&trace_context::ready);
    inner.initial(x);
    out.to(m).on(key::A);
    out.to(shallow).on(key::B);
    out.to(deep).on(key::C);
    out.to(previous).on(key::D);
    m.to(out).on(key::A);
    m.to(previous).on(key::D);
    a.to(inner).on(key::E);
    x.to(y).on(key::E);
    y.to(done).on(key::E);
    inner.to(c).on(key::F);
    c.to(back).on(key::F);
    root.to(shallow).when(&trace_context::go);
    root.to(deep).on(key::G);
    root.to(back).when(&trace_context::go).priority(-1);
    out.to(previous).when(&trace_context::ready).external();
    inner.to(back).when(&trace_context::ready);
}
constexpr auto histories = hsm::constant_chart<trace_context>([](auto& root) { define_histories(root); });
constexpr auto finals = hsm::constant_chart<trace_context, hsm::constant_chart_options{hsm::decision_order::substate_first, true}>(
    [](auto& root) { define_histories(root); });

} // namespace

TEST_CASE("a history state of a constant chart leads to the record, or to its default") {
    same_text<histories> m;
    m.start();
    CHECK(m.process(key::C) == "X out, E m, otherwise, E inner, E y");
    m.process(key::A);
    CHECK(m.process(key::B) == "X out, E m, E inner, E x"); // the substate, which then follows its own entry rules
    m.process(key::E), m.process(key::A);
    CHECK(m.process(key::C) == "X out, E m, E inner, E y");
    m.process(key::A);
    CHECK(m.process(key::A) == "X out, E m, E a"); // the machine itself does not remember
}

TEST_CASE("a previous state of a constant chart leads to the substate before the current one") {
    same_text<histories> m;
    m.start();
    CHECK(m.process(key::D) == "X out, E m, E a"); // by the defaults of two history states
    m.process(key::E), m.process(key::F);
    CHECK(m.path() == "root/m/c");
    CHECK(m.process(key::D) == "X c, E inner, E x");
    CHECK(m.process(key::D) == "X x, X inner, E c");
    m.process(key::A);
    CHECK(m.process(key::D) == "X out, E m, E inner, E x");
}

TEST_CASE("a polled transition of a constant chart to a history state is satisfied in the states to which it would lead") {
    same_text<histories> m;
    m.start();
    m.process(key::A), m.process(key::E), m.process(key::A);
    m.set(&trace_context::go);
    CHECK(m.tick() == "X out, E m, E inner, E x, U m, U inner, U x");
    CHECK(m.tick() == "U m, U inner, U x");
}

TEST_CASE("a constant chart with remember_finals enters recorded final states again") {
    same_text<finals> m;
    m.start();
    m.process(key::C), m.process(key::E), m.process(key::A);
    CHECK(m.process(key::C) == "X out, E m, E inner");
    CHECK(m.path() == "root/m/inner/done");
    same_text<histories> forgets;
    forgets.start();
    forgets.process(key::C), forgets.process(key::E), forgets.process(key::A), forgets.process(key::C);
    CHECK(forgets.path() == "root/m/inner/x");
}

TEST_CASE("a machine of a constant chart remembers its substate") {
    same_text<outer_first> m;
    m.start();
    m.process(key::A), m.process(key::C);
    CHECK(m.path() == "root/m/inner/y");
    m.process(key::A);
    CHECK(m.process(key::A) == "X out, E m, E inner, E x");
    m.process(key::C), m.process(key::A), m.process(key::A);
    CHECK(m.path() == "root/m/inner/x"); // final states are not remembered
    m.stop(), m.start(), m.process(key::A);
    CHECK(m.path() == "root/m/inner/x");
}

TEST_CASE("a machine of a constant chart remembers its leaf") {
    same_text<outer_first> m;
    m.start();
    m.process(key::B), m.process(key::C);
    CHECK(m.path() == "root/deep/rests");
    m.process(key::B);
    CHECK(m.process(key::B) == "X out, E deep, E rests");
    m.process(key::C), m.process(key::D);
    CHECK(m.path() == "root/deep/rests/remembers/r");
    m.process(key::B);
    CHECK(m.process(key::B) == "X out, E deep, E rests, E remembers, E r");
    m.process(key::E), m.process(key::B), m.process(key::B); // the final state's machine, which has recorded r
    m.set(&trace_context::go);
    m.process(key::B), m.process(key::D);
    CHECK(m.path() == "root/deep/rests/p");
}

TEST_CASE("constant charts and charts compiled at run time report the same records of history") {
    const auto play = [](auto& both, std::string_view often, std::string_view never) {
        both([](auto& agent) { agent.start(); });
        std::uint32_t word = 1;
        std::string seen;
        for (int i = 0; i < 400; ++i) {
            word = word * 1664525u + 1013904223u;
            both([&](auto& agent) {
                agent.context().go = word >> 30 & 1;
                agent.context().ready = word >> 28 & 1;
                if (word >> 24 & 31)
                    agent.process(static_cast<key>((word >> 16) % 9));
                else
                    agent.stop(), agent.start();
                if (i % 5 == 0) agent.tick();
            });
            seen += both.constant.current().name();
        }
        return seen.find(never) == std::string::npos && seen.find(often) != std::string::npos;
    };
    both_kinds<outer_first> outer;
    CHECK(play(outer, "last", "inner"));
    both_kinds<inner_first> inner;
    CHECK(play(inner, "last", "inner"));
    both_kinds<histories> with_states;
    CHECK(play(with_states, "done", "inner"));
    both_kinds<finals> with_finals;
    CHECK(play(with_finals, "done", "inner"));
}

TEST_CASE("explain uses the records of a constant instance") {
    trace_context c;
    hsm::constant_instance<outer_first> agent(c);
    agent.start();
    agent.process(key::A), agent.process(key::C), agent.process(key::A); // from root/m/inner/y
    CHECK(to_string(hsm::why_not(agent, "m/a")).find("its history leads to root/m/inner") != std::string::npos);
    CHECK(sizeof(agent) == 2 * sizeof(void*) + 8); // three records
}

TEST_CASE("explain uses the records of previous states of a constant instance") {
    trace_context c;
    hsm::constant_instance<histories> agent(c);
    agent.start();
    agent.process(key::A), agent.process(key::E), agent.process(key::F), agent.process(key::A); // from m/c, before from m/inner
    CHECK(
        to_string(hsm::why_not(agent, "m/a")).find("previous on D of test::key: it waits for D of test::key; its history leads to root/m/inner\n") !=
        std::string::npos);
    CHECK(sizeof(agent) == 2 * sizeof(void*) + 8); // four records
}
