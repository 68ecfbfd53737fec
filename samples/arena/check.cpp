// Plays the game without a window and checks it, as a test:
//
//     arena_check ENEMIES HASHES [--runs N] [--seed N] [--write]
//
// HASHES is a file with a hash of the world for every 60th frame of a won run. It is the same for every compiler.

#include "pilot.hpp"
#include "session.hpp"

#include <hsm/observe/explain.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

namespace {

void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

/// A player who wins. Returns a line for every 60th frame.
std::string won_run(const world_options& options) {
    world game(options);
    pilot player;
    std::string hashes;
    while (!game.won() && game.frame() < 6000) {
        game.play({player.play(game), 0});
        if (game.frame() % 60 && !game.won()) continue;
        char line[48];
        std::snprintf(line, sizeof line, "%lld %016llx\n", static_cast<long long>(game.frame()),
                      static_cast<unsigned long long>(game.hash()));
        hashes += line;
    }
    require(game.won(), "the pilot does not win");
    require(game.boss().self.is_dead(), "the run is won, but the boss lives");
    require(game.gates().is_pulled(), "the boss is dead, but the gate was never opened");
    require(game.now().swatted > 0 && game.now().kills > 4, "the pilot did not fight");
    return hashes;
}

/// Buttons that are held for random times.
class monkey {
public:
    explicit monkey(std::uint32_t seed) : random_(seed) {}

    pads play() {
        for (std::size_t i = 0; i < 2; ++i) {
            if (random_() % 8 == 0) held_[i] ^= static_cast<pad>(1u << random_() % 7);
            if (random_() % 16 == 0) held_[i] = right;
        }
        return held_;
    }
    std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(random_() % most); }

private:
    std::minstd_rand random_;
    pads held_ = {};
};

/// Checks a run while it is played.
class referee {
public:
    void look_at(const world& game) {
        for (std::size_t i = 0; i < game.heroes().size(); ++i) {
            const auto& [chart, hero, machine] = game.heroes()[i];
            const bool stunned = machine.is_in("stunned");
            if (stunned && stunned_[i]) require(!hero.damage && !hero.shot, "a stunned hero attacks");
            stunned_[i] = stunned;
            if (!machine.is_in("over")) require_way_out(machine, i);
        }
        std::size_t i = game.heroes().size();
        for (const auto& foe : game.enemies()) {
            if (!foe.self.is_dead()) require_way_out(foe.machine, i);
            ++i;
        }
        if (!game.boss().self.is_dead()) require_way_out(game.boss().machine, i);
    }

private:
    /// A machine can wait for a time, but not for ever.
    void require_way_out(const hsm::instance_base& machine, std::size_t number) {
        closed_.resize(std::max(closed_.size(), number + 1));
        auto& frames = closed_[number];
        frames = hsm::possible(machine).empty() ? frames + 1 : 0;
        require(frames < 180, "no transition is possible in " + machine.path_of_leaves());
    }

    std::array<bool, 2> stunned_ = {};
    std::vector<int> closed_;
};

/// Plays random inputs twice. The second run is saved, loaded and rewound at random frames, with the same result.
void random_run(session& straight, session& winding, std::uint32_t seed) {
    constexpr int length = 240;
    monkey hand(seed), chance(~seed);
    for (auto* run : {&straight, &winding}) {
        run->restart();
        monkey start(seed);
        const int room = static_cast<int>(start.below(5));
        auto& hero = run->game().heroes()[0].self;
        hero.at.x = (room * 32 + 4) * tile * unit;
        hero.at.y = 12 * tile * unit;
        hero.in_hand = static_cast<int>(start.below(weapons));
    }
    std::vector<pads> inputs;
    referee fair;
    for (int i = 0; i < length; ++i) {
        inputs.push_back(hand.play());
        straight.play(inputs.back());
        fair.look_at(straight.game());
    }
    const std::string file = "arena_check.save";
    std::size_t saved_at = inputs.size();
    for (std::size_t i = 0; i < inputs.size();) {
        winding.play(inputs[i++]);
        if (chance.below(20) == 0) {
            require(winding.save(file), "cannot write " + file);
            saved_at = i;
        } else if (chance.below(50) == 0) {
            for (auto back = chance.below(30); back > 0 && winding.rewind(); --back) --i;
        } else if (saved_at < i && chance.below(40) == 0) {
            require(winding.load(file), "cannot load " + file);
            i = saved_at;
        }
    }
    require(straight.game().hash() == winding.game().hash(),
            "a run that was saved, loaded and rewound has another end");
}

std::string contents_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void run(int count, char** arguments) {
    require(count >= 3, "usage: arena_check ENEMIES HASHES [--runs N] [--seed N] [--write]");
    world_options options;
    options.enemies = arguments[1];
    const std::string file = arguments[2];
    std::uint32_t runs = 300, seed = 1;
    bool write = false;
    for (int i = 3; i < count; ++i) {
        const std::string_view option = arguments[i];
        if (option == "--write")
            write = true;
        else if (option == "--runs" && i + 1 < count)
            runs = static_cast<std::uint32_t>(std::stoul(arguments[++i]));
        else if (option == "--seed" && i + 1 < count)
            seed = static_cast<std::uint32_t>(std::stoul(arguments[++i]));
        else
            throw std::runtime_error("unknown option " + std::string(option));
    }
    const auto hashes = won_run(options);
    if (write) std::ofstream(file, std::ios::binary) << hashes;
    require(hashes == contents_of(file), "the hashes of the won run differ from " + file);

    options.players = 2;
    options.bats = 108; // four for each perch
    session straight(options, 32), winding(options, 32);
    for (std::uint32_t i = 0; i < runs; ++i) try {
            random_run(straight, winding, seed + i);
        } catch (const std::exception& e) {
            throw std::runtime_error("seed " + std::to_string(seed + i) + ": " + e.what());
        }
    std::printf("won, and %u random runs played\n", runs);
}

} // namespace

} // namespace arena

int main(int count, char** arguments) {
    try {
        arena::run(count, arguments);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "arena_check: %s\n", e.what());
        return 1;
    }
}
