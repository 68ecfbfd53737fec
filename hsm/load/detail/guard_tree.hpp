/// Guards and their combinations as a file contains them, and how they are added to transitions.
#pragma once

#include <hsm/load/detail/behavior.hpp>

#include <vector>

namespace hsm::detail {

enum class guard_form : std::uint8_t { behavior, bit, constant, all, any, negation };

struct guard_tree {
    guard_form form = guard_form::constant;
    const behavior* what = nullptr; ///< its name is stored in the guard
    origin at = {};
    condition_literal literal{}; ///< for bits
    bool holds = true;           ///< for constants
    std::vector<guard_tree> parts = {};
    int priority = 0; ///< the highest one in the tree
    bool has_priority = false;
};

/// Adds the tree as `.when(tree)` would: single bits are conditions, everything else is a guard.
void add_guard(transition_spec& spec, const guard_tree& tree, bool wanted = true);
/// Returns a predicate for `.hold_until(tree)`, or for `finished()` of a local.
guard make_predicate(const guard_tree& tree);

/// A part of a composed guard, for saving.
struct guard_operand {
    guard_form form = guard_form::constant;
    bool holds = true;
    guard asked; ///< for behavior
    bool (*ask)(const void* callable, machine& m) = nullptr;
    condition_literal literal{};
    std::vector<guard_operand> parts = {};
};
/// Returns null if the guard is not composed.
const guard_operand* composition_of(const guard& g);

} // namespace hsm::detail
