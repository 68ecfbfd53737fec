/// Guards, and how they are combined, as a file has them: put into transitions as if `.when` had been given them.
#pragma once

#include <hsm/load/detail/behaviour.hpp>

#include <vector>

namespace hsm::detail {

enum class guard_form : std::uint8_t { behaviour, bit, constant, all, any, negation };

struct guard_tree {
    guard_form form = guard_form::constant;
    const behaviour* what = nullptr; ///< its name is kept with the guard
    origin at = {};
    condition_literal literal{}; ///< of a bit
    bool holds = true;           ///< of a constant
    std::vector<guard_tree> parts = {};
    int priority = 0; ///< the highest that is written in it
    bool has_priority = false;
};

/// As `.when(tree)`: bits by themselves are conditions, everything else becomes a guard.
void add_guard(transition_spec& spec, const guard_tree& tree, bool wanted = true);
/// As `.hold_until(tree)`, or as `finished()` of a local.
guard make_predicate(const guard_tree& tree);

/// What such a guard is made of: for those who write files.
struct composed_part {
    guard_form form = guard_form::constant;
    bool holds = true;
    guard asked; ///< of behaviour
    bool (*ask)(const void* callable, machine& m) = nullptr;
    condition_literal literal{};
    std::vector<composed_part> parts = {};
};
/// Null if the guard is not composed.
const composed_part* composition_of(const guard& g);

} // namespace hsm::detail
