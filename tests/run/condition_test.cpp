// The transitions that conditions fire, alone, together and with guards, and ticks without an effect.

#include <tests/support/animation.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace test;

TEST_CASE("conditions select the animations of a character") {
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

TEST_CASE("conditions select the animations of a character, state by state") {
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
    x.when("X").then(tracing("reacts"));
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
    auto& a = traced_hooks(root->add("a"));
    root->dispatch(a).when(hsm::all("Ready", "!Not"));
    machine m(std::move(root));
    CHECK(m.leaf() == "R");
    CHECK(m.tick() == "");
    m.agent.set("Ready");
    CHECK(m.tick() == "E a");
}

TEST_CASE("guards and conditions can be combined with all, any and no") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
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

TEST_CASE("conditions can be set by index, beyond one word") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    auto& c = traced_hooks(root->add("c"));
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
    auto& idle = traced_hooks(root->add("idle"));
    auto& dead = traced_hooks(root->add("dead"));
    auto& hurt = traced_hooks(root->add("hurt"));
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

TEST_CASE("the transition that fires fits the definition, for every state of all conditions of a leaf") {
    // each combination of watched conditions, and conditions of which both values would be required
    struct guards {
        const char* name;
        void (*define)(hsm::state<recorder>& a, hsm::state<recorder>& b, hsm::state<recorder>& c);
        int (*expected)(unsigned bits); ///< 0: none, 1: b, 2: c
    };
    const auto has = [](unsigned bits, unsigned i) { return (bits >> i & 1) != 0; };
    static const auto is = has;
    const guards all[] = {
        {"one", [](auto& a, auto& b, auto& c) { a.to(b).when(1), a.to(c).when(2); }, [](unsigned x) { return is(x, 1)   ? 1
                                                                                                             : is(x, 2) ? 2
                                                                                                                        : 0; }},
        {"both values", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::all(1, 2)), a.to(c).when(hsm::all(-1, 3)); },
         [](unsigned x) { return is(x, 1) && is(x, 2)    ? 1
                                 : !is(x, 1) && is(x, 3) ? 2
                                                         : 0; }},
        {"no way around", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::all(1, 2)), a.to(c).when(-1); },
         [](unsigned x) { return is(x, 1) && is(x, 2) ? 1
                                 : !is(x, 1)          ? 2
                                                      : 0; }},
        {"contradiction", [](auto& a, auto& b, auto& c) { a.to(b).when(1), a.to(c).when(-1); }, [](unsigned x) { return is(x, 1) ? 1 : 2; }},
        {"any", [](auto& a, auto& b, auto& c) { a.to(b).when(hsm::any(1, -2)), a.to(c).when(hsm::all(3, hsm::any(1, 2))); },
         [](unsigned x) { return is(x, 1) || !is(x, 2) ? 1
                                 : is(x, 3)            ? 2
                                                       : 0; }},
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

TEST_CASE("AND and OR groups are correct for all 16 masks, 16 filters and 16 states") {
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

TEST_CASE("time passes in ticks without a transition") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
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
    m.tick(ns(0x7fff'ffff'ffff'fff0)); // the clock saturates
    m.tick(ns(0x7fff'ffff'ffff'fff0));
    CHECK(m.agent.now() == ns(0x7fff'ffff'ffff'ffff));
}

TEST_CASE("posted events are handled in a tick in which no condition matters") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    a.to(b).when("Go");
    a.on("e").then(tracing("e"));
    machine m(std::move(root));
    m.tick();
    m.agent.post("e");
    CHECK(m.tick() == "e");
    CHECK(m.tick() == "");
}

TEST_CASE("superstates with updates run around substates with conditions") {
    auto root = root_of();
    root->on_update(tracing("U R"));
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    a.to(b).when("Go");
    machine m(std::move(root));
    CHECK(m.tick() == "U R");
    CHECK(m.tick() == "U R");
    m.agent.set("Go");
    CHECK(m.tick() == "U R, X a, E b");
}

TEST_CASE("with the substate first, conditions decide from the innermost state") {
    auto root = root_of();
    auto& outer = traced_hooks(root->add_fsm("outer"));
    auto& a = traced_hooks(outer.add("a"));
    auto& b = traced_hooks(outer.add("b"));
    auto& c = traced_hooks(root->add("c"));
    outer.to(c).when("Go");
    a.to(b).when("Go");
    machine m(std::move(root), {.order = hsm::decision_order::substate_first});
    CHECK(m.tick() == "");
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.tick() == "X b, X outer, E c");
}
