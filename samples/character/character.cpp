#include <samples/character/character.hpp>

#include <algorithm>

namespace {

// Units of 1/256 pixel and frames: a jump is 57 pixels high and takes three quarters of a second.
constexpr int walking_speed = 320;
constexpr int climbing_speed = 256;
constexpr int jumping_speed = 1280;
constexpr int falling_speed = 1536; // the maximum
constexpr int gravity = 56;
constexpr int hard_landing = 1300; // a little more than after a jump
constexpr int stride = 16 * pixel; // the highest step that the character can walk up

constexpr int creature_damage = 3;
constexpr int spike_damage = 4;
constexpr int mercy_after_damage = 60;
constexpr int mercy_after_revival = 120;
constexpr int most_hearts = 20;

} // namespace

bool character::can_climb() const { return held.up && stage::has_ladder(at_.x) && !is_above_ladder(); }

bool character::is_above_ladder() const { return at_.y >= stage::ground(stage::next_column(at_.x)); }

bool character::landed_hard() const { return grounded_ && impact_ >= hard_landing; }

void character::walk() {
    const int direction = held.direction();
    if (direction != 0) facing_ = direction;
    speed_x_ = direction * walking_speed;
}

void character::jump() {
    speed_y_ = jumping_speed;
    grounded_ = false;
}

void character::hang_on() {
    climbing_ = true;
    grounded_ = false;
    speed_x_ = speed_y_ = 0;
}

void character::climb() { speed_y_ = (int(held.up) - int(held.down)) * climbing_speed; }

void character::vault() {
    at_.x = stage::next_column(at_.x);
    at_.y = stage::ground(at_.x);
    speed_y_ = 0;
    grounded_ = true;
}

void character::strike(int pixels, int most) {
    hearts_ = std::min(hearts_ + stage_.strike(at_, facing_ * pixels * pixel, most), most_hearts);
}

void character::shoot() {
    strike(64 + 4 * longbow.arrow, longbow.arrow >= 40 ? 3 : 1);
    longbow.arrow = 0;
}

void character::throw_missile(int pixels, int most) {
    --hearts_;
    strike(pixels, most);
}

void character::change_weapon() {
    weapon_ = weapon_ == weapon::whip ? weapon::sword : weapon_ == weapon::sword ? weapon::bow : weapon::whip;
}

void character::suffer() {
    stamina_ -= damage_;
    damage_ = 0;
    mercy_ = mercy_after_damage;
    speed_x_ = -facing_ * walking_speed / 2;
    speed_y_ = jumping_speed / 2;
    grounded_ = false;
}

void character::revive() {
    at_ = {checkpoint_, stage::ground(checkpoint_)};
    speed_x_ = speed_y_ = damage_ = 0;
    stamina_ = full_stamina;
    hearts_ = std::max(hearts_, 5);
    mercy_ = mercy_after_revival;
    grounded_ = true;
}

void character::step() {
    longbow.is_pulled = held.attack;
    if (frozen_) return;
    stage_.step();
    mercy_ = std::max(mercy_ - 1, 0);
    move_sideways();
    fall();
    look_around();
}

/// Obstacles that are higher than a stride are walls.
void character::move_sideways() {
    const int next = stage::wrap(at_.x + speed_x_);
    if (stage::ground(next) > at_.y + (grounded_ ? stride : 0)) {
        speed_x_ = 0;
        return;
    }
    at_.x = next;
    if (grounded_) at_.y = std::max(at_.y, stage::ground(next));
}

void character::fall() {
    if (!climbing_) speed_y_ = std::max(speed_y_ - gravity, -falling_speed);
    at_.y += speed_y_;
    const int floor = stage::ground(at_.x);
    const bool lands = at_.y <= floor && speed_y_ <= 0;
    if (lands) {
        if (!grounded_) impact_ = -speed_y_;
        at_.y = floor;
        speed_y_ = 0;
    }
    grounded_ = lands;
}

void character::look_around() {
    if (at_.y < stage::bottom()) stamina_ = 0;
    if (is_spent() || mercy_ > 0) return;
    if (stage_.touches_creature(at_)) hurt(creature_damage);
    if (grounded_ && stage::has_spikes(at_.x)) hurt(spike_damage);
    if (!grounded_) return;
    if (stage::has_checkpoint(at_.x)) checkpoint_ = at_.x;
    if (const auto found = stage::weapon_at(at_.x)) weapon_ = *found;
    if (const auto found = stage::missile_at(at_.x)) missile_ = *found;
}
