/// Charts of different kinds over one context, whose hooks note what they do, poke others, and throw now and then. It is the same
/// whether the actors are agents of a crowd or instances.
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

/// What actors live in.
struct home {
    virtual void poke(int target, int what) = 0;
    virtual ~home() = default;

    std::string log;
    int depth = 0; ///< of pokes in each other
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
    bool wild = true; ///< may poke and throw
    sword left = {}, right = {};

    std::uint64_t next() { return random ^= random << 13, random ^= random >> 7, random ^= random << 17; }
    void note(std::string_view what) { in->log += std::to_string(number) + ':' + std::string(what) + ' '; }
    /// One of so many.
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

/// Copies and destructions show.
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

/// The state notes what it does, and acts.
template <class State> State& noted(State& state, bool updates = true) {
    const std::string name(state.name());
    state.on_enter([name](actor& a) { a.note("E" + name), a.act(); }).on_exit([name](actor& a) { a.note("X" + name), a.act(); });
    if (updates) state.on_update([name](actor& a) { a.note("U" + name), a.act(); });
    return state;
}

/// A chart, and what is asked of it.
struct play {
    std::string name;
    hsm::chart<actor> chart;
    std::vector<std::string> states; ///< to change to
};

std::vector<play> all_plays();

} // namespace test::actors
