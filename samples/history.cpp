// History: a cutscene and a menu interrupt the game, which then continues where it was.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <string>

enum class input { dive, surface, swim, land, cutscene, over, menu, back, die };

struct hero {
    std::string log;
};

// [history]
auto make_game() {
    auto root = hsm::make_fsm<hero>("game");
    auto& play = root->add_fsm("play");
    auto& walk = play.add("walk");
    auto& water = play.add_fsm("water");
    auto& swim = water.add("swim");
    auto& dive = water.add("dive").on_enter([](hero& h, hsm::step<hero>& s) {
        h.log += s.reason() == hsm::reason::history ? "still under water. " : "a deep breath. ";
    });
    auto& anywhere = play.add_deep_history("anywhere"); // as a target: the last active leaf of play
    auto& cutscene = root->add("cutscene");
    auto& menu = root->add_fsm("menu").remembers(); // when entered again, it shows the page that was open
    auto& items = menu.add("items");
    auto& map = menu.add("map");
    auto& dead = root->add("dead");

    walk.to(water).on<input::swim>();
    water.to(walk).on<input::land>();
    swim.to(dive).on<input::dive>();
    dive.to(swim).on<input::surface>();
    anywhere.otherwise(walk);

    play.to(cutscene).on<input::cutscene>();
    cutscene.to(anywhere).on<input::over>();
    play.to(menu).on<input::menu>();
    items.to(map).on<input::menu>();
    menu.to(anywhere).on<input::back>();
    play.to(dead).on<input::die>();
    dead.to(play).on<input::back>(); // without history: starts again
    return hsm::compile(std::move(root));
}
// [/history]

// [previous]
enum class weapon { sword, bow, torch, previous };

auto make_hand() {
    auto root = hsm::make_fsm<hero>("hand");
    auto& sword = root->add("sword");
    auto& bow = root->add("bow");
    auto& torch = root->add("torch");
    auto& previous = root->add_previous("previous"); // as a target: the weapon before the current one

    root->to(sword).on<weapon::sword>();
    root->to(bow).on<weapon::bow>();
    root->to(torch).on<weapon::torch>();
    root->to(previous).on<weapon::previous>();
    return hsm::compile(std::move(root));
}
// [/previous]

int main() {
    const auto chart = make_game();
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    const auto after = [&](auto... inputs) {
        (agent.process(inputs), ...);
        return agent.current().path();
    };
    expect("into the water", after(input::swim, input::dive), "game/play/water/dive");
    expect("a cutscene", after(input::cutscene), "game/cutscene");
    expect("after the cutscene", after(input::over), "game/play/water/dive");
    expect("log", h.log, "a deep breath. still under water. ");
    expect("the menu", after(input::menu), "game/menu/items");
    expect("the next page", after(input::menu), "game/menu/map");
    expect("back to the game", after(input::back), "game/play/water/dive");
    expect("the menu again", after(input::menu), "game/menu/map");
    expect("a new life", after(input::back, input::die, input::back), "game/play/walk");

    const auto hand_chart = make_hand();
    hsm::instance hand{hand_chart, h};
    hand.start();
    const auto drawn = [&](auto... weapons) {
        (hand.process(weapons), ...);
        return hand.current().path();
    };
    expect("the weapon before the torch", drawn(weapon::bow, weapon::torch, weapon::previous), "hand/bow");
    expect("the weapon before the bow", drawn(weapon::previous), "hand/torch");
}
