// The definition calls of constant charts, and the tables that they create.

#include <tests/constant/same_text.hpp>

#include <set>
#include <string>

using namespace test;

namespace {

enum class place { hall, cellar, attic };
enum class far_apart { low = -1000, high = 1'000'000 };

struct hit {
    int damage = 0;
};
struct gone {};

struct house {
    int value = 0;
    float seconds = 0;
    bool open = true;
    bool closed() const { return !open; }
    void count() { ++value; }
};

void twice(house& h) { h.value *= 2; }
bool is_small(const house& h) { return h.value < 10; }

struct stairs {
    void enter(house& h) const { h.value += 100; }
    void exit(house& h) const { h.value -= 100; }
    void update(house& h, float dt) const { h.seconds += dt; }
};

constexpr auto words = hsm::constant_chart<house>([](auto& root) {
    root.named("house");
    auto& hall = root.template add<place::hall>();
    auto& cellar = root.template add_fsm<place::cellar>();
    cellar.template add<stairs>("stairs");
    root.template add<place::attic>().on_enter(&house::count).on_enter(twice);
    hall.to(place::cellar).on(far_apart::low).when(hsm::all(&house::open, hsm::any(is_small, &house::closed)));
    hall.to("attic").template on<far_apart::high>().when(hsm::no(&house::closed));
    hall.template on<hit>().when([](const house&, const hit& h) { return h.damage > 0; }).then([](house& c, const hit& h) { c.value += h.damage; });
    root.to(hall).template on<gone>();
    root.on(far_apart::low).then([](house& h, far_apart e) { h.value = static_cast<int>(e); });
});
using words_instance = hsm::constant_instance<words>;

/// Decisions by priority in both definition orders, and reactions of superstates.
constexpr auto priorities = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    auto& c = add<"c">(root);
    a.to(b).on(key::A);
    a.to(c).on(key::A).priority(2);
    b.when(&trace_context::go).then(notes<"reaction">);
    c.to(b).on(key::B).when(&trace_context::go);
});

constexpr auto choices = hsm::constant_chart<trace_context>([](auto& root) {
    auto& rest = add<"rest">(root);
    auto& m = add_machine<"m">(root);
    auto& one = add<"one">(m);
    auto& inner = add_machine<"inner">(m);
    auto& two = add<"two">(inner);
    m.dispatch(one).when(&trace_context::go);
    m.dispatch(inner).when(&trace_context::ready).then(notes<"to inner">);
    inner.dispatch(two).when(&trace_context::go);
    rest.to(m).on(key::A);
    m.to(rest).on(key::B);
    inner.to(m).on(key::C);
    inner.to(m).on(key::D).external();
});

} // namespace

TEST_CASE("an instance is a pointer and two bytes, padded") {
    struct padded {
        void* pointer;
        unsigned char bytes[2];
    };
    CHECK(sizeof(words_instance) == sizeof(padded));
    CHECK(sizeof(hsm::constant_instance<choices>) == sizeof(padded));
    CHECK(std::is_empty_v<std::remove_const_t<decltype(words)>>);
}

TEST_CASE("an instance has 16 bytes; 32 if a transition waits for completion") {
    static constexpr auto ends = hsm::constant_chart<trace_context>([](auto& root) { add<"a">(root).to(root.add_final("b")).on(key::A); });
    static constexpr auto waits = hsm::constant_chart<trace_context>([](auto& root) {
        auto& m = add_machine<"m">(root);
        add<"a">(m).to(m.add_final("b")).on(key::A);
        m.to(add<"c">(root)).on_finished();
    });
    CHECK(sizeof(hsm::constant_instance<choices>) == 2 * sizeof(void*));
    CHECK(sizeof(hsm::constant_instance<ends>) == 2 * sizeof(void*));
    CHECK(sizeof(hsm::constant_instance<waits>) == 16 + 2 * sizeof(void*));
}

TEST_CASE("hooks are lambdas, functions, members, and classes without data") {
    house h;
    words_instance agent(h);
    CHECK(agent.process(hit{1}) == hsm::result::inactive);
    CHECK(agent.start() == hsm::result::taken);
    CHECK(agent.process(hit{0}) == hsm::result::guarded);
    CHECK(agent.process(hit{4}) == hsm::result::internal);
    CHECK(h.value == 4);
    CHECK(agent.process(far_apart::high) == hsm::result::taken);
    CHECK(h.value == 10);
    CHECK(agent.is_in(place::attic));
    CHECK(agent.is_in("attic"));
    CHECK(agent.process(far_apart::high) == hsm::result::unhandled);
    CHECK(agent.process(static_cast<far_apart>(7)) == hsm::result::unhandled);
    CHECK(agent.process(gone{}) == hsm::result::taken);
    CHECK(agent.current().name() == "hall");
    CHECK(agent.process(place::attic) == hsm::result::unhandled);  // no event of this chart
    CHECK(agent.process(far_apart::low) == hsm::result::internal); // the superstate decides first
    CHECK(h.value == -1000);
    agent.stop();
    CHECK_FALSE(agent.current());
    CHECK_FALSE(agent.is_in("house"));
}

namespace {
constexpr auto mortal = hsm::constant_chart<house>([](auto& root) {
    auto& alive = root.add("alive");
    auto& asleep = root.add("asleep");
    auto& dead = root.add("dead");
    alive.to(asleep).on(far_apart::low);
    asleep.to(alive).on(far_apart::low);
    root.to(dead).on(far_apart::high).unless_in(dead, "asleep");
    root.when([](const house&) { return true; }).unless_in(dead).then([](house& h) { ++h.value; });
    root.to(alive).when([](const house& h) { return h.value > 1000; }).unless_in(asleep);
});
} // namespace

TEST_CASE("unless_in excludes states from transitions and reactions") {
    house h;
    h.value = 0;
    hsm::constant_instance<mortal> agent(h);
    agent.start();
    agent.tick(0.0);
    CHECK(h.value == 1);
    agent.process(far_apart::low);
    agent.tick(0.0);
    CHECK(h.value == 2);
    CHECK(agent.process(far_apart::high) == hsm::result::guarded);
    h.value = 2000;
    agent.tick(0.0);
    CHECK(agent.is_in("asleep"));
    agent.process(far_apart::low);
    CHECK(agent.process(far_apart::high) == hsm::result::taken);
    CHECK(agent.process(far_apart::high) == hsm::result::guarded);
    h.value = 5;
    agent.tick(0.0);
    CHECK(agent.is_in("dead"));
    CHECK(h.value == 5);
    const auto same = hsm::compile(hsm::definition_of(mortal));
    hsm::instance other{same, h};
    other.start();
    other.process(far_apart::low);
    CHECK(other.process(far_apart::high) == hsm::result::guarded);
    other.process(far_apart::low);
    CHECK(other.process(far_apart::high) == hsm::result::taken);
}

namespace {
constexpr auto climbing = hsm::constant_chart<house>([](auto& root) { root.template add<stairs>("stairs"); });
} // namespace

TEST_CASE("updates take the elapsed time") {
    house h;
    hsm::constant_instance<climbing> agent(h);
    agent.start();
    CHECK(h.value == 100);
    CHECK(agent.tick(0.5) == hsm::result::unhandled);
    CHECK(agent.update(hsm::time_span::from_seconds(0.25)) == hsm::result::unhandled);
    CHECK(agent.decide() == hsm::result::unhandled);
    CHECK(agent.tick(-1.0) == hsm::result::refused);
    CHECK(h.seconds == 0.75f);
    CHECK(agent.is_in(hsm::state_of<stairs>()));
}

TEST_CASE("state names and paths are known at compile time") {
    static_assert(words.state_count() == 5);
    house h;
    words_instance agent(h);
    agent.start();
    CHECK(agent.current().path() == "house/hall");
    CHECK(agent.is_in("house"));
    CHECK(agent.is_in("house/hall"));
    CHECK_FALSE(agent.is_in("stairs")); // the end of one path only
    CHECK_FALSE(agent.is_in("cellar/stairs"));
    CHECK(agent.is_in(agent.current()));
    CHECK(agent.current().superstate().name() == "house");
}

TEST_CASE("priorities, reactions and refusing guards have the same results as in a chart compiled at run time") {
    same_text<priorities> m;
    CHECK(m.start() == "E a");
    CHECK(m.process(key::A) == "X a, E c");
    CHECK(m.process(key::B) == "");
    CHECK(m.last() == hsm::result::guarded);
    m.set(&trace_context::go);
    CHECK(m.process(key::B) == "X c, E b");
    CHECK(m.tick() == "U b, reaction");
}

TEST_CASE("a machine whose choices all refuse rests, and chooses again in each tick") {
    same_text<choices> m;
    m.start();
    CHECK(m.process(key::A) == "X rest, E m");
    CHECK(m.path() == "root/m");
    CHECK(m.tick() == "U m");
    m.set(&trace_context::ready);
    CHECK(m.tick() == "U m, to inner, E inner, U inner");
    m.set(&trace_context::go);
    CHECK(m.tick() == "U m, U inner, E two, U two");
    CHECK(m.process(key::C) == "X two, X inner, E one");
    m.set(&trace_context::go, false);
    CHECK(m.process(key::B) == "X one, X m, E rest");
    CHECK(m.process(key::A) == "X rest, E m, to inner, E inner");
    CHECK(m.process(key::D) == "X inner, X m, E m, to inner, E inner");
    CHECK(m.stop() == "X inner, X m");
}

TEST_CASE("process in a hook returns full if the queue has no room") {
    static constexpr auto chart = hsm::constant_chart<trace_context>([](auto& root) {
        auto& a = add<"a">(root);
        root.on(key::A).then([](trace_context& w) {
            w.note(std::string(to_string(w.self->process(1))));
            w.note(std::string(to_string(w.self->process(1))));
            w.note(std::string(to_string(w.self->process(2))));
        });
        a.on(key::B).then(notes<"B">);
    });
    struct alone : player {
        trace_context w;
        hsm::constant_instance<chart, hsm::queue<1>> agent{w};
        alone() { w.self = this; }
        hsm::result process(int e) override { return agent.process(static_cast<key>(e)); }
        hsm::result stop() override { return agent.stop(); }
    } a;
    a.agent.start();
    a.w.take();
    CHECK(a.agent.process(key::A) == hsm::result::internal);
    CHECK(a.w.take() == "queued, full, unhandled, B");
}

namespace {

namespace up {
struct step {};
struct walk {};
enum class place { here };
} // namespace up
namespace down {
struct step {};
struct walk {};
enum class place { here };
} // namespace down

/// Only namespaces distinguish these types. With the undefined behavior sanitizer, types are compared by name.
constexpr auto namesakes = hsm::constant_chart<house>([](auto& root) {
    auto& a = root.template add<up::step>("a");
    auto& b = root.template add<down::step>("b");
    auto& c = root.template add<up::place::here>().named("c");
    auto& d = root.template add<down::place::here>().named("d");
    a.to(hsm::state_of<down::step>()).template on<up::walk>();
    b.to(down::place::here).template on<down::walk>();
    d.to(up::place::here).on(up::place::here);
    c.to(a).on(down::place::here);
});

} // namespace

TEST_CASE("types with the same name in different namespaces are different") {
    house h;
    hsm::constant_instance<namesakes> agent(h);
    agent.start();
    CHECK(agent.is_in(hsm::state_of<up::step>()));
    CHECK_FALSE(agent.is_in(hsm::state_of<down::step>()));
    CHECK(agent.process(down::walk{}) == hsm::result::unhandled);
    CHECK(agent.process(up::walk{}) == hsm::result::taken);
    CHECK(agent.is_in(hsm::state_of<down::step>()));
    CHECK(agent.process(down::walk{}) == hsm::result::taken);
    CHECK(agent.current().name() == "d");
    CHECK(agent.is_in(down::place::here));
    CHECK_FALSE(agent.is_in(up::place::here));
    CHECK(agent.process(down::place::here) == hsm::result::unhandled);
    CHECK(agent.process(up::place::here) == hsm::result::taken);
    CHECK(agent.current().name() == "c");
    CHECK(agent.process(down::place::here) == hsm::result::taken);
    CHECK(agent.current().name() == "a");
}

namespace {

struct boss {
    double aim = 0.5;
    bool has_arrow = true;
    double fear() const { return 0.25; }
    int charge = 0;
};
int charge_of(const boss& b) { return b.charge; }

constexpr auto attacks = hsm::constant_chart<boss>([](auto& root) {
    auto& idle = root.add("idle");
    auto& attack = root.add_fsm("attack").choose(hsm::best);
    attack.dispatch(attack.add("bite")).score([](const boss& b) { return b.aim < 0.3 ? 1 : 0; });
    attack.dispatch(attack.add("shoot")).score(&boss::aim).when(&boss::has_arrow);
    attack.dispatch(attack.add("flee")).score(&boss::fear).rank(-1);
    attack.dispatch(attack.add("charge")).score([](const boss& b) { return charge_of(b); }).rank(1);
    auto& taunt = root.add_fsm("taunt").choose(hsm::weighted);
    for (const auto* name : {"roar", "dance", "wave"}) taunt.dispatch(taunt.add(name)).weight(name[0] == 'r' ? 3 : 1);
    auto& turn = root.add_fsm("turn").choose(hsm::random);
    turn.dispatch(turn.add("left"));
    turn.dispatch(turn.add("right")).weight(0.5);
    turn.dispatch(turn.add("never")).weight(0);
    turn.initial("left");
    idle.to(attack).on('a');
    idle.to(taunt).on('t');
    idle.to(turn).on('u');
    auto& next = root.add_choice("next").choose(hsm::best);
    next.to(attack).score(&boss::aim).when(&boss::has_arrow);
    next.to(taunt).score(&boss::fear).then([](boss& b) { b.aim += 1; });
    next.otherwise(idle).then([](boss& b) { b.charge = 5; });
    auto& fate = root.add_choice("fate").choose(hsm::weighted);
    fate.to(next).weight(2);
    fate.to(idle);
    auto& plain = root.add_choice("plain");
    plain.to(taunt).when([](const boss& b) { return b.charge > 0; });
    plain.to(fate).when(&boss::has_arrow).rank(1);
    plain.otherwise(next);
    idle.to(next).on('n');
    idle.to(plain).on('p');
    idle.to(fate).on('f');
    root.to(idle).on('i');
});
using boss_instance = hsm::constant_instance<attacks>;

struct lamp {
    bool lit = false;
};
constexpr auto passages = hsm::constant_chart<lamp>([](auto& root) {
    auto& first = root.add_choice("first");
    auto& second = root.add_choice("second");
    auto& house = root.add_fsm("house");
    root.initial(first);
    first.to(house).when(&lamp::lit);
    first.otherwise(second);
    second.to(house);
    auto& door = house.add_choice("door");
    house.dispatch(door);
    door.to(house.add("bright")).when(&lamp::lit);
    door.otherwise(house.add("dark"));
    house.to(first).on('x');
});

constexpr auto resting =
    hsm::constant_chart<boss>([](auto& root) { root.choose(hsm::best).dispatch(root.add("charge")).score([](const boss& b) { return b.charge; }); });

} // namespace

TEST_CASE("a machine chooses the best candidate by rank and score, when it is entered") {
    boss b;
    boss_instance agent(b);
    agent.start();
    const auto choice = [&] {
        agent.process('i');
        agent.process('a');
        return std::string(agent.current().name());
    };
    CHECK(choice() == "shoot");
    b.aim = 0.2;
    CHECK(choice() == "bite");
    b.aim = 0.4, b.has_arrow = false;
    CHECK(choice() == "flee");
    b.charge = -1;
    CHECK(choice() == "flee");
    b.charge = 1;
    CHECK(choice() == "charge");
}

TEST_CASE("a choice of a constant chart takes the branch that the same chart takes at run time") {
    const auto chart = hsm::compile(hsm::definition_of(attacks));
    boss b, c;
    boss_instance agent(b);
    hsm::instance<boss> other(chart, c);
    agent.start();
    other.start();
    const auto choice = [&](char event, double aim, bool has_arrow, int charge) {
        b = c = {aim, has_arrow, charge};
        for (const char e : {'i', event}) agent.process(e), other.process(e);
        CHECK(agent.current().path() == other.current().path());
        CHECK(b.aim == c.aim);
        CHECK(b.charge == c.charge);
        return std::string(agent.current().path());
    };
    CHECK(choice('n', 0.7, true, 0) == "root/attack/shoot");
    CHECK(choice('n', 0.2, false, 0).starts_with("root/taunt"));
    CHECK(b.aim == 1.2);
    CHECK(choice('p', 0, true, 1) != "root/fate");
    CHECK(choice('p', 0, false, 1).starts_with("root/taunt"));
    CHECK(choice('p', 0, false, 0).starts_with("root/taunt"));
    std::set<std::string> all;
    for (int i = 0; i < 40; ++i) all.insert(choice('f', 0.7, true, 0));
    CHECK(all == std::set<std::string>{"root/attack/shoot", "root/idle"});
}

TEST_CASE("a choice is entered by initial and dispatch, and can follow another choice") {
    lamp l;
    hsm::constant_instance<passages> agent(l);
    agent.start();
    CHECK(agent.current().name() == "dark");
    l.lit = true;
    agent.process('x');
    CHECK(agent.current().name() == "bright");
    l.lit = false;
    agent.process('x');
    CHECK(agent.current().name() == "dark");
}

TEST_CASE("a constant machine without a possible candidate rests, and chooses again in each tick") {
    boss b;
    hsm::constant_instance<resting> agent(b);
    agent.start();
    CHECK(agent.current().path() == "root");
    agent.tick();
    CHECK(agent.current().path() == "root");
    b.charge = 1;
    agent.tick();
    CHECK(agent.current().name() == "charge");
}

TEST_CASE("choices by chance are those of the same chart at run time, for each seed and stream") {
    const auto chart = hsm::compile(hsm::definition_of(attacks));
    std::set<std::string> all;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (std::uint64_t stream = 0; stream < 3; ++stream) {
            boss b;
            boss_instance agent(b);
            agent.set_chance(seed, stream);
            hsm::instance<boss> other(chart, b, {.seed = seed, .stream = stream});
            agent.start();
            other.start();
            std::string found, expected;
            for (int i = 0; i < 60; ++i) {
                for (const char event : {'i', "tua"[i % 3]}) agent.process(event), other.process(event);
                found += agent.current().name();
                expected += other.current().name();
            }
            CHECK(found == expected);
            all.insert(found);
        }
    CHECK(all.size() == 9);
}
