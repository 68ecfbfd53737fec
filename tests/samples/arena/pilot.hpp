/// A player that wins: it presses buttons according to what it sees.
#pragma once

#include <samples/arena/world.hpp>

namespace arena {

class pilot {
public:
    /// Returns the buttons for the next frame. Call it once in each frame.
    pad play(const world& game, std::size_t player = 0);

private:
    int last_x_ = 0;
    int stuck_ = 0;
    std::size_t next_ = 0; // on the way to the switch
    pad held_ = 0;
};

} // namespace arena
