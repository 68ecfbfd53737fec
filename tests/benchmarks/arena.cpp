// The machines of samples/arena in one frame: the hero, and 2,000 bats, compared with code that does the same without machines. An event is the
// buttons of a frame. Without the level: the ground is flat, and there are no enemies.

#include "bench.hpp"

#include <samples/arena/bats.hpp>
#include <samples/arena/level.hpp>
#include <samples/fighter/hero.hpp>

#include <hsm/hsm.hpp>

namespace {

constexpr auto frame_time = hsm::time_span::from_nanoseconds(16'666'667);
enum button : std::uint8_t { left = 1, right = 2, jump = 4, fire = 8, dodge = 16, block = 32, hurt = 64 };

/// Holds each button for some frames.
void held_buttons() {
    std::uint32_t x = 2463534242;
    std::uint8_t held = 0;
    for (auto& event : bench::events) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        if (x % 8 == 0) held ^= static_cast<std::uint8_t>(1u << (x >> 8) % 6);
        event = static_cast<std::uint8_t>(held | (x % 61 == 0 ? hurt : 0));
    }
}

/// The part of a frame that is the same for both.
void fall(fighter& f) {
    f.at.x += f.at.vx;
    f.at.vy += 60;
    f.at.y += f.at.vy;
    f.at.grounded = f.at.y >= 0;
    if (f.at.grounded) f.at.y = f.at.vy = 0;
    if (f.stamina < 100) ++f.stamina;
    f.health = 100;
    bench::count(0, static_cast<std::uint64_t>(f.damage));
    bench::count(1, static_cast<std::uint64_t>(f.at.x));
    bench::count(2, static_cast<std::uint64_t>(f.at.y));
}

class hero_machine {
public:
    void start() { agent_.start(); }
    void process(std::uint8_t now) {
        const int changed = held_ ^ now, pressed = now & changed, released = held_ & changed;
        held_ = now;
        f_.damage = 0;
        f_.stick = (now & right ? 1 : 0) - (now & left ? 1 : 0);
        if (changed & (left | right)) agent_.set(moves_, f_.stick != 0);
        if (changed & block) agent_.set(guards_, (now & block) != 0);
        agent_.set(on_ground_, f_.at.grounded != 0);
        if (pressed & jump) agent_.process(press::jump);
        if (released & jump) agent_.process(press::let_fall);
        if (pressed & dodge) agent_.process(press::dodge);
        if (pressed & fire) agent_.process(press::attack);
        if (released & fire) agent_.process(press::release);
        if (now & hurt) agent_.process(hit{10, 1});
        agent_.tick(frame_time);
        fall(f_);
    }
    std::size_t bytes() const { return sizeof agent_ + sizeof f_; }

private:
    hsm::chart<fighter> chart_ = make_hero();
    fighter f_;
    hsm::instance<fighter> agent_{chart_, f_};
    hsm::condition moves_ = chart_.condition("Moves"), guards_ = chart_.condition("Guards"), on_ground_ = chart_.condition("OnGround");
    int held_ = 0;
};

/// The same hero with the sword, as a switch over an enumeration.
class hero_by_hand {
public:
    void start() {}
    void process(std::uint8_t now) {
        const int pressed = now & ~held_, released = held_ & ~now;
        held_ = now;
        f_.damage = 0;
        f_.stick = (now & right ? 1 : 0) - (now & left ? 1 : 0);
        moves_ = f_.stick != 0;
        guards_ = (now & block) != 0;
        on_ground_ = f_.at.grounded != 0;
        if (pressed & jump) on_jump();
        if (released & jump && state_ == jumping) f_.at.vy /= 2;
        if (pressed & dodge) on_dodge();
        if (pressed & fire) on_fire();
        if (now & hurt) on_hurt();
        tick();
        fall(f_);
    }
    std::size_t bytes() const { return sizeof *this; }

private:
    enum state { idle, running, jumping, falling, wind_up, swing, window, dodging, raise, guard, shaken, stunned, dead };

    static constexpr std::int64_t ms = 1'000'000;

    bool moving() const { return state_ <= falling; }
    bool in_attack() const { return state_ >= wind_up && state_ <= window; }
    bool blocking() const { return state_ >= raise && state_ <= shaken; }
    bool over(std::int64_t time) const { return now_ - since_ >= time * ms; }
    void enter(state s) {
        state_ = s;
        since_ = now_;
        if (s == jumping) {
            f_.at.push(f_.at.vx, 1290);
            on_ground_ = false;
        }
    }
    /// The transition of the root into `move`, and the one of `move` in the same tick.
    void back_to_move() {
        enter(idle);
        if (moves_)
            enter(running);
        else if (!on_ground_)
            enter(falling);
    }
    void begin_blow(int number) {
        blow_ = number;
        blow_since_ = now_;
        pressed_ = false;
        f_.at.face(f_.stick);
        if (f_.at.grounded) f_.at.vx = 300 * f_.at.facing;
        enter(wind_up);
    }
    void on_jump() {
        if (on_ground_ && (moving() || state_ == window)) enter(jumping);
    }
    void on_dodge() {
        if (!on_ground_ || f_.stamina < 25 || (!moving() && state_ != window)) return;
        f_.stamina -= 25;
        f_.at.vx = (f_.stick ? f_.stick : -f_.at.facing) * 1000;
        enter(dodging);
    }
    void on_fire() {
        if (moving())
            begin_blow(0);
        else if (state_ == dodging || state_ == stunned) {
            if (over(state_ == dodging ? 220 : 200))
                begin_blow(0);
            else
                waits_ = true;
        } else if (in_attack() && blow_ < 2 && now_ - blow_since_ >= 100 * ms)
            pressed_ = true;
    }
    void on_hurt() {
        if (state_ == dodging) return;
        if (blocking() && f_.at.facing == 1) {
            if (state_ == raise)
                f_.parried = 1;
            else {
                f_.stamina -= 10;
                f_.at.vx = -300;
            }
            return;
        }
        f_.health -= 10;
        f_.at.push(-500, 300);
        waits_ = false;
        enter(stunned);
    }
    void steer() {
        f_.at.face(f_.stick);
        f_.at.accelerate(f_.stick * 520, 36);
    }
    void tick() {
        now_ += frame_time.nanoseconds();
        const bool attacks = in_attack();
        if (attacks && f_.at.grounded) f_.at.brake(28); // a superstate is updated before its substates decide
        if (f_.is_dead()) state_ = dead;
        decide();
        if (!attacks && !in_attack()) update();
    }
    void decide() {
        if (waits_ && (state_ == dodging || state_ == stunned) && over(state_ == dodging ? 220 : 200)) {
            waits_ = false;
            begin_blow(0);
            if (f_.at.grounded) f_.at.brake(28);
            return;
        }
        switch (state_) {
        case idle:
            if (guards_ && on_ground_)
                enter(raise);
            else if (moves_)
                enter(running);
            else if (!on_ground_)
                enter(falling);
            break;
        case running:
            if (guards_ && on_ground_)
                enter(raise);
            else if (!moves_)
                enter(idle);
            else if (!on_ground_)
                enter(falling);
            break;
        case jumping:
            if (guards_ && on_ground_)
                enter(raise);
            else if (f_.at.vy > 0)
                enter(falling);
            break;
        case falling:
            if (on_ground_) enter(guards_ ? raise : idle);
            break;
        case wind_up:
            if (over(100)) {
                static constexpr int damage[] = {10, 15, 40};
                f_.damage = damage[blow_];
                enter(swing);
            }
            break;
        case swing:
            if (over(100)) enter(window);
            break;
        case window:
            if (pressed_ && blow_ < 2)
                begin_blow(blow_ + 1);
            else if (over(200))
                enter(idle);
            break;
        case dodging:
            if (over(320)) back_to_move();
            break;
        case raise:
            if (!guards_)
                back_to_move();
            else if (over(200))
                enter(guard);
            break;
        case guard:
            if (!guards_)
                back_to_move();
            else if (f_.stamina <= 0)
                enter(shaken);
            break;
        case shaken:
            if (!guards_ && over(160))
                back_to_move();
            else if (over(500))
                f_.stamina = 30, enter(guard);
            break;
        case stunned:
            if (over(300)) back_to_move();
            break;
        case dead: break;
        }
    }
    void update() {
        switch (state_) {
        case idle: f_.at.brake(50); break;
        case running:
        case jumping:
        case falling: steer(); break;
        case wind_up:
        case swing:
        case window: break;
        case dodging: f_.at.brake(24); break;
        case raise:
        case guard:
        case shaken: f_.at.brake(50); break;
        case stunned: f_.at.brake(20); break;
        case dead: f_.at.brake(12); break;
        }
    }

    fighter f_;
    state state_ = idle;
    std::int64_t now_ = 0, since_ = 0, blow_since_ = 0;
    int blow_ = 0, held_ = 0;
    bool moves_ = false, guards_ = false, on_ground_ = false, pressed_ = false, waits_ = false;
};

/// The place that the bats chase moves through the cave, for both.
int prey_at(std::size_t frame) { return 1560 + static_cast<int>(frame / 4 % 440); }

class bats_machine {
public:
    void start() {}
    void process(std::uint8_t) {
        swarm_.play(prey_at(frame_++), 200, frame_time);
        if (frame_ % 16384 == 5000) bench::count(0, static_cast<std::uint64_t>(swarm_.swat_in({prey_at(frame_) - 20, 150, 40, 40})));
    }
    std::size_t bytes() const { return swarm_.herd().bytes(); }

private:
    arena::level level_;
    arena::bats swarm_{arena::make_bat(), level_, 2000};
    std::size_t frame_ = 0;
};

/// The same bats as a loop over structures.
class bats_by_hand {
public:
    bats_by_hand() {
        const arena::level level;
        arena::bats first(arena::make_bat(), level, 2000);
        first.herd().each([this](hsm::agent_id, const arena::bat& b) { all_.push_back({b, roost, 0}); });
    }
    void start() {}
    void process(std::uint8_t) {
        const int x = prey_at(frame_++);
        now_ += frame_time.nanoseconds();
        for (auto& each : all_) play(each, x);
        if (frame_ % 16384 == 5000) bench::count(0, static_cast<std::uint64_t>(swat(prey_at(frame_))));
    }
    std::size_t bytes() const { return all_.size() * sizeof(bat); }

private:
    enum state : std::uint8_t { roost, chase, retreat, fallen, gone };
    struct bat {
        arena::bat self;
        state now;
        std::int64_t since;
    };

    static std::int16_t limited(int value, int most) { return static_cast<std::int16_t>(std::clamp(value, -most, most)); }
    static void fly_to(arena::bat& b, int x, int y, int spread) {
        ++b.beat;
        const int turn = b.beat / 16;
        const int dx = x * 8 + (turn * 37 % 17 - 8) * spread - b.x;
        const int dy = y * 8 + (turn * 53 % 13 - 6) * spread - b.y;
        b.vx = limited(b.vx + (dx > 0 ? 1 : -1), 20);
        b.vy = limited(b.vy + (dy > 0 ? 1 : -1), 14);
        b.x = static_cast<std::int16_t>(b.x + b.vx);
        b.y = static_cast<std::int16_t>(b.y + b.vy);
    }
    void play(bat& each, int x) const {
        auto& b = each.self;
        const auto near = [&](int farther) { return std::abs(b.home_x / 8 - x) < 50 + b.home_y % 8 * 12 + farther; };
        switch (each.now) {
        case roost:
            if (near(0)) each.now = chase;
            break;
        case chase:
            fly_to(b, x, 170, 60);
            if (!near(70)) each.now = retreat;
            break;
        case retreat: {
            fly_to(b, b.home_x / 8, b.home_y / 8, 0);
            const bool home = std::abs(b.x - b.home_x) < 24 && std::abs(b.y - b.home_y) < 24;
            if (home) {
                b.x = b.home_x;
                b.y = b.home_y;
                b.vx = b.vy = 0;
            }
            if (near(0))
                each.now = chase;
            else if (home)
                each.now = roost;
            break;
        }
        case fallen:
            b.vy = limited(b.vy + 2, 40);
            b.x = static_cast<std::int16_t>(b.x + b.vx);
            b.y = static_cast<std::int16_t>(b.y + b.vy);
            if (now_ - each.since >= 1'200'000'000) each.now = gone;
            break;
        case gone: break;
        }
    }
    int swat(int x) {
        int caught = 0;
        const arena::box where = {x - 20, 150, 40, 40};
        for (auto& each : all_)
            if ((each.now == chase || each.now == retreat) && where.overlaps({each.self.x / 8 - 3, each.self.y / 8 - 3, 6, 6})) {
                each.now = fallen;
                each.since = now_;
                ++caught;
            }
        return caught;
    }

    std::vector<bat> all_;
    std::int64_t now_ = 0;
    std::size_t frame_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    program.compare(
        {"arena", "hero", 0xc8d2314279674fca, held_buttons}, [] { return hero_machine(); }, [] { return hero_by_hand(); });
    program.compare(
        {"arena", "bats", 0x294643d68fa42ecd, held_buttons}, [] { return bats_machine(); }, [] { return bats_by_hand(); });
    return program.status();
}
