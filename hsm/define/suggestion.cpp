// Suggests corrections for misspelled names. The number of comparisons and the length of the result are limited.

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

constexpr std::size_t most_for_one = std::size_t(1) << 21; ///< the part of a budget for one suggestion

/// Compares one name with many. Only names that are nearer than all earlier ones count.
class closest {
public:
    closest(std::string_view written, guess_budget& budget)
        : written_(written), budget_(budget), left_(std::min(budget.left, most_for_one)), most_(1 + written.size() / 3) {}

    bool goes_on() const { return left_ > 0 && !exact_ && written_.size() <= longest_guessed; }
    /// Returns whether a name of that length can be nearer.
    bool fits(std::size_t length) {
        spend(1);
        return goes_on() && length <= written_.size() + most_ && written_.size() <= length + most_;
    }
    bool is_nearer(std::string_view name) {
        if (!fits(name.size())) return false;
        const auto distance = distance_to(name);
        if (distance > most_) return false;
        exact_ = distance == 0;
        most_ = distance - !exact_; // later names must be nearer
        return true;
    }

private:
    void spend(std::size_t work) {
        const auto spent = std::min(work, left_);
        left_ -= spent;
        budget_.left -= spent;
    }

    /// Returns the edit distance, or any number above `most_` if it exceeds that. Visits only the cells within `most_` of the diagonal.
    std::size_t distance_to(std::string_view name) {
        const auto far = most_ + 1;
        row_.assign(name.size() + 1, far);
        for (std::size_t j = 0; j <= std::min(most_, name.size()); ++j) row_[j] = j;
        for (std::size_t i = 1; i <= written_.size(); ++i) {
            const auto first = i > most_ ? i - most_ : 1;
            const auto last = std::min(i + most_, name.size());
            if (first > last) return far;
            auto diagonal = row_[first - 1];
            row_[first - 1] = first == 1 ? std::min(i, far) : far;
            auto least = row_[first - 1];
            for (auto j = first; j <= last; ++j) {
                const auto above = row_[j];
                row_[j] = std::min({above + 1, row_[j - 1] + 1, diagonal + (written_[i - 1] != name[j - 1]), far});
                diagonal = above;
                least = std::min(least, row_[j]);
            }
            spend(last - first + 1);
            if (least == far) return far;
        }
        return row_[name.size()];
    }

    std::string_view written_;
    guess_budget& budget_;
    std::size_t left_;
    std::size_t most_;
    bool exact_ = false;
    std::vector<std::size_t> row_;
};

/// Returns the path of `s` relative to `without`; if that is null, from the root.
std::string path_below(const state_base& s, const state_base* without) {
    return s.superstate() && s.superstate() != without ? path_below(*s.superstate(), without) + '/' + std::string(s.name()) : std::string(s.name());
}

/// Calls `visit(state, length of its path)` for all states, superstates first, until it returns false.
template <class Visit> void each_state(const state_base& root, const Visit& visit) {
    struct open_state {
        const state_base* node;
        std::size_t next;
        std::size_t length;
    };
    std::vector<open_state> open{{&root, 0, root.name().size()}};
    if (!visit(root, root.name().size())) return;
    while (!open.empty()) {
        auto& top = open.back();
        if (top.next == top.node->substates().size()) {
            open.pop_back();
            continue;
        }
        const auto* const sub = top.node->substates()[top.next++].get();
        const auto length = top.length + 1 + sub->name().size();
        if (!visit(*sub, length)) return;
        open.push_back({sub, 0, length});
    }
}

/// Returns the state whose name or path, with or without the root's name, is most similar to `written`.
const state_base* closest_state(const state_base& root, std::string_view written, guess_budget& budget) {
    const state_base* best = nullptr;
    closest names(written, budget);
    each_state(root, [&](const state_base& s, std::size_t length) {
        const auto in_root = length - (&s == &root ? 0 : root.name().size() + 1);
        if (names.is_nearer(s.name())) best = &s;
        if (&s != &root && s.superstate() != &root && names.fits(in_root) && names.is_nearer(path_below(s, &root))) best = &s;
        if (&s != &root && names.fits(length) && names.is_nearer(path_below(s, nullptr))) best = &s;
        return names.goes_on();
    });
    return best;
}

} // namespace

std::string_view closest_name(std::string_view written, const std::vector<std::string_view>& names, guess_budget& budget) {
    std::string_view best;
    closest nearest(written, budget);
    for (std::size_t i = 0; i < names.size() && nearest.goes_on(); ++i)
        if (nearest.is_nearer(names[i])) best = names[i];
    return best;
}

std::string suggestion(std::string_view written, const std::vector<std::string_view>& names) {
    guess_budget budget;
    const auto best = closest_name(written, names, budget);
    if (names.empty() || best == written) return {};
    if (!best.empty()) return fmt::format("did you mean \"{}\"?", shown(best));
    return fmt::format("known names: {}", shown_list(names.size(), [&](std::size_t i) { return names[i]; }));
}

std::string suggestion(const state_base& from, const target_spec& what) {
    guess_budget budget;
    return suggestion(from, what, budget);
}

std::string suggestion(const state_base& from, const target_spec& what, guess_budget& budget) {
    if (what.node) return {};
    if (what.id) return fmt::format("add<{}>() adds a state with this name", what.written());
    if (what.by_class) return fmt::format("add<{}>(...) adds a state of this class", detail::unqualified(what.by_class.name));
    if (const auto* const best = closest_state(root_of(from), what.path, budget)) return fmt::format("did you mean \"{}\"?", shown_path(*best));
    const auto& machine = from.substates().empty() && from.superstate() ? *from.superstate() : from;
    const auto& substates = machine.substates();
    return fmt::format("\"{}\" has {}", shown_path(machine), shown_list(substates.size(), [&](std::size_t i) { return substates[i]->name(); }));
}

} // namespace hsm::detail
