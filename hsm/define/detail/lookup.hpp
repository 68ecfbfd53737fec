/// Finds states by name, path, enumerator or class, and conditions by name; suggests corrections for misspelled names.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hsm::detail {

struct lookup_result {
    const state_base* found = nullptr;
    bool ambiguous = false; ///< an enumerator or a class that fits several states at the same distance
};

/// Returns whether the enumerator or class names `s`.
bool bears(const state_base& s, const target_spec& what);

/// Looks for a state from `from` outwards; state_key.hpp has the rules. A reference is returned unchanged.
lookup_result look_up(const state_base& from, const target_spec& what);

/// An index for many lookups by path in a tree that does not change. A lookup takes time proportional to the length of the path and the depth of the
/// state. One thread at a time.
class state_index {
public:
    explicit state_index(const state_base& root);
    state_index(const state_index&) = delete;
    ~state_index();
    const state_base* find(const state_base& from, std::string_view path) const;  ///< null if not found
    lookup_result look_up(const state_base& from, const target_spec& what) const; ///< like the function look_up

private:
    struct table;
    owned<table> table_;
};

/// The remaining work for suggestions, in about one comparison of two characters. Callers that may need many suggestions share one budget; a single
/// suggestion uses only a part of it.
struct guess_budget {
    std::size_t left = std::size_t(1) << 25;
};
/// Longer texts are not compared.
inline constexpr std::size_t longest_guessed = 200;

/// Returns `did you mean "strike"?`, or a list of the existing names, from `from` outwards. Empty if there is no suggestion.
std::string suggestion(const state_base& from, const target_spec& what, guess_budget& budget);
std::string suggestion(const state_base& from, const target_spec& what);

/// Returns `did you mean "jump"?`, or a list of the names. Empty if there are no names, or if `written` is one of them.
std::string suggestion(std::string_view written, const std::vector<std::string_view>& names);

/// Returns the most similar name; empty if none is similar enough.
std::string_view closest_name(std::string_view written, const std::vector<std::string_view>& names, guess_budget& budget);

const state_base& root_of(const state_base& s);

/// Finds the conditions of a state by name and index, in states with many conditions.
struct condition_index {
    using key = std::pair<std::string_view, std::int64_t>; ///< any_index: the first condition with that name
    struct hash {
        std::size_t operator()(const key& k) const {
            return std::hash<std::string_view>()(k.first) + static_cast<std::size_t>(k.second) * 0x9e3779b1;
        }
    };
    std::unordered_map<key, condition_spec*, hash> specs;

    void add(condition_spec& c) {
        if (!c.name.empty()) specs.try_emplace({c.name, condition_spec::any_index}, &c);
        if (c.index != condition_spec::any_index) specs.try_emplace({c.name, c.index}, &c);
    }
    condition_spec* find(std::string_view name, std::int64_t number) const {
        const auto at = [&](std::int64_t i) {
            const auto found = specs.find({name, i});
            return found == specs.end() ? nullptr : found->second;
        };
        auto* const first = at(condition_spec::any_index);
        if (number == condition_spec::any_index || (first && first->index == condition_spec::any_index)) return first;
        return at(number);
    }
};

} // namespace hsm::detail
