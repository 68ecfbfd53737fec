/// What of a chart is drawn, and how: plain data, the same for all languages.
///
///     hsm::draw::dot(chart, {.part = "attack", .show = {.hooks = false}, .highlight = hsm::draw::active(chart, agent.leaves())})
///
/// Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/draw/highlights.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::draw {

/// Where transitions lead on the paper, for the most part.
enum class direction { down, right };

/// What stands beside names, targets and events. States and transitions are drawn in any case.
struct shown {
    bool guards = true;     ///< conditions, guards, and states that must or must not be active
    bool actions = true;    ///< of transitions
    bool hooks = true;      ///< of states; what a superstate tells only by its place, and not by a label, is told by the word alone
    bool timers = true;     ///< delays, periods, least durations
    bool priorities = true; ///< and what else decides between transitions: force, reenter, external, the order of choices
    bool locals = true;     ///< the types of what lives while a state is active
    bool locations = false; ///< where each state, transition and hook was written
};

/// A state with all that is inside it. Default: the whole chart.
class part {
public:
    part() = default;
    part(std::string_view path) : path_(path) {} ///< as chart_view::find
    part(const char* path) : path_(path) {}
    part(const std::string& path) : path_(path) {}
    part(state_view state) : path_(state ? state.path() : std::string_view()) {}

    const std::string& path() const { return path_; } ///< empty: all

private:
    std::string path_;
};

struct options {
    static constexpr std::size_t all_levels = static_cast<std::size_t>(-1);

    /// Where a transition comes from elsewhere, or leads there, a dotted box with that state's name stands for it.
    draw::part part = {};
    /// So many levels below the part's own are drawn. What is deeper is told in its superstate's box by numbers; transitions from or to
    /// it begin or end at that box, and tell where.
    std::size_t depth = all_levels;
    draw::direction direction = direction::down;
    shown show = {};
    highlights highlight = {};
    std::size_t line_length = 30; ///< labels are wrapped behind so many characters, where there is a space
    bool ascii = false;           ///< `text` only: no line-drawing characters
    bool colours = false;         ///< `text` only: for a terminal that knows them
};

} // namespace hsm::draw
