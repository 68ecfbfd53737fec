/// The texts of messages: names and paths, with limited length; the terms for parts of a definition.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

inline constexpr std::size_t longest_shown = 200;      ///< of a name, in bytes
inline constexpr std::size_t longest_shown_path = 400; ///< in bytes
inline constexpr std::size_t most_listed = 12;         ///< names in one message

/// Returns `text`, shortened at a character boundary and followed by "...", if it is longer than `longest`.
std::string shown(std::string_view text, std::size_t longest = longest_shown);

/// Returns state_base::path() or, if that is too long, its end after ".../". The time does not depend on the depth of the state.
std::string shown_path(const state_base& s);

/// Returns target_spec::written(), with limited length. If the compiler does not report an enumerator's name, a state of the tree of `from` with that
/// enumerator provides it.
std::string shown_target(const target_spec& t, const state_base& from);

/// Returns `"run", "far", and 3 more`. `name(i)` returns the name at i, from 0 to count - 1.
template <class Name> std::string shown_list(std::size_t count, Name name) {
    std::string list;
    for (std::size_t i = 0; i < count && i < most_listed; ++i) {
        if (i > 0) list += ", ";
        list += '"';
        list += shown(name(i), longest_shown / 4);
        list += '"';
    }
    if (count > most_listed) list += ", and " + std::to_string(count - most_listed) + " more";
    return list;
}

/// Returns "an after" or "a guard".
std::string with_article(std::string_view word);

/// Converts a message about `s` from C++ terms to those of its file. Quoted text, such as names, is unchanged.
std::string in_terms_of(const state_base& s, std::string message);

} // namespace hsm::detail
