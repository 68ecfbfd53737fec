/// The parts of the check.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/compile/detail/outline.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/mistakes.hpp>
#include <hsm/define/detail/transition_options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// Collects findings up to a limit. A definition can have any number of errors: further ones are only counted.
class finding_list {
public:
    explicit finding_list(std::size_t most = std::size_t(-1)) : most_(most > 0 ? most : 1) {}

    bool empty() const { return findings_.empty(); }
    bool full() const { return findings_.size() >= most_; } ///< the texts of further findings are not used
    /// Adds a finding about that state. If `where` is empty, it gets the examined place.
    void add(hsm::code code, const state_base& about, std::string problem, std::string hint, const file_position& where = {});
    void add(finding f);
    /// Counts findings of the same severity that are not stored.
    void add_further(std::size_t count) { further_ += count; }
    /// Returns suggestion(from, what), within a budget of time.
    std::string guess(const state_base& from, const target_spec& what);
    /// Sets the place of later findings that have none of their own.
    void examine(const state_base& s, origin at);
    /// Returns the findings. If further ones were counted, the last finding reports their number.
    std::vector<finding> take();

private:
    std::size_t most_;
    std::size_t further_ = 0;
    guess_budget guesses_;
    const state_base* examined_ = nullptr;
    origin at_;
    std::vector<finding> findings_;
};

/// Converts errors of single states and transitions to findings.
class findings_of_mistakes final : public mistake_listener {
public:
    explicit findings_of_mistakes(finding_list& out) : out_(out) {}
    bool full() const override { return out_.full(); }
    void report(found_mistake m) override;

private:
    finding_list& out_;
};

void check_errors(const outline& o, finding_list& out);

/// Requires an outline without errors.
void check_warnings(const outline& o, const compile_options& options, finding_list& out);

// Used by the warnings.

/// Returns whether it does not depend on active states or on time.
inline bool fires_anywhere(const outline_transition& t) { return !t.spec->asks_states() && !time_option(*t.spec); }
/// Returns whether it fires whenever it is tried.
inline bool unguarded(const outline_transition& t) { return !t.spec->is_guarded() && fires_anywhere(t) && !is_candidate(t); }

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

// These functions check the names of conditions. Call them after number_conditions.
void check_declared(const outline& o, finding_list& out);
void check_misspelt(const outline& o, finding_list& out);

/// Finds transitions that never fire.
void check_shadowed(const outline& o, const by_source& transitions, const compile_options& options, finding_list& out);

/// Returns the options that apply. In a definition from a format with its own rules, states decide, finish and remember by these rules.
compile_options rules_for(const state_base& root, compile_options given);

} // namespace hsm::detail
