/// Prints timelines.
#pragma once

#include <samples/character/timeline.hpp>

#include <cstdio>

/// Prints the changes, one per line; of many only the first and last ones, unless `all`.
void print_changes(std::FILE* out, const timeline& log, double frame_seconds, bool all);
/// Prints the duration, counts, the time in each state, and the states that were never visited.
void print_summary(std::FILE* out, const timeline& log, double frame_seconds);
