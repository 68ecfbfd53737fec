/// Names in lines that were typed: what they mean in a chart, and what they may have been meant to be.
#pragma once

#include <hsm/tool/detail/player.hpp>
#include <hsm/tool/detail/script_words.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

class name_finder {
public:
    name_finder(const player& names, const script_line& line) : names_(names), line_(line) {}

    // They throw command_error, with the place of the word, and what may have been meant.
    std::uint32_t event(const script_word& w) const;
    std::string event_name(const script_word& w) const; ///< that a transition of the machine waits for, by its name or a part of it
    /// No transition names it, but one the beginning of it, or of all names.
    bool is_taken_by_its_beginning(const script_word& w) const;
    std::uint32_t state(const script_word& w) const;
    std::string condition(const script_word& w) const;
    std::string data(const script_word& w) const;  ///< of an SCXML document
    std::string guard(const script_word& w) const; ///< of simulated ones
    std::string delay(const script_word& w) const;
    std::string hook(const script_word& w) const;        ///< or an action, whoever's
    std::string asked_guard(const script_word& w) const; ///< whoever's

    [[noreturn]] void fail(const script_word& w, std::string problem, std::string hint = {}) const;
    [[noreturn]] void fail_at_end(std::string problem, std::string hint = {}) const; ///< something is missing

private:
    std::string simulated(behaviour_kind kind, const script_word& w) const;
    std::string one_of(const std::vector<std::string>& known, const script_word& w, std::string_view what, std::string none) const;

    const player& names_;
    const script_line& line_;
};

/// Does a transition on that event take one of this name? Its name lists names, and beginnings of names: "a.* b".
bool event_takes(event_view event, std::string_view name);

// For completion, too.
std::vector<std::string> event_names(const player& p);
std::vector<std::string> state_names(const player& p); ///< the shortest by which each is known
std::vector<std::string> condition_names(const player& p);
std::vector<std::string> hook_names(const player& p);
std::vector<std::string> guard_names(const player& p); ///< of all that can be asked
std::vector<std::string> simulated_names(const player& p, behaviour_kind kind);

} // namespace hsm::detail::tool
