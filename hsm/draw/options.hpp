/// The options of a drawing: the parts of a chart that it contains, and their appearance. The options are plain data, and the same for all languages.
///
///     hsm::draw::dot(chart, {.part = "attack", .show = {.hooks = false}, .highlight = hsm::draw::active(chart, agent.leaves())})
///
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/draw/highlights.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::draw {

/// The main direction of transitions in the drawing.
enum class direction { down, right };

/// The details that are drawn in addition to names, targets and events. States and transitions are always drawn.
struct shown {
    bool guards = true;     ///< conditions, guards, and states that must or must not be active
    bool actions = true;    ///< actions of transitions
    bool hooks = true;      ///< hooks of states; a hook without a label is drawn as the name of its kind
    bool timers = true;     ///< delays, periods, minimum durations
    bool priorities = true; ///< priorities and the other rules that decide between transitions: force, reenter, external, the order of choices
    bool locals = true;     ///< the types of locals
    bool locations = false; ///< the source position of each state, transition and hook
};

/// A state with everything inside it. Default: the whole chart.
class part {
public:
    part() = default;
    part(std::string_view path) : path_(path) {} ///< see chart_view::find
    part(const char* path) : path_(path) {}
    part(const std::string& path) : path_(path) {}
    part(state_view state) : path_(state ? state.path() : std::string_view()) {}

    const std::string& path() const { return path_; } ///< empty: the whole chart

private:
    std::string path_;
};

struct options {
    static constexpr std::size_t all_levels = static_cast<std::size_t>(-1);

    /// The state to draw. Sources and targets outside it are drawn as dotted boxes with the names of the states.
    draw::part part = {};
    /// The number of levels to draw below the part. The box of a superstate at the last level contains the number of states and the number of
    /// transitions inside it. If a transition begins or ends at a state inside the superstate, its arrow begins or ends at the box, and its label
    /// names the state.
    std::size_t depth = all_levels;
    draw::direction direction = direction::down;
    shown show = {};
    highlights highlight = {};
    std::size_t line_length = 30; ///< labels are wrapped after this many characters, preferably at a space
    bool ascii = false;           ///< `text` only: no line-drawing characters
    bool colors = false;          ///< `text` only: use the colors of a terminal
};

} // namespace hsm::draw
