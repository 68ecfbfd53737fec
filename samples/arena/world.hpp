/// The whole game without drawing: everything that a frame changes.
#pragma once

#include "bats.hpp"
#include "body.hpp"
#include "doors.hpp"
#include "enemy.hpp"
#include "level.hpp"
#include "warlord.hpp"

#include <hsm/hsm.hpp>
#include <hsm/reload/reloader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace arena {

/// The buttons of one player in one frame, as bits.
enum button : std::uint8_t { left = 1, right = 2, jump = 4, fire = 8, dodge = 16, block = 32, swap = 64 };
using pad = std::uint8_t;
using pads = std::array<pad, 2>;

/// An arrow or an orb; free if it does not live.
struct missile {
    int x, y, vx, vy; // sub-pixels
    int damage;
    int from_hero;
    int lives; // frames
};

enum class effect_kind { spark, blood, block, parry, dust, slam, puff };
/// Something to see. It has no influence.
struct effect {
    effect_kind kind;
    int x, y; // pixels
    int side;
    std::int64_t frame;
};

/// Everything that is not part of a machine or its context.
struct scene {
    std::int64_t frame = 0;
    int freeze = 0; // frames for which everything stands still after a hit
    int shake = 0;
    int bitten = 0; // frames until bats bite again
    int kills = 0, swatted = 0;
    int awake = 0; // the lair is shut
    int won = 0;   // frames since the victory
    pads held = {};
    std::array<int, 2> lives = {3, 3};
    std::array<int, 2> checkpoints = {3 * tile, 3 * tile}; // pixels
    std::array<missile, 24> missiles = {};
    std::array<effect, 24> effects = {};
    int next_effect = 0;
};

struct world_options {
    std::string enemies; // the folder with the XML files
    int players = 1;
    int bats = 2000;
    std::uint64_t seed = 1; // of the choices by chance
};

/// A context and the machine that runs it. It keeps the chart of the machine alive.
template <class Context> struct actor {
    actor(const hsm::chart<Context>& of, const Context& first, const hsm::instance_options& options = {})
        : chart(of), self(first), machine(chart, self, options) {
        machine.start();
    }
    actor(const actor&) = delete;

    hsm::chart<Context> chart;
    Context self;
    hsm::instance<Context> machine;
};

class world {
public:
    static constexpr hsm::time_span frame_time = hsm::time_span::from_nanoseconds(16'666'667);

    explicit world(const world_options& how);
    world(const world&) = delete;

    level place;
    scene now;
    std::deque<actor<fighter>> heroes;
    std::deque<actor<enemy>> enemies;
    actor<warlord> boss;
    bats swarm;
    doors gates;

    /// Plays one frame. Equal worlds and equal buttons lead to equal worlds.
    void play(const pads& buttons);

    /// Returns everything that `play` changes, as bytes for the same program.
    std::vector<std::byte> save() const;
    void load(std::span<const std::byte> saved); ///< throws, with a part of the world loaded, if the bytes do not fit
    std::uint64_t hash() const;

    bool lost() const; ///< no hero is left
    bool won() const { return now.won > 0; }
    std::int64_t frame() const { return now.frame; }
    /// Loads each file of enemies that has changed, and gives its enemies the new machine. If the file is broken, they
    /// keep theirs. Returns different lines to show: errors, or effects on the enemies; none if no file has changed.
    std::vector<std::string> reload();

private:
    void command(actor<fighter>& hero, pad before, pad held);
    void play_hero(std::size_t number);
    void revive(std::size_t number);
    void play_enemy(actor<enemy>& foe);
    void play_boss();
    void play_missiles();
    void play_bats();
    void play_doors();

    // combat.cpp
    enum class blow { missed, hit, parried };
    blow hit_heroes(const box& where, const hit& h);
    void hit_hero(actor<fighter>& hero, const hit& h, const box& where);
    bool hit_foes(const box& where, const hit& h); ///< also swats bats, and pulls the switch
    void launch(int x, int y, int vx, int vy, int damage, bool from_hero);
    void show(effect_kind kind, int x, int y, int side = 1);
    void stop_for(int frames);

    bool act(opponent& o, hsm::instance_base& machine);
    const fighter& prey_of(const body& b) const;
    bool at_spikes(const box& b) const;

    const hsm::registry<enemy> names_;
    std::vector<hsm::reloader<enemy>> files_; // one for each kind
};

} // namespace arena
