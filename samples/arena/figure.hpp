/// Figures of arms and legs. A pose is a list of angles, so animations are a few numbers.
#pragma once

#include "canvas.hpp"

#include <optional>

namespace arena {

enum class held_item { none, sword, bow, spear, dagger, club, great_sword };

struct look {
    color skin, shirt, trousers, trim; // trim: belt, hood, cape
    held_item item;
    float size = 1, width = 1;
    bool hood = false, ears = false, horns = false, cape = false, shield = false;
};

/// Angles in degrees: 0 is down, 90 is ahead, 180 is up.
struct pose {
    float lean = 0; // of the body
    float thigh[2] = {8, -8}, shin[2] = {0, -8};
    float arm[2] = {20, -10}, forearm[2] = {40, 10}; // [0] holds the item
    float item = 130;
    float spin = 0;                  // of everything
    float drawn = 0;                 // the bow, 0 to 1
    float raised = 0;                // the shield, 0 to 1
    float lift = 0;                  // pixels above the ground
    bool standing = true;            // the lower foot is on the ground
    std::optional<float> trail = {}; // of the blade: where the arm was when the blow began
};

/// What remains of a figure in one color.
struct tint {
    color to = 0;
    float part = 0;
};

void draw_figure(canvas& to, point feet, int facing, const pose& p, const look& l, tint t = {});

} // namespace arena
