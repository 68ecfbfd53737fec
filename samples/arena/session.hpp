/// A run of the game: it remembers inputs and frames, so that it can be rewound, saved, loaded and shown again.
#pragma once

#include "world.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace arena {

class session {
public:
    explicit session(const world_options& options, std::size_t frames_to_rewind = 600);

    world& game() { return *game_; }
    const world& game() const { return *game_; }

    /// Plays one frame, or the next frame of the replay, which ignores the buttons.
    void play(const pads& buttons);
    /// Goes back one frame. Returns false if no earlier frame is stored.
    bool rewind();

    /// A saved run contains its inputs, so it can be replayed after loading, too.
    bool save(const std::string& file) const;
    bool load(const std::string& file); ///< false if the file does not fit, with nothing changed
    void restart();
    void replay() { replayed_ = 0, game_->load(first_), past_.clear(); } ///< from the first frame to the present one
    bool replaying() const { return replayed_ < inputs_.size(); }
    std::size_t inputs() const { return inputs_.size(); }
    /// Forgets earlier frames and inputs, because the rules of the game have changed.
    void begin_here();

private:
    std::unique_ptr<world> game_;
    std::vector<std::byte> first_;
    std::vector<pads> inputs_;
    std::size_t replayed_ = 0; // inputs that the world has received
    std::deque<std::vector<std::byte>> past_;
    std::size_t most_;
};

} // namespace arena
