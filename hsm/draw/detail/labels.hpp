/// The texts in boxes and at arrows, and their colors.
#pragma once

#include <hsm/draw/detail/picture.hpp>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

class label_writer {
public:
    label_writer(const chart_view& chart, const draw::options& how);

    label of(const transition_view& t) const;
    /// Returns the lines in the box of a state: hooks, locals, holds, deferrals and reactions.
    std::vector<std::string> lines(const state_view& s) const;
    draw::options const& how() const { return how_; }

private:
    std::string events(const transition_view& t) const;
    std::string trigger(const transition_view& t) const;
    std::string guard(const transition_view& t) const;
    std::string action(const transition_view& t) const;
    std::string more(const transition_view& t) const;
    std::string reaction(const transition_view& t) const;
    void add_hooks(const state_view& s, std::vector<std::string>& to) const;
    void add_holds(const state_view& s, std::vector<std::string>& to) const;
    std::string located(std::string_view text, const file_position& where) const;
    template <class Hook> std::string hook_text(const Hook& h) const;

    const draw::options& how_;
    std::vector<std::vector<std::uint32_t>> rows_; ///< for a transition with several events: all of its rows, at the first one
    std::vector<std::string> event_names_;
    std::vector<std::uint32_t> places_; ///< the place of a choice among those of its source, from 1; 0: there are no others
};

/// Returns a readable time: "133.3 ms".
std::string short_time(time_span time);

inline constexpr int most_heat = 5;
inline constexpr std::size_t heats = most_heat + 1;
// The colors of states and of arrows.
inline constexpr std::array<std::string_view, heats> heat_fill{"#ffffff", "#fff6dd", "#ffe7b3", "#ffcf8c", "#ffb07c", "#f7906f"};
inline constexpr std::array<std::string_view, heats> heat_line{"#afb8c1", "#8c959f", "#9a6700", "#bc4c00", "#bc4c00", "#a40e26"};

/// The highlights of each state and transition, with heat in steps.
class light_reader {
public:
    light_reader(const chart_view& chart, const draw::highlights& from);

    looks of(const state_view& s) const;
    looks of(const transition_view& t) const;

private:
    static looks in(const draw::figures& figures, double hottest, std::uint32_t number);

    const draw::highlights& from_;
    std::vector<bool> active_, taken_;
    double hottest_state_, hottest_transition_;
};

} // namespace hsm::detail
