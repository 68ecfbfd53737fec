/// Finding the state that a name, a path or an enumerator means, and guessing what a misspelt one was meant to be.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct lookup_result {
    const state_base* found = nullptr;
    bool ambiguous = false; ///< an enumerator or a class that names several states at the same distance
};

/// Is it a state that the enumerator or the class names?
bool bears(const state_base& s, const target_spec& what);

/// From `from` outwards, as state_key.hpp says. References are taken as they are.
lookup_result look_up(const state_base& from, const target_spec& what);

/// For many lookups by path in a tree that does not change meanwhile: each takes as long as the path is long, and the state deep.
/// One thread at a time.
class state_index {
public:
    explicit state_index(const state_base& root);
    state_index(const state_index&) = delete;
    ~state_index();
    const state_base* find(const state_base& from, std::string_view path) const;  ///< null if there is none
    lookup_result look_up(const state_base& from, const target_spec& what) const; ///< as the function

private:
    struct table;
    owned<table> table_;
};

/// How much guessing may still cost: about a character that is compared with another one each. Who may have to guess often
/// shares one among all guesses; none of them takes more than a part of it.
struct guess_budget {
    std::size_t left = std::size_t(1) << 25;
};
/// Longer ones are no names that somebody mistyped.
inline constexpr std::size_t longest_guessed = 200;

/// "did you mean "strike"?", or a list of what there is, from `from` outwards. Empty if nothing comes to mind.
std::string suggestion(const state_base& from, const target_spec& what, guess_budget& budget);
std::string suggestion(const state_base& from, const target_spec& what);

/// "did you mean "jump"?", or a list of the names there are; empty if there is none, or if it is one of them.
std::string suggestion(std::string_view written, const std::vector<std::string_view>& names);

/// The one that reads so much like it that it was probably meant; empty if there is none.
std::string_view closest_name(std::string_view written, const std::vector<std::string_view>& names, guess_budget& budget);

const state_base& root_of(const state_base& s);

} // namespace hsm::detail
