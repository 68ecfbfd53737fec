// A guard on patrol, defined in two ways.
//
// Decoupled: states do not depend on each other. Transitions, their conditions and the hooks of states are defined
// separately; every frame first decides, then updates. Simple: a state's update returns the next state.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <algorithm>
#include <optional>
#include <string>

enum class direction { up, right, down, left };

struct patrol {
    int x = 0, y = 0;
    direction facing = direction::up;
    int turns = 0; // remaining, in this state

    void turn() { facing = static_cast<direction>((static_cast<int>(facing) + 1) % 4); }
    void step() {
        x += facing == direction::right ? 1 : facing == direction::left ? -1 : 0;
        y += facing == direction::down ? 1 : facing == direction::up ? -1 : 0;
    }
    bool is_over() const { return turns == 0; }
};

constexpr std::string_view names[] = {"up", "right", "down", "left"};

std::string report(const hsm::instance<patrol>& agent) {
    const auto& p = agent.context();
    return std::string(agent.current().name()) + " (" + std::to_string(p.x) + "," + std::to_string(p.y) + ") " +
           std::string(names[static_cast<int>(p.facing)]);
}

// [decoupled]
auto make_decoupled() {
    auto root = hsm::make_fsm<patrol>("patrol");
    auto& change = root->add("change").on_enter(&patrol::turn);
    auto& move = root->add("move").on_enter([](patrol& p) { p.turns = 2; }).on_update([](patrol& p) {
        if (p.turns == 0) return;
        --p.turns;
        p.step();
    });
    auto& wait = root->add("wait").on_enter([](patrol& p) { p.turns = 1; }).on_update([](patrol& p) {
        p.turns = std::max(p.turns, 1) - 1;
    });
    wait.to(change).when(&patrol::is_over);
    move.to(wait).when(&patrol::is_over);
    change.to(move);
    return hsm::compile(std::move(root));
}

void decoupled() {
    const auto chart = make_decoupled();
    patrol p{.facing = direction::left}; // entering change turns it up
    hsm::instance agent{chart, p};
    agent.start();
    for (const auto* wanted : {"move (0,-1) up 1", "move (0,-2) up 0", "wait (0,-2) up 0", "change (0,-2) right 0"}) {
        agent.decide();
        agent.update();
        expect("decide, update", report(agent) + " " + std::to_string(p.turns), wanted);
    }
}
// [/decoupled]

// [simple]
enum class stage { change, move, wait };

struct changing {
    stage update(patrol& p) {
        p.turn();
        return stage::move;
    }
};

struct moving {
    int turns;

    std::optional<stage> update(patrol& p) {
        if (turns == 0) return stage::wait;
        --turns;
        p.step();
        return {};
    }
};

struct waiting {
    int turns;

    std::optional<stage> update(patrol&) {
        if (turns == 0) return stage::change;
        --turns;
        return {};
    }
};

auto make_simple() {
    auto root = hsm::make_fsm<patrol>("patrol");
    root->add<stage::change, changing>();
    root->add<stage::move, moving>(2);
    root->add<stage::wait, waiting>(1);
    return hsm::compile(std::move(root));
}

void simple() {
    const auto chart = make_simple();
    patrol p; // facing up; the first update turns it
    hsm::instance agent{chart, p};
    agent.start();
    for (const auto* wanted : {"move (0,0) right", "move (1,0) right", "move (2,0) right", "wait (2,0) right",
                               "wait (2,0) right", "change (2,0) right"}) {
        agent.tick();
        expect("tick", report(agent), wanted);
    }
}
// [/simple]

int main() {
    std::puts("states that do not name each other");
    decoupled();
    std::puts("\nstates that name their successor");
    simple();
}
