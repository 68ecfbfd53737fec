/// The table of transition options: their names, combinations and limits, for the checker, readers, writers, drawings and code generators.
#pragma once

#include <hsm/define/transition_spec.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace hsm::detail {

/// Sets of parts of a transition that exclude options.
namespace part_sets {

constexpr unsigned event = 1;
constexpr unsigned finished = 2;
constexpr unsigned after = 4;
constexpr unsigned every = 8;

} // namespace part_sets

struct transition_option {
    std::string_view name;                          ///< in C++, XML and dumps
    bool transition_spec::*flag = nullptr;          ///< the field of an option without an argument
    detail::delay transition_spec::*time = nullptr; ///< the field of an option with a time
    std::int64_t least = 0;                         ///< the shortest valid time, in nanoseconds
    unsigned part = 0;                              ///< its own place in part_sets, if it excludes other options
    unsigned excludes = 0;                          ///< a set of part_sets
    bool begins = false;                            ///< C++: a call of the state, which begins a reaction. XML: only in <on>
    std::uint8_t view = 0;                          ///< its bit in the options of views and fingerprints; 0: the trigger shows it
    bool needs_time = false;                        ///< constant charts lack it because they have no time
    std::string_view instead = {};                  ///< for constant charts, which lack it: the alternative. Empty: they have it
    std::string_view scxml_lacks = {};              ///< the ability that SCXML lacks. Empty: it has the option

    bool is_set(const transition_spec& t) const { return flag ? t.*flag : static_cast<bool>(t.*time); }
};

/// Bits of transition_option::view. Fingerprints contain them, so they never change.
namespace view_bits {

constexpr std::uint8_t reenter = 1;
constexpr std::uint8_t external = 2;
constexpr std::uint8_t force = 4;
constexpr std::uint8_t defers = 8; ///< not an option, but a kind of reaction
constexpr std::uint8_t carry_over = 16;

} // namespace view_bits

/// Writers use this order.
inline constexpr transition_option transition_options[] = {
    {.name = "after",
     .time = &transition_spec::after,
     .part = part_sets::after,
     .needs_time = true,
     .instead = "count the time in the context, and test it in a guard",
     .scxml_lacks = "a transition waits for a time and for another trigger"},
    {.name = "every",
     .time = &transition_spec::every,
     .least = 1,
     .part = part_sets::every,
     .excludes = part_sets::event | part_sets::after | part_sets::finished,
     .begins = true,
     .needs_time = true,
     .instead = "count the time in the context, in an update hook",
     .scxml_lacks = "it has a periodic reaction (every)"},
    {.name = "reenter", .flag = &transition_spec::reenter, .view = view_bits::reenter},
    {.name = "external", .flag = &transition_spec::external, .view = view_bits::external},
    {.name = "always",
     .flag = &transition_spec::always,
     .excludes = part_sets::event | part_sets::finished | part_sets::every,
     .instead = "make the state transient: transient=\"true\""},
    {.name = "force",
     .flag = &transition_spec::force,
     .view = view_bits::force,
     .scxml_lacks = "a transition does not wait for states that hold (force)"},
    {.name = "carry_over",
     .flag = &transition_spec::carry_over,
     .view = view_bits::carry_over,
     .needs_time = true,
     .instead = "count the time in the context, and test it in a guard",
     .scxml_lacks = "a state's time starts when the delay was due (carry_over)"},
};

/// Returns the option with a time that the transition has; null if it has none.
inline const transition_option* time_option(const transition_spec& t) {
    const auto* const found = std::ranges::find_if(transition_options, [&](const auto& o) { return o.time && o.is_set(t); });
    return found == std::end(transition_options) ? nullptr : found;
}

} // namespace hsm::detail
