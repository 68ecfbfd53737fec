/// The machine in tests of records.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/run/attachment.hpp>

#include <chrono>
#include <string>

namespace test {

struct hit {
    int strength = 1;
};
inline std::string describe(const hit& h) { return "hit of " + std::to_string(h.strength); }
struct rest {};

struct hero {
    int life = 3;
    bool armed = true;
};

/// hero 0 {idle 1, fight 2 {slash 3, block 4}, dead 5}
inline hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& idle = root->add("idle").on_update([](hero&) {});
    auto& fight = root->add_fsm("fight");
    auto& slash = fight.add("slash");
    auto& block = fight.add("block");
    auto& dead = root->add("dead");
    idle.to(fight).on<hit>().when([](const hero& h) { return h.armed; }).then([](hero& h, const hit& x) { h.life -= x.strength; });
    slash.to(block).after(std::chrono::milliseconds(10));
    block.to(slash).after(std::chrono::milliseconds(10));
    fight.to(idle).on<rest>();
    root->to(dead).when([](const hero& h) { return h.life <= 0; });
    return hsm::compile(std::move(root));
}

/// hero 0 {body 1 {legs 2 {stand 3, walk 4}, arms 5 {low 6, high 7}}}
inline hsm::chart<hero> two_regions_chart() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& body = root->add_parallel("body");
    auto& legs = body.add_fsm("legs");
    auto& stand = legs.add("stand");
    auto& walk = legs.add("walk");
    auto& arms = body.add_fsm("arms");
    auto& low = arms.add("low");
    auto& high = arms.add("high");
    stand.to(walk).on<hit>();
    walk.to(stand).on<rest>();
    low.to(high).on<hit>();
    high.to(low).on<rest>();
    return hsm::compile(std::move(root));
}

} // namespace test
