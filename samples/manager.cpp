// A small world with named machines: guards who patrol, hear the alert and die, and a menu in real time while the game
// is in slow motion.

#include <hsm/hsm.hpp>
#include <hsm/manage/manager.hpp>

#include "expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

struct alert {};
struct hit {
    int force;
};

// [guard]
struct guard {
    hsm::manager& world;
    std::string name;
    int life = 10;
    std::string log = {};
};

struct patrol : hsm::state<guard> {
    patrol() : state("patrol") {}
};
struct fight : hsm::fsm<guard> {
    fight() : fsm("fight") {
        auto& draw = add("draw");
        draw.to(add("strike")).after(300ms);
    }
};

auto make_guard() {
    auto root = hsm::make_fsm<guard>("guard");
    root->on_init([](guard& g) { g.log += "arrives. "; }).on_destroy([](guard& g) { g.log += "is gone. "; });
    auto& walks = root->add<patrol>();
    auto& fights = root->add<fight>();
    auto& dying = root->add("dying").on_update([](guard& g) {
        g.world.remove(g.name); // itself: it exists until this update is complete
        g.log += "sighs. ";
    });
    walks.to(fights).on<alert>();
    root->on<hit>().then([](guard& g, const hit& h) { g.life -= h.force; });
    root->to(dying).when([](const guard& g) { return g.life <= 0; });
    return hsm::compile(std::move(root));
}
// [/guard]

struct menu {
    int page = 0;
};

auto make_menu() {
    auto root = hsm::make_fsm<menu>("menu");
    root->add("open").every(1s).then([](menu& m) { ++m.page; });
    return hsm::compile(std::move(root));
}

int main() {
    // [use]
    hsm::manager world;
    const auto chart = make_guard();
    guard anna{world, "anna"}, ben{world, "ben"};
    menu pages;

    auto a = world.create("anna", chart, anna);     // a handle: hsm::managed<guard>
    world.create("ben", chart, ben).start<fight>(); // by class; also by path or enumerator
    world.create("menu", make_menu(), pages).use_real_time();
    a.start();
    world.get("menu").start();

    world.update(16ms);                          // ticks all running machines, in the order of creation
    const auto heard = world.broadcast(alert{}); // heard[hsm::result::taken] == 1
    a.change_state("fight/strike");
    a->process(hit{4}); // -> is the instance
    // [/use]
    expect("guards that reacted", std::to_string(heard[hsm::result::taken]), "1");
    expect("anna", a->current().path(), "guard/fight/strike");
    expect("ben", world.get("ben")->current().path(), "guard/fight/draw");

    std::puts("\nslow motion: a tenth of the time, but not for the menu");
    for (int frame = 0; frame < 20; ++frame) world.update(10ms, 100ms);
    expect("ben draws", world.get("ben")->current().path(), "guard/fight/draw");
    expect("pages seen in 2 s", std::to_string(pages.page), "2");

    std::puts("\na guard removes himself");
    world.get<guard>("ben")->process(hit{20});
    world.update(16ms);
    expect("ben", ben.log, "arrives. sighs. is gone. ");
    expect("ben exists", world.has("ben") ? "yes" : "no", "no");
    expect("guards", std::to_string(world.count<guard>()), "1");
    expect("the only guard", world.get<guard>().name(), "anna");

    std::puts("\nerrors");
    try {
        world.create("anna", chart, ben);
    } catch (const hsm::manager_error& e) {
        expect("a second anna", hsm::to_string(e.number()), "HSM-211");
    }
    try {
        a.start();
    } catch (const hsm::manager_error& e) {
        expect("a second start", hsm::to_string(e.number()), "HSM-216");
    }
    world.shutdown();
    expect("anna's handle", a ? "valid" : "stale", "stale");
    expect("anna", anna.log, "arrives. is gone. ");
}
