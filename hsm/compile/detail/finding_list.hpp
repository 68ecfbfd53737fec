/// Collects findings up to a limit. A definition can have any number of errors: further ones are only counted.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/mistakes.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

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
    void hear(told_mistake m) override;

private:
    finding_list& out_;
};

} // namespace hsm::detail
