/// What the machine of a hero does, as text over the picture: the key F1.
#pragma once

#include "canvas.hpp"
#include "world.hpp"

#include <hsm/chart/view.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/observe/recorder.hpp>

#include <string>
#include <vector>

namespace arena {

class overlay {
public:
    explicit overlay(world& game) : attached_(game.heroes[0].machine.attach(seen_, hsm::record_kind::transition)) {}

    void draw(const world& game, canvas& to) const {
        if (visible) draw_machine(game, to);
        int y = canvas::height - 10 - 8 * static_cast<int>(report_.size());
        if (!report_.empty()) to.fill({0, y - 4, canvas::width, canvas::height - y + 4}, 0x3A0F14, .85f);
        for (const auto& each : report_) {
            to.text(6, y, each.substr(0, 94), 0xFFD9C9);
            y += 8;
        }
    }
    /// Shows lines at the lower edge until others replace them, even while the overlay is hidden.
    void report(std::vector<std::string> lines) { report_ = std::move(lines); }

    bool visible = false;

private:
    void draw_machine(const world& game, canvas& to) const {
        constexpr int width = 58; // letters
        int y = 41;
        const auto line = [&](const std::string& words, color c) {
            to.fill({4, y - 5, 4 * width + 8, 8}, 0x0B0A14, .72f);
            to.text(8, y - 2, words.substr(0, width), c);
            y += 8;
        };
        const auto& hero = game.heroes[0];
        line("FRAME " + std::to_string(game.frame()), 0x8C88A0);
        line(hero.machine.path_of_leaves(), 0xF8D06A);
        const auto view = hero.chart.view();
        for (const auto timer : view.timers()) {
            const hsm::timer_key key = timer; // empty for the time of a hold
            const auto left = key.spec ? hero.machine.time_left(key) : std::nullopt;
            if (!left) continue;
            const auto seconds = std::to_string(static_cast<double>(left->nanoseconds()) / 1e9).substr(0, 4);
            line("  " + std::string(timer.state().name()) + ": " + seconds + " S", 0x8FD3FF);
        }
        std::string set;
        for (const auto condition : view.conditions())
            if (condition.number() && hero.machine.get(condition.text())) set += ' ' + condition.text();
        line("SET:" + set, 0x9CCB4F);
        for (const auto& r : seen_) {
            const auto text = to_string(r, hero.chart);
            if (r.kind == hsm::record_kind::transition) line(text.substr(text.find(' ') + 1), 0xE9E4F2);
        }
    }

    hsm::recorder seen_{6}; // the last transitions
    hsm::attachment attached_;
    std::vector<std::string> report_;
};

} // namespace arena
