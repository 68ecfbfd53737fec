/// Prints timelines.
#pragma once

#include <samples/character/timeline.hpp>

#include <cstdio>

/// Prints the changes, one per line. If there are many, prints only the first and last ones, unless `all` is true.
void print_changes(std::FILE* out, const timeline& log, double frame_seconds, bool all);
/// Prints the duration, counts, the time in each state, and the states that were never visited.
void print_summary(std::FILE* out, const timeline& log, double frame_seconds);
