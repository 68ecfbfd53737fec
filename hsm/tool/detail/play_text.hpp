/// What a machine that is played has done, and what it can do, in lines for people.
#pragma once

#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/player.hpp>

#include <string>
#include <string_view>

namespace hsm::detail::tool {

/// How words are made to stand out.
class painter {
public:
    painter() = default;
    explicit painter(const console& to) : to_(&to) {}
    std::string operator()(style how, std::string_view text) const { return to_ ? to_->painted(how, text) : std::string(text); }

private:
    const console* to_ = nullptr;
};

/// "alive/search", "fight/legs/run, fight/arms/swing", without the root's name.
std::string text_of_active(const player& p);
/// By the shortest of its names, or that of the root.
std::string text_of_state(const player& p, std::uint32_t state);
/// A line for each thing that has happened; empty: nothing.
std::string text_of_step(const player& p, const painter& paint = {});
/// All states, each in a line; active ones are marked.
std::string text_of_tree(const player& p, const painter& paint = {});
/// The same with transitions, guards and hooks.
std::string text_of_whole_tree(const player& p, const console& to);
/// What could happen now: by which event, in a tick, after which time, and which guards would have to hold.
std::string text_of_possible(const player& p, const painter& paint = {});
/// What a tick would do, and why not more.
std::string explained(const player& p);
/// A line for each transition whose delay has not passed.
std::string delays_not_due(const player& p);
/// The same of an event, by its number, or of a document by its name. Empty: it carries data.
std::string explained(const player& p, std::uint32_t event, const std::string& name);
/// Each way into that state, and what is missing.
std::string why_not_there(const player& p, state_view s);
/// Simulated guards and delays, bits and events, with their values.
std::string text_of_data(const player& p, std::string_view name); ///< of an SCXML document: all, or that of a name
std::string text_of_log(const happening& h);                      ///< "label: text"
std::string text_of_names(const player& p, const painter& paint = {});

std::string indented(std::string_view lines, std::size_t by);

} // namespace hsm::detail::tool
