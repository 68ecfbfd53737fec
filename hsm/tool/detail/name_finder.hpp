/// Resolves typed names in a chart, and suggests similar names.
#pragma once

#include <hsm/tool/detail/player.hpp>
#include <hsm/tool/detail/script.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

class name_finder {
public:
    name_finder(const player& names, const script_line& line) : names_(names), line_(line) {}

    // These functions throw command_error with the position of the word and a suggestion.
    std::uint32_t event(const script_word& w) const;
    std::string event_name(const script_word& w) const; ///< a name, or a part of one, that a transition of the machine waits for
    /// Returns whether no transition names the event, but one names a prefix of it or accepts all names.
    bool is_taken_by_its_beginning(const script_word& w) const;
    std::uint32_t state(const script_word& w) const;
    std::string condition(const script_word& w) const;
    std::string data(const script_word& w) const;  ///< of an SCXML document
    std::string guard(const script_word& w) const; ///< simulated guards only
    std::string delay(const script_word& w) const;
    std::string hook(const script_word& w) const;        ///< hooks and actions, simulated or not
    std::string asked_guard(const script_word& w) const; ///< guards, simulated or not

    [[noreturn]] void fail(const script_word& w, std::string problem, std::string hint = {}) const;
    [[noreturn]] void fail_at_end(std::string problem, std::string hint = {}) const; ///< the line lacks a word

private:
    std::string simulated(behavior_kind kind, const script_word& w) const;
    std::string one_of(const std::vector<std::string>& known, const script_word& w, std::string_view what, std::string none) const;

    const player& names_;
    const script_line& line_;
};

/// Reads the words of a line one after the other.
class word_reader {
protected:
    word_reader(const script_line& line, const player& names) : find_(names, line), line_(line), names_(names) {}

    bool more() const { return at_ < line_.words.size(); }
    const script_word& here() const { return line_.words[at_]; }
    /// Takes the next word. Throws command_error if there is none.
    const script_word& next(std::string_view what);
    /// Takes the name of an event. Sets `name` if the machine accepts names that its transitions do not list, otherwise `number`.
    void read_event(std::string& name, std::uint32_t& number);
    void require_end() const {
        if (more()) find_.fail(here(), "unexpected text", usage_);
    }

    const name_finder find_;
    const script_line& line_;
    const player& names_;
    std::string usage_;  ///< the hint of errors
    std::size_t at_ = 1; ///< the first word names the command
};

/// Returns whether a transition with this event accepts the name. The event can list names and prefixes: "a.* b".
bool event_takes(event_view event, std::string_view name);

// These are also used for completion.
std::vector<std::string> event_names(const player& p);
std::vector<std::string> state_names(const player& p); ///< the shortest unambiguous names
std::vector<std::string> condition_names(const player& p);
std::vector<std::string> hook_names(const player& p);
std::vector<std::string> guard_names(const player& p); ///< all guards that can be evaluated
std::vector<std::string> simulated_names(const player& p, behavior_kind kind);

} // namespace hsm::detail::tool
