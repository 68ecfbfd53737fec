// Plays the game samples/arena without a window and checks it:
//
//     arena_check samples/arena tests/samples/arena/hashes.txt [--write]
//
// hashes.txt has a hash of the world for every 60th frame of a won run, equal for all compilers. --write replaces it, and
// demo.txt of the game: the buttons of that run.
// HSM_ARENA_RUNS is the number of random runs, and HSM_SEED the seed of the first one.

#include "pilot.hpp"

#include <samples/arena/link.hpp>
#include <samples/arena/netplay.hpp>
#include <samples/fighter/hero.hpp>

#include <hsm/observe/explain.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace arena {

namespace {

/// Returns the name of a temporary file in the current folder.
std::string scratch(const char* what) { return "arena_check." + std::to_string(::getpid()) + '.' + what; }

void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

struct won {
    std::string hashes; ///< a line for every 60th frame, and for the last one
    std::string demo;   ///< lines of a number of frames, and the buttons held in them
};

/// A player who wins.
won won_run(const world_options& options) {
    world game(options);
    pilot player;
    won run;
    int same = 0;
    for (pad held = 0; game.now.won < 120 && game.frame() < 6000; ++same) {
        const auto next = game.won() ? pad() : player.play(game);
        if (next != held && same) run.demo += std::to_string(std::exchange(same, 0)) + ' ' + std::to_string(held) + '\n';
        game.play({held = next, 0});
        if (game.frame() % 60 && game.now.won < 120) continue;
        char line[48];
        std::snprintf(line, sizeof line, "%lld %016llx\n", static_cast<long long>(game.frame()), static_cast<unsigned long long>(game.hash()));
        run.hashes += line;
    }
    run.demo += std::to_string(same) + " 0\n";
    require(game.won(), "the pilot does not win");
    require(game.boss.self.is_dead(), "the run is won, but the boss lives");
    require(game.gates.is_pulled(), "the boss is dead, but the gate was never opened");
    require(game.now.swatted > 0 && game.now.kills > 4, "the pilot did not fight");
    return run;
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
        for (std::size_t i = 0; i < game.heroes.size(); ++i) {
            const auto& [chart, hero, machine] = game.heroes[i];
            const bool stunned = machine.is_in("stunned");
            if (stunned && stunned_[i]) require(!hero.damage && !hero.shot, "a stunned hero attacks");
            stunned_[i] = stunned;
            if (game.now.lives[i] > 0) require_way_out(machine, i);
        }
        std::size_t i = game.heroes.size();
        for (const auto& foe : game.enemies) {
            if (!foe.self.is_dead()) require_way_out(foe.machine, i);
            ++i;
        }
        if (!game.boss.self.is_dead()) require_way_out(game.boss.machine, i);
    }

private:
    /// A machine can wait for a time, but not for ever.
    void require_way_out(const hsm::instance_base& machine, std::size_t number) {
        closed_.resize(std::max(closed_.size(), number + 1));
        auto& frames = closed_[number];
        if (++frames % 6 == 0 && !hsm::possible(machine).empty()) frames = 0;
        require(frames < 180, "no transition is possible in " + machine.path_of_leaves());
    }

    std::array<bool, 2> stunned_ = {};
    std::vector<int> closed_;
};

/// Plays random inputs twice. The second run is saved, loaded and rewound at random frames, and replayed, with the same results.
void random_run(session& straight, session& winding, std::span<const std::byte> first, std::uint32_t seed) {
    constexpr int length = 240;
    monkey hand(seed), chance(~seed);
    for (auto* run : {&straight, &winding}) {
        run->game().load(first);
        monkey start(seed);
        const int room = static_cast<int>(start.below(5));
        auto& hero = run->game().heroes[0].self;
        hero.at.x = (room * 32 + 4) * tile * unit;
        hero.at.y = 12 * tile * unit;
        hero.in_hand = weapon(start.below(3));
        run->begin_here();
    }
    std::vector<pads> inputs;
    referee fair;
    for (int i = 0; i < length; ++i) {
        inputs.push_back(hand.play());
        straight.play(inputs.back());
        fair.look_at(straight.game());
    }
    const auto file = scratch("save");
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
    require(straight.game().hash() == winding.game().hash(), "a run that was saved, loaded and rewound has another end");
    winding.replay();
    for (int i = 0; i < length; ++i) winding.play({});
    require(straight.game().hash() == winding.game().hash(), "a replay has another end");
}

/// A blow is parried if the shield has just been raised, and blocked later.
void shield_test() {
    actor<fighter> hero(make_hero(), fighter());
    const auto frames = [&](int count) {
        for (; count > 0; --count) hero.machine.tick(world::frame_time);
    };
    hero.machine.set("Guards");
    hero.machine.set("OnGround");
    frames(2);
    require(hero.machine.process(hit{10, 1}) == hsm::result::internal && hero.self.parried, "a blow is not parried");
    frames(20);
    hero.self.parried = 0;
    hero.machine.process(hit{10, 1});
    require(!hero.self.parried && hero.self.health == 100 && hero.self.stamina == 90, "a blow is not blocked");
    hero.machine.process(hit{10, -1});
    require(hero.self.health == 90 && hero.machine.is_in("stunned"), "a blow from behind does not hit");
}

/// Returns the states that an enemy enters in a minute while its opponent stays near.
std::string states_of(actor<enemy>& foe) {
    std::string all, last;
    foe.self.health = 15;
    for (int i = 0; i < 3600; ++i) {
        foe.self.ahead = 28;
        foe.self.above = 0;
        foe.self.at.grounded = 1;
        foe.machine.tick(world::frame_time);
        const auto now = foe.machine.path_of_leaves();
        if (now != last) all += now + '\n';
        last = now;
    }
    return all;
}

/// Each enemy makes all its attacks, in an order that only the seed and its stream determine.
void attack_test(world_options options) {
    constexpr std::array<std::array<const char*, 3>, enemy_kinds> attacks = {
        {{"/stab", "/leap", "/back off"}, {"/kick", "/retreat", "/volley"}, {"/slam", "/swipe", "/charge"}}};
    world game(options), equal(options);
    ++options.seed;
    world other(options);
    std::array<std::string, enemy_kinds> before;
    for (std::size_t i = 0; i < game.enemies.size(); ++i) {
        const auto states = states_of(game.enemies[i]);
        const auto kind = static_cast<std::size_t>(game.enemies[i].self.kind);
        for (const char* attack : attacks[kind])
            require(states.find(attack) != std::string::npos, std::string(enemy_names[kind]) + " never enters " + attack);
        require(states == states_of(equal.enemies[i]), "equal seeds and streams lead to other choices");
        require(states != states_of(other.enemies[i]), "another seed leads to the same choices");
        require(states != before[kind], "another stream leads to the same choices");
        before[kind] = states;
    }
}

/// Goes back eight frames in every frame, and plays them again.
void sync_test(const world_options& options) {
    world game(options);
    monkey hand(7);
    std::vector<pads> inputs;
    std::vector<std::vector<std::byte>> before;
    for (std::size_t frame = 0; frame < 120; ++frame) {
        inputs.push_back(hand.play());
        before.push_back(game.save());
        game.play(inputs.back());
        if (frame < 8) continue;
        const auto hash = game.hash();
        game.load(before[frame - 8]);
        for (auto again = frame - 8; again <= frame; ++again) game.play(inputs[again]);
        require(game.hash() == hash, "frame " + std::to_string(frame) + " differs when it is played again");
    }
}

/// One of two processes, which lose every third datagram. Returns the hash of the last world.
std::uint64_t play_linked(const world_options& options, std::size_t me, std::uint16_t first_port) {
    const auto port = [&](std::size_t player) { return static_cast<std::uint16_t>(first_port + player); };
    const link line(port(me), port(1 - me));
    session run(options);
    netplay both(run, me);
    monkey hand(static_cast<std::uint32_t>(me) + 40);
    int sent = 0, tries = 0;
    for (std::int64_t afterwards = 0; afterwards < 100; ++tries) {
        require(tries < 60'000, "the other process does not answer");
        while (const auto datagram = line.receive()) both.incoming(*datagram);
        const bool plays = both.frame() < 400 && both.play(hand.play()[me]);
        if (++sent % 3) line.send(both.outgoing());
        if (both.frame() == 400 && both.complete()) ++afterwards; // the other one may still need a datagram
        if (!plays) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    both.correct();
    require(both.replayed() > 0, "no guess was wrong");
    return run.game().hash();
}

void link_test(const world_options& options) {
    const auto port = static_cast<std::uint16_t>(20'000 + ::getpid() % 20'000 * 2);
    int results[2];
    require(::pipe(results) == 0, "pipe");
    const auto child = ::fork();
    require(child >= 0, "fork");
    std::uint64_t own = 0, other = 0;
    if (child == 0) {
        try {
            own = play_linked(options, 1, port);
        } catch (const std::exception& e) {
            std::fprintf(stderr, "second process: %s\n", e.what());
        }
        ::_exit(::write(results[1], &own, sizeof own) == sizeof own ? 0 : 1);
    }
    ::close(results[1]);
    own = play_linked(options, 0, port);
    require(::read(results[0], &other, sizeof other) == sizeof other, "the second process has failed");
    ::close(results[0]);
    ::waitpid(child, nullptr, 0);
    require(own == other, "two linked processes have different worlds");
}

std::string contents_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// Changes the file of the goblins while they hunt: it breaks, a state gets another name, and a state is removed.
void reload_test(world_options options) {
    const auto folder = scratch("enemies"), file = folder + "/goblin.xml";
    std::filesystem::copy(options.enemies, folder, std::filesystem::copy_options::recursive);
    options.enemies = folder;
    world game(options);
    for (int i = 0; i < 60; ++i) game.play({right, 0});
    const auto hunts = [](const auto& foe) { return foe.self.kind == goblin && foe.machine.is_in("hunt"); };
    const auto found = std::find_if(game.enemies.begin(), game.enemies.end(), hunts);
    require(found != game.enemies.end(), "no goblin hunts");
    const auto& first = *found;
    require(game.reload().empty(), "a file is loaded again, but none has changed");

    auto text = contents_of(file);
    const auto replace = [&](const std::string& what, const std::string& by) { text.replace(text.find(what), what.size(), by); };
    replace("enter=\"face leap\"", "enter=\"face leep\"");
    write_file(file, text);
    const auto errors = game.reload();
    require(errors.size() == 1 && errors.front().find(file + ":") == 0, "no error for a broken file");
    require(errors.front().find("\"leap\"") != std::string::npos, "no hint in: " + errors.front());
    require(first.machine.is_in("hunt"), "the goblin has lost its state");

    replace("enter=\"face leep\"", "enter=\"face leap\"");
    replace("<state ID=\"run\"", "<state ID=\"sprint\" was=\"run\"");
    while (text.find("ID=\"run\"") != std::string::npos) replace("ID=\"run\"", "ID=\"sprint\"");
    write_file(file, text);
    const auto goblins = std::count_if(game.enemies.begin(), game.enemies.end(), [](const auto& foe) { return foe.self.kind == goblin; });
    const auto machines = std::to_string(goblins) + " machines";
    const auto kept = game.reload();
    require(kept.size() == 1 && kept.front().find(machines) == 0, "not every goblin has the new machine");
    require(first.machine.is_in("sprint"), "the goblin is not carried over: " + first.machine.path_of_leaves());

    while (text.find("ID=\"walk\"") != std::string::npos) replace("ID=\"walk\"", "ID=\"stroll\"");
    write_file(file, text);
    const auto lost = game.reload();
    require(lost.size() == 3 && lost[1].find("no longer exists") != std::string::npos, "no report of a removed state");
    for (int i = 0; i < 60; ++i) game.play({right, 0});
    std::filesystem::remove_all(folder);
}

/// Returns a number from an environment variable.
std::uint32_t number_of(const char* variable, std::uint32_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? static_cast<std::uint32_t>(std::stoul(text)) : otherwise;
}

void run(const std::string& folder, const std::string& file, bool write) {
    world_options options;
    options.enemies = folder + "/enemies";
    const auto won = won_run(options);
    if (write) write_file(file, won.hashes), write_file(folder + "/demo.txt", won.demo);
    require(won.hashes == contents_of(file), "the hashes of the won run differ from " + file);
    require(won.demo == contents_of(folder + "/demo.txt"), "demo.txt does not contain the won run");
    const auto runs = number_of("HSM_ARENA_RUNS", 300), seed = number_of("HSM_SEED", 1);

    options.players = 2;
    options.bats = 108; // four for each perch
    shield_test();
    attack_test(options);
    sync_test(options);
    link_test(options);
    reload_test(options);
    session straight(options, 32), winding(options, 32);
    const auto first = straight.game().save();
    for (std::uint32_t i = 0; i < runs; ++i) try {
            random_run(straight, winding, first, seed + i);
        } catch (const std::exception& e) {
            throw std::runtime_error("seed " + std::to_string(seed + i) + ": " + e.what());
        }
    std::filesystem::remove(scratch("save"));
    std::printf("won, and %u random runs played\n", runs);
}

} // namespace

} // namespace arena

int main(int count, char** arguments) {
    if (count < 3) return std::fputs("usage: arena_check FOLDER HASHES [--write]\n", stderr), 2;
    try {
        arena::run(arguments[1], arguments[2], count > 3 && arguments[3] == std::string_view("--write"));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "arena_check: %s\n", e.what());
        return 1;
    }
}
