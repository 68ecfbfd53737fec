/// A machine with something of everything that can be saved.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/save/serialize.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace test {

struct hit {
    int power = 0;
};
/// With memory of its own.
struct shout {
    std::string word;
};
template <class A> void serialize(A& archive, shout& s) { archive("word", s.word); }
enum class stance { low, high };

struct combo {
    int hits = 0;
    double reach = 1.5;
    std::string last = "none";
    std::vector<int> marks;
};
template <class A> void serialize(A& archive, combo& c) { archive("hits", c.hits)("reach", c.reach)("last", c.last)("marks", c.marks); }

/// Its bytes are its value.
struct pause {
    int left = 7;
};

struct fighter {
    int shouts = 0;
    std::string last;
    combo* mine = nullptr;
};
inline combo& combo_of(hsm::instance_base& agent, fighter& f) {
    agent.process("look");
    return *f.mine;
}

/// fighter {idle, fight {legs {stand, walk}, arms {guard, slash: a combo, holds for 200 ms, rest}}, stunned}; `more` is said last.
template <class More> hsm::chart<fighter> fighter_chart(const More& more) {
    using namespace std::chrono_literals;
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& idle = root->add("idle").template defer<shout>();
    auto& fight = root->add_parallel("fight").remembers_deep();
    auto& legs = fight.add_fsm("legs");
    auto& stand = legs.add("stand");
    auto& walk = legs.add("walk");
    auto& arms = fight.add_fsm("arms");
    auto& guard = arms.add("guard");
    auto& slash = arms.add("slash").min_duration(200ms).template local<combo>();
    auto& rest = arms.add("rest").template local<pause>();
    auto& stunned = root->add("stunned");
    idle.to(fight).template on<hit>();
    stand.to(walk).on(stance::high).when("CanWalk");
    walk.to(stand).on(stance::low);
    guard.to(slash).template on<hit>();
    slash.to(rest).template on<shout>().then([](fighter& f, const shout& s) { f.last = s.word; });
    slash.to(guard).after(500ms);
    slash.on("look").then([](fighter& f, combo& c) { f.mine = &c; });
    rest.every(100ms).then([](fighter& f) { ++f.shouts; });
    rest.to(guard).after(1s);
    fight.to(stunned).on("stun");
    stunned.to(fight).on("wake");
    stunned.to(idle).on(stance::low);
    guard.template on<shout>().then([](fighter& f, const shout& s) { f.last = s.word; });
    hsm::serializes<combo, shout>(*root);
    more(*root);
    return hsm::compile(std::move(root));
}
inline hsm::chart<fighter> fighter_chart() {
    return fighter_chart([](auto&) {});
}

/// In the middle of a slash, with something of everything.
inline void fight(hsm::instance<fighter>& agent, fighter& f) {
    using namespace std::chrono_literals;
    agent.start();
    agent.tick(40ms);
    agent.process(hit{1});
    agent.tick(10ms);
    agent.process(hit{2});
    combo_of(agent, f) = {3, 1.5, "none", {4, 5}};
    agent.pulse("CanWalk");
    agent.tick(30ms);
    agent.set("CanWalk");
    agent.process(shout{"pending"});
    agent.post(hit{9});
    agent.post(stance::high);
    agent.post("wake");
    agent.set_time_scale(1.5);
}

} // namespace test
