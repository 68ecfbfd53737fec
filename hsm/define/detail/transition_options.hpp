/// The table of transition options: their names, combinations and limits, for the checker, readers, writers, drawings and code generators.
#pragma once

#include <hsm/define/transition_spec.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace hsm::detail {

/// Sets of parts of a transition that exclude options.
namespace part_sets {
enum : unsigned { event = 1, finished = 2, after = 4, every = 8 };
}

/// Bits for options that the trigger does not show. Fingerprints contain them, so they never change. `defers` is a kind of reaction.
namespace view_bits {
enum : std::uint8_t { none = 0, reenter = 1, external = 2, force = 4, defers = 8, carry_over = 16 };
}

/// An option has no argument (`flag`), a time or a text.
struct transition_option {
    std::string_view name; ///< in C++, XML and dumps
    bool transition_spec::*flag;
    detail::delay transition_spec::*time;
    std::uint8_t view;                 ///< of view_bits
    unsigned part = 0;                 ///< its own place in part_sets, if it excludes other options
    unsigned excludes = 0;             ///< a set of part_sets
    bool begins = false;               ///< C++: a call of the state, which begins a reaction. XML: only in <on>
    std::int64_t least = 0;            ///< the shortest valid time, in nanoseconds
    std::string_view scxml_lacks = {}; ///< the ability that SCXML lacks. Empty: it has the option
    std::string transition_spec::*text = nullptr;

    bool is_set(const transition_spec& t) const { return flag ? t.*flag : text ? !(t.*text).empty() : static_cast<bool>(t.*time); }
};

/// Writers use this order.
inline constexpr transition_option transition_options[] = {
    {"after", nullptr, &transition_spec::after, view_bits::none, part_sets::after, 0, false, 0,
     "a transition waits for a time and for another trigger"},
    {"every", nullptr, &transition_spec::every, view_bits::none, part_sets::every, part_sets::event | part_sets::after | part_sets::finished, true, 1,
     "it has a periodic reaction (every)"},
    {"reenter", &transition_spec::reenter, nullptr, view_bits::reenter},
    {"external", &transition_spec::external, nullptr, view_bits::external},
    {"always", &transition_spec::always, nullptr, view_bits::none, 0, part_sets::event | part_sets::finished | part_sets::every},
    {"force", &transition_spec::force, nullptr, view_bits::force, 0, 0, false, 0, "a transition does not wait for states that hold (force)"},
    {"carry_over", &transition_spec::carry_over, nullptr, view_bits::carry_over, 0, 0, false, 0,
     "the time in a target state counts from the moment when the delay was due (carry_over)"},
    {"label", nullptr, nullptr, view_bits::none, 0, 0, false, 0, "a transition has a label", &transition_spec::label},
};

/// Returns the option with a time that the transition has; null if it has none.
inline const transition_option* time_option(const transition_spec& t) {
    const auto* const found = std::ranges::find_if(transition_options, [&](const auto& o) { return o.time && o.is_set(t); });
    return found == std::end(transition_options) ? nullptr : found;
}

} // namespace hsm::detail
