/// Collects what the check finds. A definition can be wrong in any number of places: only the first of them are told, the others
/// are counted.
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
    bool full() const { return findings_.size() >= most_; } ///< from here on texts are not read any more
    /// About that state. Its place: `where`, unless that is nowhere.
    void add(hsm::code code, const state_base& about, std::string problem, std::string hint, const file_position& where = {});
    void add(finding f);
    /// Findings of the same severity that somewhere else were only counted.
    void add_further(std::size_t count) { further_ += count; }
    /// suggestion(from, what), as long as that does not take too much time.
    std::string guess(const state_base& from, const target_spec& what);
    /// From now on, what does not say where it is in a file is there.
    void examine(const state_base& s, origin at);
    /// If there are further ones, the last one is their number.
    std::vector<finding> take();

private:
    std::size_t most_;
    std::size_t further_ = 0;
    guess_budget guesses_;
    const state_base* examined_ = nullptr;
    origin at_;
    std::vector<finding> findings_;
};

/// Makes findings of what is wrong with states and transitions by themselves.
class findings_of_mistakes final : public mistake_listener {
public:
    explicit findings_of_mistakes(finding_list& out) : out_(out) {}
    bool full() const override { return out_.full(); }
    void hear(told_mistake m) override;

private:
    finding_list& out_;
};

} // namespace hsm::detail
