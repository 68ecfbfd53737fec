/// Definitions of any size in which leaves inherit much. The memory of their charts must be proportional to the definition, not to the number of
/// leaves times transitions.
#pragma once

#include <hsm/hsm.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace large {

struct data {
    int wanted = -1; ///< the leaf whose guards are true; -1: none
    std::uint64_t entered = 0, exited = 0;
};

enum class signal : std::uint16_t {};
inline constexpr int signals = 4;
inline constexpr int conditions = 60; ///< each leaf tests two of them: the digits of its number

struct definition {
    hsm::owned<hsm::fsm<data>> root = hsm::make_fsm<data>("root");
    std::vector<hsm::state<data>*> leaves;
};

inline hsm::state<data>& with_hooks(hsm::state<data>& s) {
    return s.on_enter([](data& d) { ++d.entered; }).on_exit([](data& d) { ++d.exited; });
}

inline auto lets_pass(int leaf) {
    return [leaf](const data& d) { return d.wanted == leaf; };
}

inline std::array<std::string, 2> conditions_of(int leaf) {
    const auto digits = conditions / 2;
    return {"c" + std::to_string(leaf % digits), "d" + std::to_string(leaf / digits % digits)};
}

inline definition side_by_side(int n) {
    definition d;
    for (int i = 0; i < n; ++i) d.leaves.push_back(&with_hooks(d.root->add("s" + std::to_string(i))));
    return d;
}

/// Transitions from the root to each of its leaves, by one of few events, with guards.
inline definition any_state_events(int n) {
    auto d = side_by_side(n);
    for (int i = 0; i < n; ++i) d.root->to(*d.leaves[std::size_t(i)]).on(signal(i % signals)).when(lets_pass(i));
    return d;
}

/// The same with polled transitions.
inline definition any_state_guards(int n) {
    auto d = side_by_side(n);
    for (int i = 0; i < n; ++i) d.root->to(*d.leaves[std::size_t(i)]).when(lets_pass(i));
    return d;
}

/// The same with conditions.
inline definition any_state_conditions(int n) {
    auto d = side_by_side(n);
    for (int i = 0; i < n; ++i) {
        const auto asked = conditions_of(i);
        d.root->to(*d.leaves[std::size_t(i)]).when(hsm::all(asked[0], asked[1]));
    }
    return d;
}

/// n nested machines, with a leaf in each. Each level has a transition by event and a polled one to its leaf.
inline definition nested(int n) {
    definition d;
    auto* at = d.root.get();
    for (int i = 0; i < n; ++i) {
        auto& inner = at->add_fsm("m" + std::to_string(i));
        with_hooks(inner);
        at->initial(inner);
        auto& leaf = with_hooks(at->add("s" + std::to_string(i)));
        d.leaves.push_back(&leaf);
        at->to(leaf).on(signal(i % signals)).when(lets_pass(i));
        at->to(leaf).when(lets_pass(n + i));
        at = &inner;
    }
    with_hooks(at->add("innermost"));
    return d;
}

/// A ring of n states, each with an event and a polled transition to the next.
inline definition ring(int n) {
    auto d = side_by_side(n);
    for (int i = 0; i < n; ++i) {
        auto& next = *d.leaves[std::size_t((i + 1) % n)];
        d.leaves[std::size_t(i)]->to(next).on(signal(i % signals));
        d.leaves[std::size_t(i)]->to(next).when(lets_pass(i));
    }
    return d;
}

/// Any-state transitions, with leaves that also have transitions by the same events.
inline definition any_state_and_own(int n) {
    auto d = any_state_events(n);
    for (int i = 0; i < n; ++i)
        for (int e = 0; e < signals; ++e) d.leaves[std::size_t(i)]->to(*d.leaves[std::size_t((i + 1) % n)]).on(signal(e));
    return d;
}

/// Two regions, each like any_state_events.
inline definition regions(int n) {
    definition d;
    auto& both = d.root->add_parallel("both");
    for (const std::string_view name : {"a", "b"}) {
        auto& region = both.add_fsm(std::string(name));
        const auto first = d.leaves.size();
        for (int i = 0; i < n / 2; ++i) d.leaves.push_back(&with_hooks(region.add("s" + std::to_string(i))));
        for (int i = 0; i < n / 2; ++i)
            region.to(*d.leaves[first + std::size_t(i)]).on(signal(i % signals)).when(lets_pass(static_cast<int>(first) + i));
    }
    return d;
}

struct shape {
    std::string_view name;
    definition (*define)(int n);
    int most; ///< the largest size for measurements
};

inline constexpr shape shapes[] = {
    {"any_state_events", any_state_events, 10'000},
    {"any_state_guards", any_state_guards, 10'000},
    {"any_state_conditions", any_state_conditions, 10'000},
    {"any_state_and_own", any_state_and_own, 10'000},
    {"nested", nested, 1'000},
    {"ring", ring, 65'000},
    {"regions", regions, 10'000},
};

} // namespace large
