/// How explanations name the parts of a chart: the only place where they look them up.
#pragma once

#include <hsm/chart/view.hpp>

#include <cstdint>
#include <string>

namespace hsm::detail {

// In one line, whatever the names contain: draw/detail/lines.hpp.

/// Its path.
std::string text_of(const state_view& s);
/// "mob/idle -> mob/run on hit"; "mob/idle on hit" for a reaction, "mob/idle keeps hit", "mob/idle -> mob/run" for a polled one.
std::string text_of(const transition_view& t);
/// `guard "is angry"`, or, if it has no label, "guard 2", with its place if that is known: "guard 2 (mob.cpp:12)". First: the list that it is in.
std::string text_of(std::string_view what, const guard_view& g, const view_list<guard_view>& list);
/// "120 ms", "1.5 s", "7 ns".
std::string text_of_time(std::int64_t nanoseconds);

} // namespace hsm::detail
