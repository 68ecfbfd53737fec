/// Names and paths as messages show them: a name may be as long as a book, a message not.
#pragma once

#include <hsm/define/state_base.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

inline constexpr std::size_t longest_shown = 200;      ///< of a name, in bytes
inline constexpr std::size_t longest_shown_path = 400; ///< in bytes
inline constexpr std::size_t most_listed = 12;         ///< names in one message

/// Cut behind a character, with "..." behind it, if it is longer than that.
std::string shown(std::string_view text, std::size_t longest = longest_shown);

/// state_base::path(), or, if that is too long, its end, with ".../" in front. Takes no longer for a state that is deep.
std::string shown_path(const state_base& s);

/// target_spec::written(), not longer than that. An enumerator whose name the compiler has not told gets it from a state of the same
/// tree as `from` that bears it.
std::string shown_target(const target_spec& t, const state_base& from);

/// `"run", "far", and 3 more`. Name: from 0 to count - 1.
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

} // namespace hsm::detail
