/// The highlights of each state and transition, with heat in steps.
#pragma once

#include <hsm/draw/detail/picture.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace hsm::detail {

inline constexpr int most_heat = 5;
inline constexpr std::size_t heats = most_heat + 1;
// The colors of states and of arrows.
inline constexpr std::array<std::string_view, heats> heat_fill{"#ffffff", "#fff6dd", "#ffe7b3", "#ffcf8c", "#ffb07c", "#f7906f"};
inline constexpr std::array<std::string_view, heats> heat_line{"#afb8c1", "#8c959f", "#9a6700", "#bc4c00", "#bc4c00", "#a40e26"};

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
