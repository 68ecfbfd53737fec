/// What the machine of a hero does, as text over the picture: the key F1.
#pragma once

#include "canvas.hpp"
#include "world.hpp"

#include <hsm/chart/view.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/observe/recorder.hpp>

#include <cstdio>
#include <optional>

namespace arena {

inline std::string seconds(hsm::time_span time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(time.nanoseconds()) / 1e9);
    return text;
}

/// Returns the time until the timer is due next, or nothing if it is not running.
inline std::optional<hsm::time_span> time_left(const hsm::instance_base& machine, hsm::timer_view timer) {
    if (!timer.fixed() || !machine.is_in(timer.state().ref())) return {};
    const auto active = hsm::time_span(machine.time_in_state(timer.state().ref())).nanoseconds();
    const auto length = timer.fixed()->nanoseconds();
    if (timer.is_periodic()) return hsm::time_span::from_nanoseconds(length - active % length);
    if (active > length) return {};
    return hsm::time_span::from_nanoseconds(length - active);
}

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
        for (const auto timer : view.timers())
            if (const auto left = time_left(hero.machine, timer))
                line("  " + std::string(timer.state().name()) + (timer.is_periodic() ? " every " : " after ") +
                         seconds(*timer.fixed()) + ": " + seconds(*left),
                     0x8FD3FF);
        std::string set;
        for (const auto condition : view.conditions())
            if (condition.number() && hero.machine.get(condition.text())) set += ' ' + condition.text();
        line("SET:" + set, 0x9CCB4F);
        std::vector<std::string> last;
        for (const auto& r : seen_)
            if (r.kind == hsm::record_kind::transition) last.push_back(to_string(r, hero.chart));
        for (auto i = last.size() - std::min<std::size_t>(last.size(), 6); i < last.size(); ++i)
            line(last[i].substr(last[i].find(' ') + 1), 0xE9E4F2);
    }

    hsm::recorder seen_{256};
    hsm::attachment attached_;
    std::vector<std::string> report_;
};

} // namespace arena
