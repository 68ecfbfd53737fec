#pragma once

/// A local for states that take a while: `add<timer>("land", 12)` is over after twelve frames.
struct timer {
    int frames;

    void update() { --frames; }
    bool finished() const { return frames <= 0; }
};
