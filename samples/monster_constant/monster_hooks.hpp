// The code for monster.xml: the context of its machine, and its functions. `hsm generate` wrote the first version of
// this file; members, function bodies and a helper were added by hand.
#pragma once

namespace monster {

struct context {
    int now = 0, entered = 0; // milliseconds; when the active state was entered
    bool sees_target = false, dead = false, target_dead = false;
    int chases = 0;

    int age() const { return now - entered; }
};

namespace guards {

// [guards]
/// monster.xml:8: guard of MonsterFSM/search
inline bool noTarget(const context& c) { return !c.sees_target; }

/// monster.xml:9: guard of MonsterFSM/search
inline bool hasTarget(const context& c) { return c.sees_target; }
// [/guards]

/// monster.xml:12: guard of MonsterFSM/idle
inline bool timeUp_2(const context& c) { return c.age() >= 1000; }

/// monster.xml:13: guard of MonsterFSM/idle
/// monster.xml:17: guard of MonsterFSM/chase
inline bool agentDead(const context& c) { return c.dead; }

/// monster.xml:16: guard of MonsterFSM/chase
inline bool timeUp(const context& c) { return c.age() >= 2000; }

/// monster.xml:18: guard of MonsterFSM/chase
inline bool tooLong(const context& c) { return c.chases >= 4; }

/// monster.xml:19: guard of MonsterFSM/chase
inline bool targetDead(const context& c) { return c.target_dead; }

} // namespace guards

namespace hooks {

/// monster.xml:7: enter of MonsterFSM/search
/// monster.xml:11: enter of MonsterFSM/idle
/// monster.xml:15: enter of MonsterFSM/chase
inline void entered(context& c) { c.entered = c.now; }

/// monster.xml:15: enter of MonsterFSM/chase
inline void countChase(context& c) { ++c.chases; }

/// monster.xml:21: enter of MonsterFSM/reset
inline void forgetChases(context& c) { c.chases = 0; }

} // namespace hooks

} // namespace monster
