/// A model of the agents of the soak test's crowd.
#pragma once

#include <hsm/crowd/agent_id.hpp>

#include <cstdint>
#include <vector>

namespace test {

// R{ idle, moves{ walks, runs }, sleeps, dead }; events push and letter, conditions Go, Fast, Tired.
enum state_of : int { idle, walks, runs, sleeps, dead, none };
inline constexpr const char* paths[] = {"idle", "moves/walks", "moves/runs", "sleeps", "dead"};
enum bit : int { go = 1, fast = 2, tired = 4 };
inline constexpr const char* conditions[] = {"Go", "Fast", "Tired"};
inline constexpr int bits_of_all = 3;

/// The expected state of an agent.
struct wanted {
    bool exists = false;
    hsm::agent_id id = {};
    int state = none;
    int bits = 0, pulsed = 0, ending = 0;
    std::vector<bool> posted = {}; ///< true: a letter, false: a push
    std::uint64_t rate = 1;
    bool paused = false;
    bool newcomer = false; ///< not ticked in the current tick
    std::int64_t now = 0, slept_at = 0;
    int updates = 0, letters = 0;

    /// Returns whether a transition fired.
    unsigned handle(bool is_letter) {
        if (is_letter) {
            letters += state == idle || state == walks || state == runs;
            return 0;
        }
        if (state != idle && state != dead) return 0;
        state = state == idle ? dead : idle;
        return 1;
    }
    /// Executes its polled transitions: the root's level first, then that of the state around it. Returns how many fired.
    unsigned decide(bool times) {
        unsigned fired = 0;
        const auto to = [&](state_of s) {
            state = s;
            ++fired;
        };
        switch (state) {
        case idle:
            if (bits & go) to(walks);
            break;
        case walks:
        case runs:
            if (bits & tired)
                to(sleeps), slept_at = now;
            else if (!(bits & go))
                to(idle);
            break;
        case sleeps:
            if (times ? now - slept_at >= 1000 : !(bits & tired)) to(idle);
            break;
        default: break;
        }
        if (state == walks && (bits & fast))
            to(runs);
        else if (state == runs && !(bits & fast))
            to(walks);
        return fired;
    }
    void change(int bit, int to) { ///< 0: off, 1: on, 2: a pulse
        const int mask = 1 << bit;
        bits = to == 0 ? bits & ~mask : bits | mask;
        pulsed = to == 2 ? pulsed | mask : pulsed & ~mask;
        ending &= ~mask;
    }
};

} // namespace test
