/// Prints timelines for people.
#pragma once

#include <samples/character/timeline.hpp>

#include <cstdio>

/// Changes, one per line; of many only the first and last, unless `all`.
void print_changes(std::FILE* out, const timeline& log, double frame_seconds, bool all);
/// How long, how many, where the time went, and what was never visited.
void print_summary(std::FILE* out, const timeline& log, double frame_seconds);
