// Chooses the conditions that a leaf watches: for each transition that could fire in its tick, conditions that exclude it while they differ from the
// required values.

#include <hsm/compile/detail/programs.hpp>

#include <algorithm>
#include <bit>
#include <compare>
#include <optional>
#include <tuple>
#include <utility>

namespace hsm::detail {

namespace {

/// Conditions that exclude a transition while all of them differ from `wanted`: one bit of an all-group, or all bits of an any-group.
struct choice {
    std::uint64_t watch;
    std::uint64_t wanted;

    auto operator<=>(const choice&) const = default;
};
using choices = std::vector<choice>;

/// Only conditions in the first word are watched.
choices choices_of(const chart_core& core, const transition_row& t) {
    choices all;
    for (auto i = t.conditions.first; i < t.conditions.first + t.conditions.count; ++i) {
        const auto& group = core.groups[i];
        const auto& first = core.masks[group.first];
        if (first.word != 0) continue;
        if (group.any && group.count == 1) all.push_back({first.filter, first.mask});
        if (group.any) continue;
        for (auto rest = first.filter; rest != 0; rest &= rest - 1) {
            const auto bit = rest & (0 - rest);
            all.push_back({bit, first.mask & bit});
        }
    }
    // conditions are rarely set, so requiring a set condition excludes more often; a choice with few bits excludes more often than one with many
    std::ranges::sort(all, {}, [](const choice& c) { return std::tuple(std::popcount(c.watch & ~c.wanted), std::popcount(c.watch), c); });
    return all;
}

/// Finds one choice for each transition, so that no bit is watched for both of its values. Gives up after most_steps.
class search {
public:
    explicit search(std::vector<choices> of_each) : of_each_(std::move(of_each)) {
        std::ranges::sort(of_each_, [](const choices& a, const choices& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    }
    std::optional<choice> run(choice so_far = {0, 0}) { return choose(0, so_far) ? std::optional(found_) : std::nullopt; }

private:
    bool choose(std::size_t i, choice so_far) {
        if (i == of_each_.size()) return found_ = so_far, true;
        for (const auto& c : of_each_[i]) {
            if (steps_++ > most_steps) return false;
            const bool agrees = ((c.wanted ^ so_far.wanted) & c.watch & so_far.watch) == 0;
            if (agrees && choose(i + 1, {so_far.watch | c.watch, so_far.wanted | c.wanted})) return true;
        }
        return false;
    }

    static constexpr int most_steps = 10'000;
    std::vector<choices> of_each_;
    choice found_{};
    int steps_ = 0;
};

/// Calls visit(transition) for each transition that a tick can fire there, until it returns false. Returns false then, and also if a tick can do
/// more: updates, a state that holds, a machine at rest. With `reactions`, polled reactions are visited; otherwise they count as updates.
template <class Visit> bool each_transition(const chart_core& core, index leaf, bool reactions, Visit visit) {
    if (core.has_holds || core.states[leaf].kind == state_kind::machine) return false;
    const auto each_of = [&](const span_of& span) {
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto& t = core.transitions[i];
            const bool satisfied = t.any_state && t.goal == t.target && core.contains(t.goal, leaf); // independent of its conditions
            if (satisfied && t.guards.count == 0 && !t.is_candidate) continue;
            if (!visit(t)) return false;
        }
        return true;
    };
    for (auto s = leaf; s != no_index; s = core.states[s].superstate) {
        const auto& row = core.states[s];
        if (row.updates && (!reactions || row.hooks.update.count + row.predicates.count > 0)) return false;
        if (!each_of(row.polled) || (row.updates && !each_of(row.reactions))) return false;
    }
    return true;
}

/// `besides` is what other transitions watch.
idle_test test_for(std::vector<choices> of_each, const idle_test& besides = {~std::uint64_t(0)}) {
    const auto found = search(std::move(of_each)).run({besides.watch, ~besides.unwanted});
    return found ? idle_test{~found->wanted, found->watch, true} : idle_test();
}

idle_test idle_test_of(const chart_core& core, index leaf) {
    std::vector<choices> all;
    const bool known = each_transition(core, leaf, false, [&](const transition_row& t) {
        all.push_back(choices_of(core, t));
        return !all.back().empty();
    });
    return known ? test_for(std::move(all)) : idle_test();
}

/// Returns the test for a state's own transitions in addition to that of its superstates, `around`.
idle_test test_within(const chart_core& core, const state_row& s, const idle_test& around) {
    if (!around.known || s.updates) return {};
    std::vector<choices> own;
    for (auto i = s.polled.first; i < s.polled.first + s.polled.count; ++i) {
        own.push_back(choices_of(core, core.transitions[i]));
        if (own.back().empty()) return {};
    }
    return test_for(std::move(own), around);
}

/// Extends the test of each superstate for its substates, so the time is proportional to the number of transitions. Satisfied transitions are
/// watched, too.
void make_inherited_tests(chart_core& core) {
    for (const auto& s : core.states) {
        const idle_test outermost{~std::uint64_t(0), 0, !core.has_holds};
        core.idle_tests.push_back(test_within(core, s, s.superstate == no_index ? outermost : core.idle_tests[s.superstate]));
    }
    for (index s = 0; s < row_count(core.states); ++s)
        if (core.is_machine(s)) core.idle_tests[s] = {}; // at rest it repeats its entry choice
}

} // namespace

void make_idle_tests(chart_core& core) {
    if (core.conditions.empty() || core.by_regions) return;
    if (core.by_parts) return make_inherited_tests(core);
    for (index leaf = 0; leaf < row_count(core.states); ++leaf) core.idle_tests.push_back(idle_test_of(core, leaf));
}

timed_idle_test timed_idle_test_of(const chart_core& core, index leaf) {
    timed_idle_test test;
    if (core.by_regions || core.by_parts) return test;
    std::vector<choices> untimed, timed;
    const bool known = each_transition(core, leaf, true, [&](const transition_row& t) {
        const bool is_timed = t.timer != no_timer;
        if (is_timed) test.timers.push_back(t.timer);
        auto& all = (is_timed ? timed : untimed).emplace_back(choices_of(core, t));
        return is_timed || !all.empty();
    });
    if (known) test.before = test_for(std::move(untimed));
    if (!test.before.known) return {};
    test.due = test_for(std::move(timed));
    return test;
}

} // namespace hsm::detail
