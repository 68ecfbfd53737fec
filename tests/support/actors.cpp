#include <tests/support/actors.hpp>

#include <initializer_list>
#include <utility>

namespace test::actors {

namespace {

using namespace std::chrono_literals;

auto root_of() { return hsm::make_fsm<actor>("R"); }
const auto acting = [](actor& a) { a.note("*"), a.act(); };
const auto reading = [](actor& a, const letter& l) { a.note(l.text), a.act(); };
using root_t = decltype(root_of());

play finish(const char* name, root_t root, std::initializer_list<const char*> states, const hsm::compile_options& options = {}) {
    return {name, hsm::compile(std::move(root), options), {states.begin(), states.end()}};
}

play bits() {
    auto root = root_of();
    auto& idle = with_trace(root->add("idle"), false);
    auto& run = with_trace(root->add("run"), false);
    auto& jump = with_trace(root->add("jump"), false);
    idle.to(run).when("IsRun");
    run.to(idle).when("!IsRun").then(acting);
    idle.to(jump).when(hsm::all("IsJump", hsm::any("Grounded", "!Tired")));
    run.to(jump).when("IsJump");
    jump.to(idle).when(hsm::is_over);
    jump.to(run).on<event<1>>();
    idle.to(run).on<letter>().then(reading);
    return finish("bits", std::move(root), {"idle", "run", "jump"}, {.entry_times = false});
}

play bits_with_updates() {
    auto root = root_of();
    auto& a = with_trace(root->add("a"));
    auto& inner = with_trace(root->add_fsm("inner"));
    auto& b = with_trace(inner.add("b"));
    auto& c = with_trace(inner.add("c"), false);
    a.to(inner).when("One");
    b.to(c).when("Two");
    c.to(b).when(hsm::all("!Two", &actor::go));
    inner.to(a).when("!One").then(acting);
    root->to(c).on<event<2>>();
    root->on<letter>().then(reading);
    return finish("bits with updates", std::move(root), {"a", "inner", "inner/c"});
}

play timers() {
    auto root = root_of();
    auto& a = with_trace(root->add("a"));
    auto& b = with_trace(root->add("b"), false);
    auto& c = with_trace(root->add("c"));
    a.to(b).after(300ms).then(acting);
    b.to(c).after(0.2);
    c.to(a).after([](const actor& x) { return 100ms * static_cast<int>(x.random % 5); });
    b.every(70ms).then(acting);
    root->every(250ms).then(acting);
    c.to(b).on<event<1>>();
    a.to(c).when("Go");
    return finish("timers", std::move(root), {"a", "b", "c"});
}

/// Without update hooks: most ticks skip them.
play waiting() {
    auto root = root_of();
    auto& a = with_trace(root->add("a"), false);
    auto& d = with_trace(root->add("d"), false);
    auto& m = with_trace(root->add_fsm("m"), false);
    auto& b = with_trace(m.add("b"), false);
    auto& c = with_trace(m.add("c"), false);
    a.to(m).after(300ms).then(acting);
    a.to(c).when("Go");
    a.to(d).when("Rest");
    d.to(a).after(120ms);
    b.to(c).after([](const actor& x) { return 100ms * static_cast<int>(x.random % 9); });
    b.to(a).after(250ms).when(&actor::go);
    c.to(b).after(200ms).when(hsm::all("Timed", "!Go")).then(acting);
    c.every(170ms).then(acting);
    m.to(a).after(900ms);
    root->to(c).after(2s).priority(1);
    root->to(b).on<event<1>>();
    return finish("waiting", std::move(root), {"a", "d", "m", "m/b", "m/c"}, {.entry_times = false});
}

play history() {
    auto root = root_of();
    auto& a = with_trace(root->add_fsm("a")).remembers_deep();
    auto& x = with_trace(a.add("x"));
    auto& y = with_trace(a.add_fsm("y")).remembers();
    auto& p = with_trace(y.add("p"), false);
    auto& q = with_trace(y.add("q"));
    auto& out = with_trace(root->add("out"));
    a.to(out).on<event<1>>();
    out.to(a).on<event<2>>();
    out.to(y).on<event<3>>();
    x.to(q).on<event<3>>();
    p.to(x).when("Go");
    q.to(p).when(&actor::go);
    return finish("history", std::move(root), {"a", "a/y/q", "out"});
}

play regions() {
    auto root = root_of();
    auto& both = with_trace(root->add_parallel("both"));
    auto& one = with_trace(both.add_fsm("one"));
    auto& two = with_trace(both.add_fsm("two"));
    auto& a = with_trace(one.add("a"));
    auto& b = with_trace(one.add("b"));
    auto& c = with_trace(two.add("c"));
    auto& d = with_trace(two.add("d")).defer<event<1>>();
    auto& out = with_trace(root->add("out"));
    a.to(b).on<event<1>>();
    b.to(a).when("Back").then(acting);
    c.to(d).on<event<1>>();
    d.to(c).after(200ms);
    d.to(c).on<letter>().then(reading);
    both.to(out).on<event<2>>();
    out.to(both).on<event<3>>();
    out.to(d).when("Back");
    return finish("regions", std::move(root), {"both", "both/one/b", "both/two/d", "out"});
}

play holds() {
    auto root = root_of();
    auto& a = with_trace(root->add("a")).hold_until(&actor::ready);
    auto& b = with_trace(root->add("b")).min_duration(0.15);
    auto& c = with_trace(root->add("c"), false).hold();
    a.to(b).on<letter>().then(reading);
    a.to(c).on<event<1>>().priority(1);
    b.to(c).when("Go").then(acting);
    c.to(a).on<event<2>>();
    c.to(b).on<event<3>>().force();
    b.to(a).on<event<1>>();
    c.to(a).after(1s);
    return finish("holds", std::move(root), {"a", "b", "c"});
}

play deferral() {
    auto root = root_of();
    auto& a = with_trace(root->add("a")).defer<letter>().defer<event<1>>();
    auto& b = with_trace(root->add("b")).defer<event<2>>();
    auto& c = with_trace(root->add("c"), false);
    a.to(b).on<event<3>>();
    b.to(c).on<letter>().then(reading);
    c.to(a).on<event<1>>().then(acting);
    c.to(b).on<event<2>>();
    b.to(a).when("Go");
    return finish("deferral", std::move(root), {"a", "b", "c"});
}

play over() {
    auto root = root_of();
    auto& a = with_trace(root->add<pouch>("a"));
    auto& b = with_trace(root->add_fsm("b"));
    auto& x = with_trace(b.add("x"));
    auto& y = b.add_final("y");
    auto& end = root->add_final("end");
    a.to(b).when(hsm::is_over);
    x.to(y).on<event<1>>();
    b.to(a).on_finished().then(acting);
    a.to(b).when("Go");
    b.to(end).on<letter>();
    return finish("over", std::move(root), {"a", "b", "b/x"});
}

play locals() {
    auto root = root_of();
    auto& a = with_trace(root->add<pouch>("a"));
    auto& b = with_trace(root->add_fsm("b"), false);
    auto& c = with_trace(b.add<pouch>("c"));
    auto& d = with_trace(b.add("d"));
    a.to(c).on<event<1>>();
    c.to(d).when(&actor::go);
    d.to(c).on<letter>().then(reading);
    b.to(a).on<event<2>>().then(acting);
    d.to(a).when("Go");
    return finish("locals", std::move(root), {"a", "b/c", "b/d"}, {.entry_times = false});
}

struct sword_machine : hsm::fsm<sword> {
    explicit sword_machine(std::string name) : fsm(std::move(name)) {
        auto& blunt = add("blunt").on_update([](sword& s) { s.owner->note("blunt"); });
        auto& keen = add("keen").on_enter([](sword& s) { s.owner->note("keen"), s.owner->act(); });
        blunt.to(keen).when(&sword::sharp);
        blunt.to(keen).on<event<1>>().then([](sword& s) { s.sharp = true; });
        keen.to(blunt).on<event<2>>().then([](sword& s) { s.sharp = false, s.owner->note("used"); });
    }
};

play projections() {
    auto root = root_of();
    auto& left = root->add<sword_machine>(&actor::left, "left");
    auto& right = root->add<sword_machine>(&actor::right, "right");
    auto& none = with_trace(root->add("none"));
    left.to(right).on<event<3>>();
    right.to(none).when("Go");
    none.to(left).on<letter>().then(reading);
    return finish("projections", std::move(root), {"left", "right", "none"});
}

play update_only() {
    auto root = root_of();
    auto& a = with_trace(root->add("a"));
    auto& b = with_trace(root->add("b"));
    auto& c = with_trace(root->add("c"));
    a.to(b).on<event<1>>().then(acting);
    b.to(c).on<letter>().then(reading);
    c.to(a).on<event<2>>();
    b.to(a).on<event<3>>();
    return finish("lone updates", std::move(root), {"a", "b", "c"}, {.entry_times = false});
}

play many_conditions() {
    auto root = root_of();
    auto* previous = &with_trace(root->add("s0"), false);
    auto& first = *previous;
    for (int i = 1; i < 70; ++i) root->condition("C" + std::to_string(i), i);
    for (int i = 1; i < 5; ++i) {
        auto& s = with_trace(root->add("s" + std::to_string(i)), i % 2 == 0);
        previous->to(s).when(i * 17);
        s.to(first).when(hsm::all(69, -(i * 11)));
        previous = &s;
    }
    root->to(first).on<event<1>>();
    return finish("many conditions", std::move(root), {"s0", "s3"});
}

play always() {
    auto root = root_of();
    root->on_init([](actor& a) { a.note("I"); }).on_destroy([](actor& a) { a.note("D"); });
    auto& a = with_trace(root->add("a"));
    auto& b = with_trace(root->add_fsm("b"));
    auto& c = with_trace(b.add("c"));
    auto& d = with_trace(b.add("d"));
    b.dispatch(d).when("Deep");
    b.dispatch(c);
    a.to(b).when(&actor::go).always();
    c.to(d).when("Deep").always();
    d.to(a).when(&actor::ready);
    b.to(a).on<event<1>>();
    root->to(d).on<event<2>>();
    return finish("always", std::move(root), {"a", "b", "b/d"});
}

} // namespace

std::vector<play> all_plays() {
    std::vector<play> all;
    all.push_back(bits());
    all.push_back(bits_with_updates());
    all.push_back(timers());
    all.push_back(waiting());
    all.push_back(history());
    all.push_back(regions());
    all.push_back(holds());
    all.push_back(deferral());
    all.push_back(over());
    all.push_back(locals());
    all.push_back(projections());
    all.push_back(update_only());
    all.push_back(many_conditions());
    all.push_back(always());
    return all;
}

} // namespace test::actors
