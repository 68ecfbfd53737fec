/// Draws a world on a canvas. Nothing here changes the world.
#pragma once

#include "canvas.hpp"
#include "world.hpp"

namespace arena {

/// Draws the level around the heroes, everything in it, and the display at the edges.
void draw(const world& game, canvas& to);

// The parts, from back to front; `left` is the level's first visible pixel:
int camera_of(const world& game);
void draw_scenery(const world& game, canvas& to, int left);
void draw_doors(const world& game, canvas& to, int left);
void draw_actors(const world& game, canvas& to, int left);
void draw_effects(const world& game, canvas& to, int left);
void draw_display(const world& game, canvas& to);

} // namespace arena
