/// The names of a chart's parts, by the numbers of these parts in records. The names come from a chart, or from a trace file. A trace file can be
/// read without the program that wrote it.
///
/// This is plain data, independent of the chart. The name of an unknown number is "?".
#pragma once

#include <hsm/op/record.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

class chart_base;
class chart_view;

struct chart_names {
    struct state {
        std::string path;                            ///< "hero/fight/slash"
        std::uint16_t superstate = record::no_state; ///< always a smaller number; no_state for the root
        bool parallel = false;                       ///< whether its substates are active together
        friend bool operator==(const state&, const state&) = default;
    };
    struct transition {
        std::string text; ///< "idle -> fight on hit"
        std::uint16_t source = record::no_state;
        std::uint16_t target = record::no_state; ///< no_state for a reaction
        std::uint32_t event = record::no_number; ///< no_number for a polled transition
        friend bool operator==(const transition&, const transition&) = default;
    };

    std::array<std::uint8_t, 16> fingerprint = {}; ///< the chart's fingerprint; see chart_view
    std::vector<state> states;                     ///< in preorder
    std::vector<transition> transitions;
    std::vector<std::string> events;
    std::vector<std::string> conditions;
    std::vector<std::string> guards;
    std::vector<std::string> hooks;
    std::vector<std::string> timers;

    std::string_view path(std::size_t s) const;
    std::string_view name(std::size_t s) const; ///< the last part of its path
    std::string_view text(std::uint32_t t) const;
    std::string_view event(std::uint32_t number) const; ///< for no_number: `an event without a transition`
    bool contains(std::uint16_t outer, std::uint16_t inner) const;

    friend bool operator==(const chart_names&, const chart_names&) = default;
};

chart_names names_of(const chart_view& chart);
chart_names names_of(const chart_base& chart);

/// Returns the name with this number, or "?".
std::string_view name_in(const std::vector<std::string>& names, std::uint32_t number);

} // namespace hsm
