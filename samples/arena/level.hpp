/// The level: tiles, and the places where everything starts.
#pragma once

#include "body.hpp"

#include <string>
#include <vector>

namespace arena {

/// A place in the text of the level. The position is the middle of the lower edge, in pixels.
struct mark {
    char kind;
    int x, y;
};

class level {
public:
    level();

    int width() const { return static_cast<int>(rows_[0].size()); } ///< in tiles
    int height() const { return static_cast<int>(rows_.size()); }
    char at(int column, int row) const;
    bool solid(int column, int row) const; ///< without doors
    const std::vector<mark>& marks() const { return marks_; }

    /// Doors that are closed now. The world sets them in each frame.
    std::vector<box> barriers;

    /// Applies gravity and velocity to a body, and stops it at tiles and barriers.
    void move(body& b, int gravity = 60) const;
    bool hits(const box& b) const; ///< whether a wall or a barrier overlaps the rectangle

private:
    bool stands(const body& on) const;
    bool stops(const box& b) const;
    bool step_sideways(body& b, int by) const;

    std::vector<std::string> rows_;
    std::vector<mark> marks_;
};

} // namespace arena
