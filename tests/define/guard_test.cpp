// Every form of guard, and their composition.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>

using namespace test;

namespace {

struct creature {
    int health = 10;
};

enum class mode { calm, angry };

struct hero : recorder, creature {
    bool grounded = false;
    int arrows = 0;
    std::unique_ptr<int> sword;
    bool can_jump() const { return grounded && health > 0; }
    bool armed() const noexcept { return sword != nullptr; }
    bool survives(const struct hit& h) const;
};

struct hit {
    int damage = 0;
    bool deadly() const { return damage > 5; }
};

bool hero::survives(const hit& h) const { return h.damage < health; }

struct combo {
    int count = 0;
    bool ready = false;
    bool full() const { return count >= 3; }
    bool reaches(const hero& h) const { return count >= h.arrows; }
};

bool is_alive(const hero& h) { return h.health > 0; }
bool is_calm(const creature& c) noexcept { return c.health >= 10; }

struct at_least {
    int health;
    bool operator()(const hero& h) const { return h.health >= health; }
};

template <int> struct part {};
template <int N> bool holds(const part<N>&) { return true; }

/// Does the polled transition fire that this guard watches over? Its source has a combo.
bool lets(auto guard, hero context = {}, combo prototype = {}) {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add<combo>("A", prototype.count, prototype.ready);
    auto& b = root->add("B");
    a.to(b).when(std::move(guard));
    const auto chart = hsm::compile(std::move(root));
    hsm::instance agent{chart, context};
    agent.start();
    agent.tick();
    return agent.is_in(b);
}

/// The same for an event's transition.
bool lets_event(auto guard, const hit& event, hero context = {}) {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add<combo>("A");
    auto& b = root->add("B");
    a.to(b).template on<hit>().when(std::move(guard));
    const auto chart = hsm::compile(std::move(root));
    hsm::instance agent{chart, context};
    agent.start();
    return agent.process(event) == hsm::result::taken;
}

hero with_health(int health) {
    hero h;
    h.health = health;
    return h;
}
hero on_ground() {
    hero h;
    h.grounded = true;
    return h;
}
constexpr auto yes = [] { return true; };
constexpr auto never = [] { return false; };

} // namespace

TEST_CASE("a guard is any callable that takes the context, a base of it, or no parameters") {
    CHECK(lets([](const hero& h) { return h.health == 10; }));
    CHECK_FALSE(lets([](const hero& h) { return h.health == 11; }));
    CHECK(lets(is_alive));
    CHECK_FALSE(lets(&is_alive, with_health(0)));
    CHECK(lets(is_calm));
    CHECK_FALSE(lets(is_calm, with_health(9)));
    CHECK(lets(at_least{10}));
    CHECK_FALSE(lets(at_least{11}));
    CHECK(lets([](const creature& c) { return c.health == 10; }));
    CHECK(lets([](const auto& h) { return h.can_jump(); }, on_ground()));
    CHECK(lets(yes));
    CHECK_FALSE(lets(never));
}

TEST_CASE("a guard keeps its captures, also move-only ones") {
    const std::string word = "a word that does not fit into a small string";
    CHECK(lets([word](const hero&) { return word.size() == 44; }));
    CHECK(lets([limit = std::make_unique<int>(10)](const hero& h) { return h.health == *limit; }));
}

TEST_CASE("a guard can return any type that converts to bool") {
    hero armed;
    armed.sword = std::make_unique<int>();
    CHECK(lets([](const hero& h) { return h.health; }));
    CHECK_FALSE(lets([](const hero& h) { return h.arrows; }));
    CHECK(lets([](const hero& h) { return h.sword.get(); }, std::move(armed)));
    CHECK(lets([](const hero&) { return std::optional(false); })); // there is a value
}

TEST_CASE("a data member of the context, of a base, or of a local can be a guard") {
    CHECK(lets(&hero::grounded, on_ground()));
    CHECK_FALSE(lets(&hero::grounded));
    CHECK(lets(&creature::health));
    CHECK_FALSE(lets(&hero::health, with_health(0)));
    CHECK_FALSE(lets(&hero::arrows));
    CHECK_FALSE(lets(&hero::sword));
    CHECK(lets(&combo::ready, {}, {0, true}));
    CHECK_FALSE(lets(&combo::ready));
}

TEST_CASE("a member function of the context, or of a local, can be a guard") {
    CHECK(lets(&hero::can_jump, on_ground()));
    CHECK_FALSE(lets(&hero::can_jump));
    CHECK_FALSE(lets(&hero::armed));
    CHECK(lets(&combo::full, {}, {3, false}));
    CHECK_FALSE(lets(&combo::full));
    CHECK(lets(&combo::reaches));
}

TEST_CASE("a guard can take a local, and also the context, in any order") {
    CHECK(lets([](const combo& c) { return c.count == 2; }, {}, {2, false}));
    CHECK(lets([](const combo& c, const hero& h) { return c.count < h.health; }));
    CHECK(lets([](const hero& h, const combo& c) { return c.count < h.health; }));
}

TEST_CASE("a guard can take the local of a superstate") {
    auto root = hsm::make_fsm<hero>("R");
    root->local<combo>(3);
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(&combo::full);
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.tick();
    CHECK(agent.is_in(b));
}

TEST_CASE("after on<Event>(), a guard can take the event in any position, or be a member of the event or of the context") {
    CHECK(lets_event([](const hero&, const hit& e) { return e.damage == 3; }, {3}));
    CHECK_FALSE(lets_event([](const hero&, const hit& e) { return e.damage == 3; }, {4}));
    CHECK(lets_event([](const hit& e, const hero& h) { return e.damage < h.health; }, {3}));
    CHECK(lets_event([](const hit& e) { return e.damage == 3; }, {3}));
    CHECK(lets_event([](hit e) { return e.damage == 3; }, {3}));
    CHECK(lets_event([](const hit& e, const combo& c, const hero&) { return e.damage > c.count; }, {3}));
    CHECK(lets_event([](const auto&, const auto& e) { return e.damage == 3; }, {3}));
    CHECK(lets_event([](const auto& h) { return h.health == 10; }, {3}));
    CHECK(lets_event(&hero::survives, {3}));
    CHECK_FALSE(lets_event(&hero::survives, {30}));
    CHECK(lets_event(&hit::deadly, {30}));
    CHECK_FALSE(lets_event(&hit::deadly, {3}));
    CHECK(lets_event(&hit::damage, {3}));
    CHECK_FALSE(lets_event(&hit::damage, {0}));
}

TEST_CASE("a guard on an enumerator event can take the enumerator") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A");
    a.on<mode::angry>().when([](const hero&, mode m) { return m == mode::angry; }).then([](hero& h, mode m) {
        h.note(m == mode::angry ? "angry" : "calm");
    });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    CHECK(agent.process(mode::angry) == hsm::result::internal);
    CHECK(h.take() == "angry");
    CHECK(agent.process(mode::calm) == hsm::result::unhandled);
}

TEST_CASE("all, any and no combine guards") {
    using namespace hsm;
    CHECK(lets(all(yes, yes)));
    CHECK_FALSE(lets(all(yes, never)));
    CHECK_FALSE(lets(all(never, yes)));
    CHECK(lets(any(never, yes)));
    CHECK_FALSE(lets(any(never, never)));
    CHECK(lets(no(never)));
    CHECK_FALSE(lets(no(yes)));
    CHECK(lets(all(yes)));
    CHECK_FALSE(lets(any(never)));
    CHECK(lets(all()));
    CHECK_FALSE(lets(any()));
}

TEST_CASE("all, any and no take every form of guard, and can be nested") {
    using namespace hsm;
    const auto strong = [limit = std::string("12345")](const hero& h) { return h.health > int(limit.size()); };
    CHECK(lets(all(&hero::grounded, is_alive, &hero::can_jump, strong, at_least{1}, &combo::full), on_ground(), {3, false}));
    CHECK_FALSE(lets(all(&hero::grounded, is_alive, strong, &combo::full), on_ground(), {2, false}));
    CHECK(lets(any(&hero::grounded, no(is_alive), all(strong, no(&combo::full)))));
    CHECK_FALSE(lets(no(any(&hero::grounded, no(is_alive), all(strong, no(&combo::full))))));
    CHECK(lets(no(no(no(&hero::grounded)))));
    CHECK(lets_event(all([](const hit& e) { return e.deadly(); }, no(&hero::survives)), {12}));
    CHECK_FALSE(lets_event(all([](const hit& e) { return e.deadly(); }, no(&hero::survives)), {7}));
    CHECK(lets_event(any([](const auto& h) { return h.grounded; }, [](const auto&, const auto& e) { return e.deadly(); }), {7}));
}

TEST_CASE("the guards of a group are called from left to right, and only as far as needed") {
    using namespace hsm;
    std::string asked;
    const auto part = [&asked](char name, bool answer) { return [&asked, name, answer] { return asked += name, answer; }; };
    CHECK_FALSE(lets(all(part('a', true), part('b', false), part('c', true))));
    CHECK(lets(any(part('d', false), part('e', true), part('f', true))));
    CHECK(asked == "abde");
}

TEST_CASE("the guards of several when() calls must all hold, and are called in order") {
    std::string asked;
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b)
        .when([&asked](const recorder&) { return asked += '1', true; })
        .when([&asked](const recorder& r) { return asked += '2', r.go; })
        .when([&asked](const recorder&) { return asked += '3', true; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(asked == "12");
    CHECK(agent.is_in(a));
    r.go = true;
    agent.tick();
    CHECK(asked == "12123");
    CHECK(agent.is_in(b));
}

TEST_CASE("all parts of a guard together can take 16 locals, and so can each further guard") {
    auto root = hsm::make_fsm<hero>("R");
    const auto give = [&]<int... N>(std::integer_sequence<int, N...>) {
        (root->local<part<N>>(), ...);
        return hsm::all(holds<N>...);
    };
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto all = give(std::make_integer_sequence<int, 16>());
    a.to(b).when(all).when(hsm::any(all, [](const hero&) { return false; }));
    CHECK(a.transitions()[0]->guards[0].needs().local_count == 16);
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.tick();
    CHECK(agent.current() == b);
}
