// Parallel regions: a knight whose legs, arms and mood are separate machines, all active at the same time.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <string>

struct knight {
    std::string log;
};
struct press {};
struct hit {
    int damage;
};
struct rally {};
struct knock_out {};

/// Returns "legs/stand arms/free": one name for each region.
std::string active(const hsm::instance<knight>& agent) {
    std::string text;
    for (const auto leaf : agent.leaves()) {
        const auto path = leaf.path();
        text += (text.empty() ? "" : " ") + path.substr(path.find('/', path.find('/') + 1) + 1);
    }
    return text;
}

int main() {
    // [parallel]
    auto root = hsm::make_fsm<knight>("knight");
    auto& fight = root->add_parallel("fight");

    auto& legs = fight.add_fsm("legs");
    auto& stand = legs.add("stand");
    auto& run = legs.add("run");
    auto& fallen = legs.add("fallen");

    auto& arms = fight.add_fsm("arms");
    auto& free = arms.add("free");
    auto& guard = arms.add("guard");
    auto& swing = arms.add("swing");

    auto& down = root->add("down");

    stand.to(run).on<press>(); // two regions handle the same event
    free.to(swing).on<press>();
    swing.to(free).on<hit>();
    run.to(fallen).on<hit>();
    fight.to(stand, guard).on<rally>(); // a fork: a target in each region
    fight.to(down)
        .on<knock_out>()
        .in(fallen, free) // a join: fires only while both are active
        .then([](knight& k) { k.log += "down "; });
    down.to(fight).on<rally>();
    // [/parallel]

    fight.on_exit([](knight& k) { k.log += "leaves the fight "; });
    legs.on_exit([](knight& k) { k.log += "legs "; });
    arms.on_exit([](knight& k) { k.log += "arms "; });

    const auto chart = hsm::compile(std::move(root));
    knight k;
    hsm::instance agent{chart, k};
    agent.start();
    expect("start", active(agent), "legs/stand arms/free");
    expect("current", agent.current().path(), "knight/fight"); // the innermost state that contains all leaves

    agent.process(press{});
    expect("press", active(agent), "legs/run arms/swing");
    expect("knock out", to_string(agent.process(knock_out{})), "guarded");
    agent.process(hit{3});
    expect("hit", active(agent), "legs/fallen arms/free");
    agent.process(knock_out{});
    expect("knock out", agent.current().name(), "down");
    expect("order of the exits", k.log, "arms legs leaves the fight down "); // regions are exited in reverse order
    agent.process(rally{});
    expect("rally", active(agent), "legs/stand arms/free");
    agent.process(press{});
    agent.process(rally{});
    expect("rally in the fight", active(agent), "legs/stand arms/guard");
}
