/// The world that the character runs through: a strip of ground that repeats, and creatures that walk on it.
///
/// Deterministic: all numbers are integers, in steps of one frame. Lengths are in units of 1/256 pixel, heights grow
/// upwards.
#pragma once

#include <optional>
#include <vector>

inline constexpr int pixel = 256;

enum class weapon { whip, sword, bow };
enum class missile { dagger, axe };

struct position {
    int x = 0; ///< on the strip, from 0 to its length
    int y = 0;

    template <class A> friend void serialize(A& archive, position& p) { archive("x", p.x)("y", p.y); }
};

class stage {
public:
    stage();

    void step(); ///< plays one frame
    static int length();
    static int wrap(int x); ///< the strip is a loop

    // The contents of the strip.
    static int ground(int x); ///< the height; a pit has its ground far below
    static int bottom();      ///< characters below this are lost
    static bool has_ladder(int x);
    static bool has_spikes(int x);
    static bool has_checkpoint(int x);
    static std::optional<weapon> weapon_at(int x);
    static std::optional<missile> missile_at(int x);
    static int next_column(int x); ///< the beginning of the column to the right
    static int start();            ///< the first checkpoint

    bool touches_creature(position p) const;
    /// Fells up to `most` creatures between p and the point at distance `reach` (to the left if negative); returns how
    /// many.
    int strike(position p, int reach, int most);

    template <class A> friend void serialize(A& archive, stage& s) {
        archive("creatures", s.creatures_)("frame", s.frame_);
    }

private:
    struct creature {
        position home;
        int range;  ///< the distance that it walks to either side
        int period; ///< frames for one round trip
        int awake_at = 0;

        template <class A> friend void serialize(A& archive, creature& c) {
            archive("home", c.home)("range", c.range)("period", c.period)("awake at", c.awake_at);
        }
    };
    position place_of(const creature& c) const;
    bool is_awake(const creature& c) const { return frame_ >= c.awake_at; }

    std::vector<creature> creatures_;
    int frame_ = 0;
};
