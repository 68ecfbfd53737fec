/// The parts of the check.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/compile/detail/finding_list.hpp>
#include <hsm/compile/detail/outline.hpp>

#include <string>
#include <vector>

namespace hsm::detail {

void check_errors(const outline& o, finding_list& out);

/// Only for outlines without errors.
void check_warnings(const outline& o, const compile_options& options, finding_list& out);

// For the warnings.

/// Which states are active, and the time, do not matter to it.
inline bool fires_anywhere(const outline_transition& t) { return !t.spec->asks_states() && !t.spec->after && !t.spec->every; }
/// Nothing has a say when it is its turn.
inline bool unguarded(const outline_transition& t) { return !t.spec->is_guarded() && fires_anywhere(t); }

/// "transition to "hero/idle" on "hit"".
std::string described(const outline& o, const outline_transition& t);

/// Transitions by source, in the order in which they are tried.
class by_source {
public:
    explicit by_source(const outline& o);
    const std::vector<const outline_transition*>& of(index s) const { return lists_[s]; }

private:
    std::vector<std::vector<const outline_transition*>> lists_;
};

// Of the names of conditions. Behind number_conditions.
void check_declared(const outline& o, finding_list& out);
void check_misspelt(const outline& o, finding_list& out);

/// Of transitions that never fire.
void check_shadowed(const outline& o, const by_source& transitions, const compile_options& options, finding_list& out);

/// What was loaded from a format that has rules of its own decides, finishes and remembers by these.
compile_options rules_for(const state_base& root, compile_options given);

} // namespace hsm::detail
