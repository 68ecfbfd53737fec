// Conditions at work: what they make fire, pulses, being over, and ticks in which nothing happens.

#include <tests/support/findings.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace test;

namespace {

using root_t = decltype(hsm::make_fsm<recorder>("R"));

/// A machine of conditions, started, its trace empty.
struct machine {
    explicit machine(root_t root, const hsm::compile_options& options = {}) : chart(hsm::compile(std::move(root), options)), agent(chart, r) {
        agent.start();
        r.take();
    }

    std::string tick(hsm::time_span elapsed = {}) { return agent.tick(elapsed), r.take(); }
    std::string decide() { return agent.decide(), r.take(); }
    std::string leaf() { return std::string(agent.current().name()); }
    /// The names of those that are set.
    std::string bits() {
        std::string text;
        for (std::size_t i = 0; i < chart.condition_count(); ++i)
            if (agent.get(static_cast<int>(i))) text += (text.empty() ? "" : " ") + (i == 0 ? "over" : std::string(chart.condition_name(i)));
        return text;
    }

    hsm::chart<recorder> chart;
    recorder r;
    hsm::instance<recorder> agent;
};

/// With enter and exit alone: an update would have to run.
template <class State> State& noted(State& state) {
    const std::string name(state.name());
    state.on_enter(noting("E " + name)).on_exit(noting("X " + name));
    return state;
}

auto root_of() { return hsm::make_fsm<recorder>("R"); }

root_t animation() {
    auto root = root_of();
    auto& idle = noted(root->add("Idle"));
    auto& run = noted(root->add("Run"));
    auto& attack = noted(root->add("Attack"));
    auto& jump = noted(root->add("Jump"));
    idle.to(run).when("IsRun");
    idle.to(attack).when("IsAttack");
    idle.to(jump).when("IsJump");
    attack.to(idle).when("!IsAttack");
    attack.to(jump).when("IsJump");
    run.to(idle).when("!IsRun");
    run.to(attack).when("IsAttack");
    run.to(jump).when("IsJump");
    jump.to(idle).when(hsm::is_over).then(noting("landed"));
    return root;
}

} // namespace

TEST_CASE("the animation of the design") {
    machine m(animation());
    CHECK(m.leaf() == "Idle");
    m.agent.set("IsJump");
    CHECK(m.tick() == "X Idle, E Jump");
    CHECK(m.tick() == "");
    CHECK(m.bits() == "IsJump");
    m.agent.finish();
    CHECK(m.bits() == "over IsJump");
    CHECK(m.tick() == "X Jump, landed, E Idle");
    CHECK(m.bits() == "");
    CHECK(m.tick() == "");
    CHECK(m.leaf() == "Idle");
}

TEST_CASE("the animation, state by state") {
    machine m(animation());
    m.agent.set("IsRun");
    CHECK(m.tick() == "X Idle, E Run");
    CHECK(m.tick() == "");
    m.agent.set("IsAttack");
    m.agent.set("IsJump"); // defined later
    CHECK(m.tick() == "X Run, E Attack");
    m.agent.set("IsJump", false);
    CHECK(m.tick() == "");
    m.agent.clear("IsAttack");
    CHECK(m.tick() == "X Attack, E Idle");
    CHECK(m.tick() == "X Idle, E Run");
    m.agent.clear();
    CHECK(m.bits() == "");
    CHECK(m.tick() == "X Run, E Idle");
}

TEST_CASE("a way out by another condition resets nothing") {
    auto root = animation();
    root->to("Run").when("Abort");
    machine m(std::move(root));
    m.agent.set("IsJump");
    m.tick();
    m.agent.set("Abort");
    CHECK(m.tick() == "X Jump, E Run");
    CHECK(m.bits() == "Abort IsJump");
}

TEST_CASE("being over: what led into all that is left is reset") {
    auto root = root_of();
    auto& idle = noted(root->add("idle"));
    auto& jump = noted(root->add_fsm("jump"));
    auto& up = noted(jump.add("up"));
    auto& down = noted(jump.add("down"));
    auto& landed = noted(jump.add_final("landed"));
    idle.to(jump).when(hsm::all("IsJump", "!Tired", hsm::any("Grounded", &recorder::go)));
    up.to(down).when("Falls");
    down.to(landed).when("Lands");
    jump.to(idle).when(hsm::is_over); // also a final leaf is over
    machine m(std::move(root));
    for (const auto* c : {"IsJump", "Grounded", "Falls"}) m.agent.set(c);
    CHECK(m.tick() == "X idle, E jump, E up, X up, E down");
    m.agent.set("Lands");
    CHECK(m.tick() == "X down, E landed");
    CHECK(m.bits() == "over IsJump Grounded Falls Lands");
    CHECK(m.tick() == "X landed, X jump, E idle");
    CHECK(m.bits() == "Falls");
}

TEST_CASE("being over: what an entry choice led in by") {
    auto root = root_of();
    auto& attack = root->add_fsm("attack");
    auto& slash = noted(attack.add("slash"));
    auto& shoot = noted(attack.add("shoot"));
    attack.dispatch(shoot).when("HasBow");
    attack.dispatch(slash);
    shoot.to(slash).when(hsm::is_over);
    auto chart_root = std::move(root);
    auto& strike = chart_root->add("strike");
    strike.to("attack").when("IsAttack");
    machine m(std::move(chart_root));
    m.agent.change_to("strike");
    m.agent.set("IsAttack");
    m.agent.set("HasBow");
    CHECK((m.tick(), m.leaf()) == "shoot");
    m.agent.finish();
    m.r.take();
    CHECK(m.tick() == "X shoot, E slash");
    CHECK(m.bits() == "IsAttack"); // attack has not been left
}

TEST_CASE("being over: a guard, too, and not without the rest") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when("Go");
    b.to(a).when(hsm::all(hsm::is_over, "Back", &recorder::go));
    machine m(std::move(root));
    m.agent.set("Go");
    m.tick();
    m.agent.finish();
    CHECK(m.tick() == "");
    m.agent.set("Back");
    CHECK(m.tick() == "");
    m.r.go = true;
    CHECK(m.tick() == "X b, E a");
    CHECK(m.bits() == "Back");
    CHECK(m.agent.get(hsm::is_over) == false);
}

TEST_CASE("being over: called in the enter hook, and by a local") {
    struct brief {
        int left;
        void update(recorder&) { --left; }
        bool finished() const { return left == 0; }
    };
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = root->add("b").on_enter([](recorder& r, hsm::step<recorder>& s) { r.note("E b"), s.finish(); });
    auto& c = noted(root->add<brief>("c", 2));
    a.to(b).when("Go");
    b.to(c).when(hsm::is_over);
    c.to(a).when(hsm::is_over);
    machine m(std::move(root));
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.tick() == "E c");
    CHECK(m.bits() == "");
    CHECK(m.tick() == "");
    CHECK(m.bits() == "over");
    CHECK(m.tick() == "X c, E a");
}

TEST_CASE("being over is asked for anew after an event that leaves nothing") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when(hsm::all(hsm::is_over, "Go"));
    a.on<event<1>>().then(noting("reacts"));
    machine m(std::move(root));
    m.agent.set("Go");
    CHECK(m.tick() == ""); // from here on it is watched that the leaf is not over
    m.agent.clear("Go");
    m.agent.finish();
    m.agent.process(event<1>{});
    m.agent.set("Go");
    SUBCASE("at once") { CHECK(m.r.take() == "reacts"); }
    SUBCASE("after a tick in which it is not enough") {
        m.agent.clear("Go");
        CHECK(m.tick() == "reacts");
        CHECK(m.tick() == "");
        m.agent.set("Go");
    }
    CHECK(m.tick() == "X a, E b");
    m.agent.change_to(b);
    CHECK_FALSE(m.agent.get(hsm::is_over));
}

TEST_CASE("conditions guard events, reactions, dispatch and choices") {
    auto root = root_of();
    auto& a = root->add("a");
    auto& m1 = root->add_fsm("m");
    auto& x = m1.add("x");
    auto& y = m1.add("y");
    auto& choice = root->add_choice("c");
    m1.dispatch(y).when(hsm::any("Y", "Z"));
    m1.dispatch(x);
    choice.to(a).when("!Z");
    choice.otherwise(m1);
    a.to(m1).on("go").when("Go");
    m1.to(choice).on("back");
    x.when("X").then(noting("reacts"));
    machine m(std::move(root));
    CHECK(m.agent.process("go") == hsm::result::guarded);
    CHECK_FALSE(m.agent.can("go"));
    m.agent.set("Go");
    CHECK(m.agent.can("go"));
    CHECK(m.agent.process("go") == hsm::result::taken);
    CHECK(m.leaf() == "x");
    CHECK(m.tick() == "");
    m.agent.set("X");
    CHECK(m.tick() == "reacts");
    m.agent.set("Z");
    m.agent.process("back");
    CHECK(m.leaf() == "y");
    m.agent.clear("Z");
    m.agent.process("back");
    CHECK(m.leaf() == "a");
}

TEST_CASE("a machine whose choices all wait for conditions rests") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    root->dispatch(a).when(hsm::all("Ready", "!Not"));
    machine m(std::move(root));
    CHECK(m.leaf() == "R");
    CHECK(m.tick() == "");
    m.agent.set("Ready");
    CHECK(m.tick() == "E a");
}

TEST_CASE("guards and conditions, one enough") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when(hsm::any("Armed", hsm::all(&recorder::go, "!Calm")));
    b.to(a).on<event<1>>().when(hsm::no(hsm::any("Armed", [](const recorder& r, const event<1>&) { return r.go; })));
    a.hold_until(hsm::any("Free", &recorder::ready));
    machine m(std::move(root));
    CHECK(m.tick() == "");
    m.r.go = true;
    m.agent.set("Calm");
    CHECK(m.tick() == "");
    m.agent.clear("Calm");
    CHECK(m.tick() == ""); // a holds
    m.agent.set("Free");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    m.r.go = false;
    CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
    m.r.take();
    m.agent.set("Armed");
    CHECK(m.tick() == "X a, E b");
}

TEST_CASE("hooks set conditions") {
    auto root = root_of();
    const auto done = root->condition();
    auto& a = root->add("a").on_update([=](recorder&, hsm::step<recorder>& s) { s.set(done); });
    auto& b = root->add("b").on_enter([=](recorder& r, hsm::step<recorder>& s) {
        r.note(s.get(done) && !s.get("Other") ? "E b" : "?");
        s.clear(done);
        s.pulse("Other");
    });
    a.to(b).when(done);
    b.to(a).when("Other");
    machine m(std::move(root));
    CHECK(m.tick() == "");
    CHECK(m.agent.get(done));
    CHECK(m.tick() == "E b");
    CHECK_FALSE(m.agent.get(done));
    CHECK(m.agent.get("Other")); // a pulse of this tick lasts to the end of the next
    CHECK((m.tick(), m.leaf()) == "a");
    CHECK_FALSE(m.agent.get("Other"));
}

TEST_CASE("a pulse ends with the next tick or decide") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when(hsm::all("Jump", "Ready"));
    b.to(a).on("back");
    machine m(std::move(root));
    m.tick();
    m.agent.pulse("Jump");
    CHECK(m.agent.get("Jump"));
    CHECK(m.tick() == "");
    CHECK_FALSE(m.agent.get("Jump"));
    m.agent.set("Ready");
    CHECK(m.tick() == "");
    m.agent.pulse("Jump");
    m.agent.update();
    m.agent.drain();
    m.agent.process("back"); // none of these is the next tick
    CHECK(m.agent.get("Jump"));
    CHECK(m.decide() == "X a, E b");
    CHECK(m.bits() == "Ready");
    m.agent.pulse("Jump");
    m.agent.set("Jump"); // now it stays
    m.tick();
    CHECK(m.agent.get("Jump"));
    m.agent.pulse("Jump");
    m.agent.stop();
    m.agent.tick(); // not active: no tick
    CHECK(m.agent.get("Jump"));
    m.agent.start();
    m.agent.tick();
    CHECK(m.bits() == "Ready");
}

TEST_CASE("a pulse ends also when a hook throws") {
    auto root = root_of();
    auto& a = root->add("a");
    a.to(a).when("Jump").then([](recorder&) { throw 1; });
    machine m(std::move(root));
    m.agent.pulse("Jump");
    CHECK_THROWS_AS(m.agent.tick(), int);
    CHECK_FALSE(m.agent.get("Jump"));
    m.agent.tick();
    CHECK(m.tick() == "");
}

TEST_CASE("conditions outlive stop and start, not reset") {
    machine m(animation());
    m.agent.stop();
    m.agent.set("IsJump");
    m.agent.start();
    CHECK(m.bits() == "IsJump");
    m.tick();
    m.agent.finish();
    m.agent.restart(); // left by no transition: nothing is taken back
    CHECK(m.bits() == "IsJump");
    m.agent.pulse("IsRun");
    m.agent.reset();
    CHECK(m.bits() == "");
    m.agent.start();
    m.r.take();
    CHECK(m.tick() == "");
    m.agent.set_state("Jump");
    m.agent.set("IsJump");
    m.agent.finish();
    CHECK(m.tick() == "X Jump, landed, E Idle"); // no transition has led in
    CHECK(m.bits() == "IsJump");
}

TEST_CASE("conditions by index, beyond one word") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    auto& c = noted(root->add("c"));
    a.to(b).when(hsm::all(1, 63, 64, 200, -65));
    b.to(c).when(hsm::any(2, 130, -199));
    c.to(a).when(hsm::is_over);
    machine m(std::move(root));
    CHECK(m.chart.condition_count() == 201);
    for (const int i : {1, 63, 64, 65, 199}) m.agent.set(i);
    CHECK(m.tick() == "");
    m.agent.set(200);
    CHECK(m.tick() == "");
    m.agent.clear(65);
    CHECK(m.tick() == "X a, E b");
    CHECK(m.tick() == "");
    m.agent.pulse(130);
    CHECK(m.tick() == "X b, E c");
    CHECK_FALSE(m.agent.get(130));
    m.agent.set(130);
    m.agent.finish();
    CHECK(m.tick() == "X c, E a");
    CHECK_FALSE(m.agent.get(130));
    CHECK(m.agent.get(199));
}

TEST_CASE("any-state transitions by conditions are satisfied while their target is active") {
    auto root = root_of();
    auto& idle = noted(root->add("idle"));
    auto& dead = noted(root->add("dead"));
    auto& hurt = noted(root->add("hurt"));
    root->to(dead).when("Dead").priority(9);
    root->to(hurt).when("Hurt");
    hurt.to(idle).when("!Hurt");
    machine m(std::move(root));
    m.agent.set("Dead");
    m.agent.set("Hurt");
    CHECK(m.tick() == "X idle, E dead");
    CHECK(m.tick() == "");
    m.agent.clear("Dead");
    CHECK(m.tick() == "X dead, E hurt");
    CHECK(m.tick() == "");
    m.agent.clear("Hurt");
    CHECK(m.tick() == "X hurt, E idle");
}

TEST_CASE("every state of all conditions of a leaf: what fires is what the definition says") {
    // whatever is watched, and where both values of a condition would have to be
    struct guards {
        const char* name;
        void (*define)(hsm::state<recorder>& a, hsm::state<recorder>& b, hsm::state<recorder>& c);
        int (*expected)(unsigned bits); ///< 0: nothing, 1: b, 2: c
    };
    const auto has = [](unsigned bits, unsigned i) { return (bits >> i & 1) != 0; };
    static const auto is = has;
    const guards all[] = {
        {"one", [](auto& a, auto& b, auto& c) { a.to(b).when(1), a.to(c).when(2); },
         [](unsigned x) { return is(x, 1) ? 1 : is(x, 2) ? 2 : 0; }},
        {"both values", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::all(1, 2)), a.to(c).when(hsm::all(-1, 3)); },
         [](unsigned x) { return is(x, 1) && is(x, 2) ? 1 : !is(x, 1) && is(x, 3) ? 2 : 0; }},
        {"no way around", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::all(1, 2)), a.to(c).when(-1); },
         [](unsigned x) { return is(x, 1) && is(x, 2) ? 1 : !is(x, 1) ? 2 : 0; }},
        {"contradiction", [](auto& a, auto& b, auto& c) { a.to(b).when(1), a.to(c).when(-1); },
         [](unsigned x) { return is(x, 1) ? 1 : 2; }},
        {"any", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::any(1, -2)), a.to(c).when(hsm::all(3, hsm::any(1, 2))); },
         [](unsigned x) { return is(x, 1) || !is(x, 2) ? 1 : is(x, 3) ? 2 : 0; }},
        {"never and always", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::all(1, -1)), a.to(c).when(hsm::any(2, -2)); },
         [](unsigned) { return 2; }},
    };
    for (const auto& g : all) {
        CAPTURE(std::string(g.name));
        auto root = root_of();
        auto& a = root->add("a");
        auto& b = root->add("b");
        auto& c = root->add("c");
        root->condition("Last", 3);
        g.define(a, b, c);
        machine m(std::move(root));
        for (unsigned bits = 0; bits < 16; bits += 2) {
            for (unsigned before = 0; before < 16; before += 2) {
                m.agent.set_state(a);
                for (int i = 1; i < 4; ++i) m.agent.set(i, is(before, static_cast<unsigned>(i)));
                m.tick();
                m.agent.set_state(a);
                m.tick();
                m.agent.set_state(a);
                for (int i = 1; i < 4; ++i) m.agent.set(i, is(bits, static_cast<unsigned>(i)));
                m.tick();
                const std::string wanted[] = {"a", "b", "c"};
                CHECK_MESSAGE(m.leaf() == wanted[g.expected(bits)], bits);
            }
        }
    }
}

TEST_CASE("AND and OR groups, all 16 masks under all 16 filters against all 16 states") {
    for (unsigned filter = 1; filter < 16; ++filter) {
        auto root = root_of();
        auto& wait = root->add("wait");
        std::vector<hsm::state<recorder>*> all, any;
        for (unsigned mask = 0; mask < 16; ++mask) {
            all.push_back(&root->add("all" + std::to_string(mask)));
            any.push_back(&root->add("any" + std::to_string(mask)));
            const auto literal = [&](unsigned i) { return mask >> i & 1 ? static_cast<int>(i + 1) : -static_cast<int>(i + 1); };
            auto to_all = wait.to(*all.back()).on(std::string("all") + std::to_string(mask));
            for (unsigned i = 0; i < 4; ++i)
                if (filter >> i & 1) to_all.when(literal(i));
            std::vector<int> l;
            for (unsigned i = 0; i < 4; ++i)
                if (filter >> i & 1) l.push_back(literal(i));
            while (l.size() < 4) l.push_back(l[0]);
            wait.to(*any.back()).on(std::string("any") + std::to_string(mask)).when(hsm::any(l[0], l[1], l[2], l[3]));
        }
        root->condition("Fourth", 4);
        machine m(std::move(root));
        for (unsigned bits = 0; bits < 16; ++bits) {
            for (unsigned i = 0; i < 4; ++i) m.agent.set(static_cast<int>(i + 1), bits >> i & 1);
            for (unsigned mask = 0; mask < 16; ++mask) {
                bool each = true, some = false; // one by one
                for (unsigned i = 0; i < 4; ++i) {
                    if (!(filter >> i & 1)) continue;
                    const bool agrees = (bits >> i & 1) == (mask >> i & 1);
                    each = each && agrees;
                    some = some || agrees;
                }
                CHECK(each == (((bits ^ mask) & filter) == 0));
                CHECK(some == (((bits ^ mask) & filter) != filter));
                CHECK(static_cast<bool>(m.agent.can("all" + std::to_string(mask))) == each);
                CHECK(static_cast<bool>(m.agent.can("any" + std::to_string(mask))) == some);
            }
        }
    }
}

TEST_CASE("time goes on in ticks in which nothing happens") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when("Go").after(hsm::time_span::from_nanoseconds(50));
    b.to(a).on("back");
    machine m(std::move(root));
    const auto ns = [](std::int64_t n) { return hsm::time_span::from_nanoseconds(n); };
    for (int i = 0; i < 4; ++i) CHECK(m.tick(ns(10)) == "");
    CHECK(m.agent.now() == ns(40));
    CHECK(m.agent.time_in_state() == ns(40));
    m.agent.set("Go");
    CHECK(m.tick(ns(9)) == "");
    CHECK(m.tick(ns(1)) == "X a, E b");
    m.agent.clear("Go");
    m.agent.process("back");
    m.r.take();
    CHECK(m.tick(ns(5)) == "");
    CHECK(m.agent.time_in_state() == ns(5));
    CHECK(m.tick(ns(5)) == "");
    CHECK(m.agent.time_in_state() == ns(10));
    CHECK(m.agent.tick(ns(-1)) == hsm::result::refused);
    m.agent.pause();
    m.tick(ns(5));
    m.agent.resume();
    m.agent.set_time_scale(2);
    m.tick(ns(5));
    CHECK(m.agent.time_in_state() == ns(20));
    m.agent.set_time_scale(1);
    m.tick(ns(0x7fff'ffff'ffff'fff0)); // it stops at the end of time
    m.tick(ns(0x7fff'ffff'ffff'fff0));
    CHECK(m.agent.now() == ns(0x7fff'ffff'ffff'ffff));
}

TEST_CASE("posted events are handled in a tick in which no condition matters") {
    auto root = root_of();
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when("Go");
    a.on("e").then(noting("e"));
    machine m(std::move(root));
    m.tick();
    m.agent.post("e");
    CHECK(m.tick() == "e");
    CHECK(m.tick() == "");
}

TEST_CASE("superstates with updates, and conditions below them") {
    auto root = root_of();
    root->on_update(noting("U R"));
    auto& a = noted(root->add("a"));
    auto& b = noted(root->add("b"));
    a.to(b).when("Go");
    machine m(std::move(root));
    CHECK(m.tick() == "U R");
    CHECK(m.tick() == "U R");
    m.agent.set("Go");
    CHECK(m.tick() == "U R, X a, E b");
}

TEST_CASE("substates first") {
    auto root = root_of();
    auto& outer = noted(root->add_fsm("outer"));
    auto& a = noted(outer.add("a"));
    auto& b = noted(outer.add("b"));
    auto& c = noted(root->add("c"));
    outer.to(c).when("Go");
    a.to(b).when("Go");
    machine m(std::move(root), {.order = hsm::decision_order::substate_first});
    CHECK(m.tick() == "");
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.tick() == "X b, X outer, E c");
}

TEST_CASE("moved, and in memory of the user's") {
    const auto chart = hsm::compile(animation());
    recorder r;
    hsm::instance<recorder> first{chart, r};
    first.start();
    first.set("IsRun");
    auto second = std::move(first);
    CHECK(second.get("IsRun"));
    second.tick();
    CHECK(second.current().name() == "Run");
}

TEST_CASE("a condition that the chart does not have") {
    machine m(animation());
    const auto report_of = [&](auto call) {
        try {
            call();
        } catch (const hsm::condition_error& e) {
            CHECK(e.number() == hsm::code::unknown_condition);
            return true;
        }
        return false;
    };
    CHECK(report_of([&] { m.agent.set("IsRum"); }));
    try {
        m.agent.set("IsRum");
    } catch (const hsm::condition_error& e) {
        CHECK(e.report().path == "R");
        CHECK(e.report().problem == "\"IsRum\" is not a condition of this chart");
        CHECK(e.report().hint == "did you mean \"IsRun\"?");
    }
    CHECK(report_of([&] { (void)m.agent.get("!IsRun"); }));
    CHECK(report_of([&] { m.agent.pulse(5); }));
    CHECK(report_of([&] { m.agent.set(-1); }));
    CHECK(report_of([&] { m.agent.set(""); }));
    CHECK(report_of([&] { m.agent.set(hsm::is_over); }));
    CHECK(report_of([&] { m.agent.set(hsm::condition()); }));
    auto other = root_of();
    const auto of_another = other->condition();
    CHECK(report_of([&] { m.agent.set(of_another); }));
    const auto named = m.chart.condition("IsRun");
    m.agent.set(named);
    CHECK(m.bits() == "IsRun");
}

TEST_CASE("the error of an unknown condition says how it was called") {
    machine m(animation());
    const auto problem_of = [&](const hsm::condition_key& key) -> std::string {
        try {
            m.agent.set(key);
        } catch (const hsm::condition_error& e) {
            return e.report().problem;
        }
        return "none";
    };
    CHECK(problem_of("") == "an empty name is not a condition of this chart");
    CHECK(problem_of(m.chart.condition("IsRum")) == "an empty handle is not a condition of this chart");
    CHECK(problem_of(-3) == "-3 is not a condition of this chart");
    CHECK(problem_of(77) == "77 is not a condition of this chart");
    CHECK(problem_of(root_of()->condition()) == "a condition of another definition is not a condition of this chart");
}

TEST_CASE("a chart without conditions knows none") {
    auto root = root_of();
    root->add("a");
    machine m(std::move(root));
    CHECK_THROWS_AS(m.agent.set("IsRun"), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.set(0), hsm::condition_error);
    m.agent.clear();
    CHECK(m.tick() == "");
}
