/// Charts of different kinds over one context, whose hooks record what they do, send events to each other, and sometimes throw. Actors can be agents
/// of a crowd or instances, with the same results.
#pragma once

#include <hsm/hsm.hpp>
#include <tests/support/recorder.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace test::actors {

struct actor;

/// The surroundings of the actors.
struct home {
    virtual void poke(int target, int what) = 0;
    virtual ~home() = default;

    std::string log;
    int depth = 0; ///< nested calls of poke
};

struct letter {
    std::string text;
};

struct sword {
    actor* owner = nullptr;
    bool sharp = false;
};

struct actor {
    home* in = nullptr;
    int number = 0;
    std::uint64_t random = 1;
    bool go = false;
    bool ready = false;
    bool wild = true; ///< whether it pokes and throws
    sword left = {}, right = {};

    std::uint64_t next() { return random ^= random << 13, random ^= random >> 7, random ^= random << 17; }
    void note(std::string_view what) { in->log += std::to_string(number) + ':' + std::string(what) + ' '; }
    /// Performs a random action.
    void act() {
        switch (next() % 24) {
        case 0:
        case 1:
        case 2:
            if (wild && in->depth < 3) {
                const auto who = static_cast<int>(next() % 8);
                in->poke(who, static_cast<int>(next() % 16));
            }
            return;
        case 3:
            if (wild) in->poke(number, static_cast<int>(next() % 16));
            return;
        case 4: go = !go; return;
        case 5: ready = !ready; return;
        case 6:
            if (!wild || next() % 4) return;
            note("throws");
            throw std::runtime_error(std::to_string(number));
        default: return;
        }
    }
};

/// A local whose copies and destructions can be checked.
struct pouch {
    std::string coins = "more of them than fit into a string itself";
    int updates = 0;
    int left = 0;
    void enter(actor& a) { a.note("pouch"), left = 3; }
    void update(actor& a) {
        if (--left >= 0) coins += '*';
        a.note(coins.substr(coins.size() - 3));
    }
    void exit(actor& a) { a.note("pouch of " + std::to_string(coins.size())); }
    bool finished() const { return left <= 0; }
};

/// Makes a state record its hooks, and act in them.
template <class State> State& with_trace(State& state, bool updates = true) {
    const std::string name(state.name());
    state.on_enter([name](actor& a) { a.note("E" + name), a.act(); }).on_exit([name](actor& a) { a.note("X" + name), a.act(); });
    if (updates) state.on_update([name](actor& a) { a.note("U" + name), a.act(); });
    return state;
}

/// A chart, and the inputs for it.
struct play {
    std::string name;
    hsm::chart<actor> chart;
    std::vector<std::string> states; ///< targets for changes
};

std::vector<play> all_plays();

} // namespace test::actors
