// Actors: a context and its instance in one object.

#include <hsm/run/actor.hpp>

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_instance.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct hit {
    int damage = 0;
};

/// Hooks write into it, so its contents show whose hook ran.
struct enemy {
    std::string name;
    int life = 3;
    std::string log = {};
};

struct arm {
    int strength = 1;
};
struct soldier {
    explicit soldier(int n) : number(n) {}
    int number;
    arm right;
    std::unique_ptr<int> cannot_be_copied = {};
};

hsm::chart<enemy> chart_of_enemies() {
    auto root = hsm::make_fsm<enemy>("enemy");
    auto& calm = root->add("calm").on_update([](enemy& e) { e.log += "c"; });
    auto& angry = root->add("angry").on_enter([](enemy& e) { e.log += "!"; });
    auto& dead = root->add_final("dead");
    calm.to(angry).on<hit>().then([](enemy& e, const hit& h) { e.life -= h.damage; });
    root->to(dead).when([](const enemy& e) { return e.life <= 0; }).priority(9);
    return hsm::compile(std::move(root));
}

std::string at(const hsm::actor<enemy>& e) { return e->name + ":" + e->log + std::to_string(e->life) + (e.is_in("angry") ? " angry" : ""); }

} // namespace

TEST_CASE("an actor is only a context and an instance") {
    static_assert(sizeof(hsm::actor<enemy>) == sizeof(enemy) + sizeof(hsm::instance<enemy>));
    static_assert(!std::is_copy_constructible_v<hsm::actor<enemy>>);
    static_assert(std::is_nothrow_move_constructible_v<hsm::actor<enemy>>);
    const auto chart = chart_of_enemies();
    hsm::actor<enemy> e(chart, "orc", 5);
    CHECK(e->name == "orc");
    CHECK(e->life == 5);
    CHECK(&e.machine().context() == &*e);
    CHECK(e.start() == hsm::result::taken);
    CHECK(e.process(hit{2}) == hsm::result::taken);
    CHECK(e->life == 3);
    e->life = 0;
    CHECK(e.tick() == hsm::result::taken);
    CHECK(e.machine().current().name() == "dead");
}

TEST_CASE("an actor moves with its machine: a vector of actors grows, erases and sorts") {
    const auto chart = chart_of_enemies();
    std::vector<hsm::actor<enemy>> wave;
    for (const auto* const name : {"d", "b", "a", "c"}) {
        wave.emplace_back(chart, name).start(); // grows at 1, 2 and 4
        if (wave.size() == 2) wave[1].process(hit{1});
    }
    CHECK(at(wave[1]) == "b:!2 angry");
    wave.erase(wave.begin());
    for (auto& e : wave) e.tick();
    CHECK(at(wave[0]) == "b:!2 angry");
    CHECK(at(wave[1]) == "a:c3");
    wave[2].process(hit{2});
    std::ranges::sort(wave, {}, [](const auto& e) { return e->name; });
    CHECK(at(wave[0]) == "a:c3");
    CHECK(at(wave[1]) == "b:!2 angry");
    CHECK(at(wave[2]) == "c:c!1 angry");
    for (auto& e : wave) e.process(hit{1});
    CHECK(at(wave[0]) == "a:c!2 angry");
    CHECK(at(wave[2]) == "c:c!1 angry");
    for (auto& e : wave) CHECK(&e.machine().context() == &*e);
    std::swap(wave[0], wave[2]);
    CHECK(at(wave[0]) == "c:c!1 angry");
    auto& same = wave[0];
    wave[0] = std::move(same);
    CHECK(at(wave[0]) == "c:c!1 angry");
}

TEST_CASE("machines whose context is a part of an actor's context find that part after a move") {
    auto root = hsm::make_fsm<soldier>("soldier");
    auto& fists = root->add<hsm::fsm<arm>>(&soldier::right, "fists");
    fists.add("open").on_update([](arm& a) { ++a.strength; });
    const auto chart = hsm::compile(std::move(root));
    hsm::actor<soldier> first(chart, hsm::instance_options{.posted_queue = 0}, 1);
    first.start();
    first.tick();
    auto second = std::move(first);
    second.tick();
    CHECK(second->number == 1);
    CHECK(second->right.strength == 3);
    CHECK(&second.machine().context() == &*second);
}

TEST_CASE("an object that moves its context rebinds the instance") {
    const auto chart = chart_of_enemies();
    auto here = std::make_unique<enemy>(enemy{"here"});
    hsm::instance agent(chart, *here);
    agent.start();
    enemy there = std::move(*here);
    CHECK(agent.rebind(there) == hsm::result::taken);
    here.reset();
    CHECK(&agent.context() == &there);
    agent.process(hit{1});
    CHECK(there.life == 2);
}

TEST_CASE("a moved-from object refers to nothing, and can be moved and assigned again") {
    const auto chart = chart_of_enemies();
    enemy e{"e"}, other{"other"};
    hsm::instance agent(chart, e);
    agent.start();
    hsm::instance taken = std::move(agent);
    CHECK(agent.rebind(other) == hsm::result::inactive);
    CHECK(&taken.context() == &e);
    hsm::actor<enemy> first(chart, "first");
    first.start();
    hsm::actor<enemy> second = std::move(first);
    hsm::actor<enemy> third = std::move(first); // refers to nothing
    third = std::move(second);
    third.process(hit{1});
    CHECK(at(third) == "first:!2 angry");
}

TEST_CASE("rebind inside a hook is busy") {
    struct moving {
        hsm::instance<moving>* agent = nullptr;
        moving* other = nullptr;
        hsm::result outcome = hsm::result::taken;
    };
    auto root = hsm::make_fsm<moving>("R");
    root->add("a").on_update([](moving& m) { m.outcome = m.agent->rebind(*m.other); });
    const auto chart = hsm::compile(std::move(root));
    moving m, other;
    hsm::instance agent(chart, m);
    m.agent = &agent;
    m.other = &other;
    agent.start();
    agent.tick();
    CHECK(m.outcome == hsm::result::busy);
    CHECK(&agent.context() == &m);
}

namespace {

/// Only std::addressof can take its address.
struct unaddressed {
    void operator&() const = delete;
};
struct blow : unaddressed {
    int force = 2;
};
struct scar : unaddressed {
    int depth = 1;
};
struct head : unaddressed {
    int dents = 0;
};
struct knight : unaddressed {
    int life = 20;
    head top = {};
};
struct helmet : hsm::fsm<head> {
    helmet() : fsm("helmet") {
        add("worn").on<blow>().then([](head& h, const blow& b) { h.dents += b.force; });
    }
};

hsm::chart<knight> knight_chart() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& stands = root->add("stands").local<scar>();
    stands.on<blow>().when([](const knight& k, const blow& b) { return k.life > b.force; }).then([](knight& k, const blow& b, scar& s) {
        k.life -= b.force + s.depth;
    });
    root->add_parallel("armor").add<helmet>(&knight::top);
    stands.to("armor").when([](const knight& k) { return k.life < 10; });
    return hsm::compile(std::move(root));
}

constexpr auto constant_knight =
    hsm::constant_chart<knight>([](auto& root) { root.add("stands").template on<blow>().then([](knight& k, const blow& b) { k.life -= b.force; }); });

} // namespace

TEST_CASE("classes of contexts, events and locals may overload the unary operator &") {
    const auto chart = knight_chart();
    knight k;
    hsm::instance agent(chart, k);
    agent.start();
    const blow b;
    CHECK(agent.process(b) == hsm::result::internal);
    CHECK(agent.process(blow()) == hsm::result::internal);
    CHECK(agent.post(b) == hsm::result::queued);
    agent.drain();
    CHECK(agent.process(std::variant<blow>(b)) == hsm::result::internal);
    CHECK(k.life == 8);
    agent.tick();
    agent.process(b);
    CHECK(k.top.dents == 2);
    agent.rebind(k);

    hsm::actor<knight> one(chart);
    one.start();
    one.process(b);
    CHECK(one->life == 17);

    hsm::crowd<knight> herd(chart);
    const auto id = herd.add();
    herd.process_all(b);
    herd.post_all(b);
    herd.tick();
    CHECK(herd.context(id).life == 14);

    hsm::manager machines;
    knight managed;
    machines.create("knight", chart, managed).start();
    machines.broadcast(b);
    CHECK(managed.life == 17);

    knight constant;
    hsm::constant_instance<constant_knight> fixed(constant);
    fixed.start();
    fixed.process(b);
    CHECK(constant.life == 18);
}
