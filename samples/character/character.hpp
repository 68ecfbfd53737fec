/// The context of the machine: a character, the buttons that its player holds, and its stage.
///
/// Physics and states are separate: a state calls `walk()` or `jump()`, and `step()` moves the body. All numbers are
/// integers, in steps of one frame, so a recording gives the same run on every computer.
#pragma once

#include <samples/character/stage.hpp>

#include <cstdint>

// The events: a button was pressed; the console was reset.
enum class press { start, select, attack, jump };
struct reset {};

/// The buttons that the player holds in this frame.
struct controls {
    bool right = false, left = false, down = false, up = false;
    bool start = false, select = false, attack = false, jump = false;

    int direction() const { return int(right) - int(left); }

    /// Calls visit(event) for each button that was pressed since then.
    template <class F> void each_press_since(const controls& before, F visit) const {
        if (start && !before.start) visit(press::start);
        if (select && !before.select) visit(press::select);
        if (attack && !before.attack) visit(press::attack);
        if (jump && !before.jump) visit(press::jump);
    }

    /// Returns one bit per button.
    std::uint8_t bits() const {
        const bool all[] = {right, left, down, up, start, select, attack, jump};
        unsigned bits = 0;
        for (unsigned i = 0; i < 8; ++i) bits |= unsigned(all[i]) << i;
        return static_cast<std::uint8_t>(bits);
    }
    static controls of(std::uint8_t bits) {
        const auto is = [bits](int i) { return (bits >> i & 1) != 0; };
        return {is(0), is(1), is(2), is(3), is(4), is(5), is(6), is(7)};
    }
    template <class A> friend void serialize(A& archive, controls& c) {
        auto bits = c.bits();
        archive("bits", bits);
        if (archive.reading()) c = of(bits);
    }
};

/// A part with its own machine, which has access only to this.
struct bow {
    bool is_pulled = false; ///< a hand holds the string
    int draw = 0;           ///< the number of frames since it was pulled
    int arrow = 0;          ///< strength of the arrow that has just been shot; 0: none

    template <class A> friend void serialize(A& archive, bow& b) {
        archive("pulled", b.is_pulled)("draw", b.draw)("arrow", b.arrow);
    }
};

class character {
public:
    controls held;
    bow longbow;

    // For guards.
    bool is_grounded() const { return grounded_; }
    bool is_rising() const { return speed_y_ > 0; }
    bool is_walking() const { return held.direction() != 0; }
    bool is_ducking() const { return held.down; }
    bool can_climb() const;
    bool is_above_ladder() const;
    bool landed_hard() const;
    bool is_struck() const { return damage_ > 0; }
    bool is_spent() const { return stamina_ <= 0; }
    bool wants_to_throw() const { return held.up && hearts_ > 0; }
    bool holds(weapon w) const { return weapon_ == w; }
    bool carries(missile m) const { return missile_ == m; }

    // For states.
    void halt() { speed_x_ = 0; }
    void walk(); ///< in the player's direction; also steers a fall
    void jump();
    void hang_on(); ///< onto a ladder: stops gravity
    void climb();
    void let_go() { climbing_ = false; }
    void vault(); ///< from the top of a ladder to the ground next to it
    void strike(int pixels, int most = 1);
    void shoot(); ///< shoots the arrow that has just left the bow
    void throw_missile(int pixels, int most);
    void change_weapon();
    void suffer(); ///< takes the damage and is thrown back
    void revive(); ///< at the last checkpoint
    void start_over() { *this = character(); }
    void freeze() { frozen_ = true; }
    void thaw() { frozen_ = false; }

    // For the stage.
    void step(); ///< one frame of physics
    void hurt(int damage) { damage_ = damage; }

    // For tests and reports.
    position where() const { return at_; }
    int stamina() const { return stamina_; }
    int hearts() const { return hearts_; }

    /// Contains everything that a savegame or a log must store.
    template <class A> friend void serialize(A& archive, character& c) {
        archive("held", c.held)("longbow", c.longbow)("stage", c.stage_)("at", c.at_)("checkpoint", c.checkpoint_);
        archive("facing", c.facing_)("speed x", c.speed_x_)("speed y", c.speed_y_)("impact", c.impact_);
        archive("stamina", c.stamina_)("hearts", c.hearts_)("damage", c.damage_)("mercy", c.mercy_);
        archive("weapon", c.weapon_)("missile", c.missile_);
        archive("grounded", c.grounded_)("climbing", c.climbing_)("frozen", c.frozen_);
    }

private:
    void move_sideways();
    void fall();
    void look_around();

    stage stage_;
    position at_{stage::start(), stage::ground(stage::start())};
    int checkpoint_ = stage::start();
    int facing_ = 1; ///< 1: right, -1: left
    int speed_x_ = 0, speed_y_ = 0;
    int impact_ = 0; ///< speed at the last landing
    int stamina_ = full_stamina;
    int hearts_ = 10;
    int damage_ = 0; ///< dealt, but not yet taken
    int mercy_ = 0;  ///< remaining frames of invulnerability
    weapon weapon_ = weapon::whip;
    missile missile_ = missile::dagger;
    bool grounded_ = true;
    bool climbing_ = false;
    bool frozen_ = false;

    static constexpr int full_stamina = 16;
};
