/// How explanations name the parts of a chart: the only place where they look them up.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <cstdint>
#include <string>

namespace hsm::detail {

std::string text_of_state(const chart_core& core, std::uint32_t state); ///< its path
/// "start", "game::hit", "go of game::signal".
std::string text_of_event(const chart_core& core, std::uint32_t event);
/// Without `is (not) set`: "IsRun", "condition 3".
std::string text_of_condition(const chart_core& core, std::uint32_t condition);
/// "mob/idle -> mob/run on hit"; "mob/idle on hit" for a reaction, "mob/idle keeps hit", "mob/idle -> mob/run" for a polled one.
std::string text_of_transition(const chart_core& core, std::uint32_t transition);
/// "guard "is angry"", or, if it has no label, "guard 2", with the place of the transition if that is known: "guard 2 (mob.xml:12:5)".
std::string text_of_guard(const chart_core& core, std::uint32_t transition, std::uint32_t guard);
/// The same of a predicate of a state that holds.
std::string text_of_predicate(const chart_core& core, std::uint32_t state, std::uint32_t guard);
/// "120 ms", "1.5 s", "7 ns".
std::string text_of_time(std::int64_t nanoseconds);

} // namespace hsm::detail
