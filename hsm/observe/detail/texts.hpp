/// Texts of a chart's parts in explanations. Only this file looks up names.
#pragma once

#include <hsm/chart/view.hpp>

#include <cstdint>
#include <string>

namespace hsm::detail {

// All texts are one line, whatever the names contain: draw/detail/lines.hpp.

/// Returns the state's path.
std::string text_of(const state_view& s);
/// Returns "mob/idle -> mob/run on hit"; "mob/idle on hit" for a reaction, "mob/idle keeps hit" for a deferral, "mob/idle -> mob/run" if polled.
std::string text_of(const transition_view& t);
/// Returns `guard "is angry"`, or for a guard without a label "guard 2", with its position if known: "guard 2 (mob.cpp:12)". `list` contains the
/// guard.
std::string text_of(std::string_view what, const guard_view& g, const view_list<guard_view>& list);
/// Returns "120 ms", "1.5 s", "7 ns".
std::string text_of_time(std::int64_t nanoseconds);

} // namespace hsm::detail
