// Machines of constant charts that remember. They have the same results as in a chart compiled at run time from the same definition.

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

} // namespace

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

TEST_CASE("constant charts and charts compiled at run time report the same records of machines that remember") {
    const auto play = [](auto& both) {
        both([](auto& agent) { agent.start(); });
        std::uint32_t word = 1;
        std::string seen;
        for (int i = 0; i < 400; ++i) {
            word = word * 1664525u + 1013904223u;
            both([&](auto& agent) {
                agent.context().go = word >> 30 & 1;
                if (word >> 24 & 31)
                    agent.process(static_cast<key>((word >> 16) % 6));
                else
                    agent.stop(), agent.start();
                if (i % 5 == 0) agent.tick();
            });
            seen += both.constant.current().name();
        }
        return seen.find("inner") == std::string::npos && seen.find("last") != std::string::npos;
    };
    both_kinds<outer_first> outer;
    CHECK(play(outer));
    both_kinds<inner_first> inner;
    CHECK(play(inner));
}

TEST_CASE("explain uses the records of a constant instance") {
    trace_context c;
    hsm::constant_instance<outer_first> agent(c);
    agent.start();
    agent.process(key::A), agent.process(key::C), agent.process(key::A); // from root/m/inner/y
    CHECK(to_string(hsm::why_not(agent, "m/a")).find("its history leads to root/m/inner") != std::string::npos);
    CHECK(sizeof(agent) == 2 * sizeof(void*) + 8); // three records
}
