/// What samples/data/monster.xml names, for W13: as in the sample monster_constant, and counted.
#pragma once

#include "../bench.hpp"

namespace monster {

struct context {
    int now = 0, entered = 0; // milliseconds
    bool sees_target = false, dead = false, target_dead = false;
    int chases = 0;

    int age() const { return now - entered; }
};

namespace guards {
inline bool noTarget(const context& c) { return !c.sees_target; }
inline bool hasTarget(const context& c) { return c.sees_target; }
inline bool timeUp_2(const context& c) { return c.age() >= 1000; }
inline bool agentDead(const context& c) { return c.dead; }
inline bool timeUp(const context& c) { return c.age() >= 2000; }
inline bool tooLong(const context& c) { return c.chases >= 4; }
inline bool targetDead(const context& c) { return c.target_dead; }
} // namespace guards

namespace hooks {
inline void entered(context& c) {
    bench::count(0);
    c.entered = c.now;
}
inline void countChase(context& c) {
    bench::count(1);
    ++c.chases;
}
inline void forgetChases(context& c) {
    bench::count(2);
    c.chases = 0;
}
} // namespace hooks

} // namespace monster
