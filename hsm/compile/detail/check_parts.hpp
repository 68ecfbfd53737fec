/// The parts of the check.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/compile/detail/finding_list.hpp>
#include <hsm/compile/detail/outline.hpp>

#include <string>
#include <vector>

namespace hsm::detail {

void check_errors(const outline& o, finding_list& out);

/// Requires an outline without errors.
void check_warnings(const outline& o, const compile_options& options, finding_list& out);

// Used by the warnings.

/// Returns whether it does not depend on active states or on time.
inline bool fires_anywhere(const outline_transition& t) { return !t.spec->asks_states() && !t.spec->after && !t.spec->every; }
/// Returns whether it fires whenever it is tried.
inline bool unguarded(const outline_transition& t) { return !t.spec->is_guarded() && fires_anywhere(t); }

/// Returns "transition to "hero/idle" on "hit"".
std::string described(const outline& o, const outline_transition& t);

/// The transitions of each source, in the order in which they are tried.
class by_source {
public:
    explicit by_source(const outline& o);
    const std::vector<const outline_transition*>& of(index s) const { return lists_[s]; }

private:
    std::vector<std::vector<const outline_transition*>> lists_;
};

// Check the names of conditions. Call them after number_conditions.
void check_declared(const outline& o, finding_list& out);
void check_misspelt(const outline& o, finding_list& out);

/// Finds transitions that never fire.
void check_shadowed(const outline& o, const by_source& transitions, const compile_options& options, finding_list& out);

/// Returns the options that apply. Definitions from a format with its own rules decide, finish and remember by these.
compile_options rules_for(const state_base& root, compile_options given);

} // namespace hsm::detail
