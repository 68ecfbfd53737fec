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
    auto& anywhere = play.add_deep_history("anywhere"); // as a target: the leaf in which play was left
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
    expect("and on", after(input::over), "game/play/water/dive");
    expect("what it said", h.log, "a deep breath. still under water. ");
    expect("the menu", after(input::menu), "game/menu/items");
    expect("its next page", after(input::menu), "game/menu/map");
    expect("back to the game", after(input::back), "game/play/water/dive");
    expect("the menu again", after(input::menu), "game/menu/map");
    expect("a new life", after(input::back, input::die, input::back), "game/play/walk");
}
