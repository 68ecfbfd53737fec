/// The parts of the check, and what they have in common.
#pragma once

#include <hsm/compile/finding.hpp>
#include <hsm/compile/options.hpp>
#include <hsm/compile/outline.hpp>

#include <string>
#include <vector>

namespace hsm {

void check_errors(const outline& o, std::vector<finding>& out);

/// Only for outlines without errors.
void check_warnings(const outline& o, const compile_options& options, std::vector<finding>& out);

/// Transitions by source, in the order in which they are tried.
class by_source {
public:
    explicit by_source(const outline& o);
    const std::vector<const outline_transition*>& of(index s) const { return lists_[s]; }

private:
    std::vector<std::vector<const outline_transition*>> lists_;
};

inline bool unguarded(const outline_transition& t) {
    return !t.spec->is_guarded() && t.joined.empty() && !t.spec->after && !t.spec->every;
}

/// "transition to "hero/run" on "press"".
std::string described(const outline& o, const outline_transition& t);

// check_shadowed.cpp
/// Transitions of one source, some of which fire whenever later ones could.
void check_shadowed(const outline& o, const by_source& transitions, std::vector<finding>& out);
/// Events that a superstate always consumes, and that never reach its substates.
void check_consumed(const outline& o, const by_source& transitions, std::vector<finding>& out);

} // namespace hsm
