#include "enemy.hpp"

#include <hsm/define/score.hpp>
#include <hsm/load/registry.hpp>

namespace arena {

namespace {

void walk(enemy& e) { e.at.accelerate(160 * e.at.facing, 24); }
void hurry(enemy& e) { e.at.accelerate(300 * e.at.facing, 30); }
void charge(enemy& e) { e.at.accelerate(620 * e.at.facing, 30); }
void stop(enemy& e) { e.at.brake(30); }
void turn(enemy& e) { e.at.face(-e.at.facing); }
void face(enemy& e) { e.at.face(e.ahead); }
void look_away(enemy& e) { e.at.face(-e.ahead); }

const hsm::registration<enemy> behavior{[](hsm::registrar<enemy>& names) {
    names.guard("sees", [](const enemy& e) { return e.distance() < 170 && std::abs(e.above) < 70; });
    names.guard("lost", [](const enemy& e) { return e.distance() > 240 || std::abs(e.above) > 110; });
    names.guard("near", [](const enemy& e) { return e.distance() < 30 && std::abs(e.above) < 30; });
    names.guard("close", [](const enemy& e) { return e.distance() < 80 && std::abs(e.above) < 40; });
    names.guard("far", [](const enemy& e) { return e.distance() > 90; });
    names.guard("level", [](const enemy& e) { return std::abs(e.above) < 30; });
    names.guard("blocked", [](const enemy& e) { return e.at.blocked != 0; });
    names.guard("grounded", [](const enemy& e) { return e.at.grounded != 0; });
    names.guard("strayed", [](const enemy& e) { return (e.at.px() - e.home) * e.at.facing > 60; });
    names.guard("dead", &enemy::is_dead);
    using hsm::curve::linear;
    names.score("in reach", [](const enemy& e) { return linear(e.distance(), 35, 25); });
    names.score("crowded", [](const enemy& e) { return linear(e.distance(), 90, 10); });
    names.score("run up", [](const enemy& e) { return linear(e.distance(), 20, 80); });
    names.score("aim", [](const enemy& e) {
        return hsm::product_of(linear(e.distance(), 0, 90), linear(std::abs(e.above), 30, 20));
    });
    names.score("fear", [](const enemy& e) { return hsm::curve::inverse(e.health, 10); });
    names.score("fury", [](const enemy& e) { return linear(e.health, 90, 30); });
    names.guard<hit>("hard", [](const enemy&, const hit& h) { return h.damage >= 24; });
    names.hook("walk", &walk).hook("hurry", &hurry).hook("charge", &charge).hook("stop", &stop);
    names.hook("turn", &turn).hook("face", &face).hook("look_away", &look_away);
    names.hook("leap", [](enemy& e) { e.at.push(420 * e.at.facing, 760); });
    names.hook("stab", [](enemy& e) { e.strike(8, 26); });
    names.hook("kick", [](enemy& e) { e.strike(5, 20); });
    names.hook("slam", [](enemy& e) { e.strike(26, 44); });
    names.hook("swipe", [](enemy& e) { e.strike(12, 36); });
    names.hook("ram", [](enemy& e) { e.strike(16, 16); });
    names.hook("shoot", [](enemy& e) { e.shot = 9; });
    names.action<hit>("hurt", [](enemy& e, const hit& h) {
        e.health -= h.damage;
        e.at.push(-(e.kind == brute ? 120 : 420) * h.side, h.damage >= 24 ? 700 : 200);
    });
    names.action<hit>("bear", [](enemy& e, const hit& h) { e.health -= h.damage; });
    names.event<hit>("hit").event<parried>("parried");
}};

} // namespace

enemy enemy::make(enemy_kind kind, int x, int y) {
    constexpr int strengths[enemy_kinds] = {30, 25, 90};
    enemy e;
    e.at = body::at(x, y, -1);
    e.kind = kind;
    e.health = strengths[kind];
    e.home = x;
    if (kind == brute) e.at.w = 18, e.at.h = 34;
    return e;
}

} // namespace arena
