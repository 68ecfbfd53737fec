/// Text about a played machine: what it did and what it can do.
#pragma once

#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/player.hpp>

#include <string>
#include <string_view>

namespace hsm::detail::tool {

/// Colors text if a console is set.
class painter {
public:
    painter() = default;
    explicit painter(const console& to) : to_(&to) {}
    std::string operator()(style how, std::string_view text) const { return to_ ? to_->painted(how, text) : std::string(text); }

private:
    const console* to_ = nullptr;
};

/// Returns the active leaves without the root's name: "alive/search", "fight/legs/run, fight/arms/swing".
std::string text_of_active(const player& p);
/// Returns the shortest unambiguous name of the state, or the name of the root.
std::string text_of_state(const player& p, std::uint32_t state);
/// Returns a line for each happening of the last step; empty if there were none.
std::string text_of_step(const player& p, const painter& paint = {});
/// Returns all states, one per line. Active states are marked.
std::string text_of_tree(const player& p, const painter& paint = {});
/// Returns the tree with transitions, guards and hooks.
std::string text_of_whole_tree(const player& p, const console& to);
/// Returns the possible transitions, by event, tick and delay, with the guards that would have to be true.
std::string text_of_possible(const player& p, const painter& paint = {});
/// Explains what a tick would do, and which transitions are not possible.
std::string explained(const player& p);
/// Returns a line for each transition whose delay has not passed.
std::string delays_not_due(const player& p);
/// Explains an event, by its number or, for a document, by its name. Empty if the event carries data.
std::string explained(const player& p, std::uint32_t event, const std::string& name);
/// Returns the ways into the state, each with what is missing.
std::string why_not_there(const player& p, state_view s);
std::string text_of_data(const player& p, std::string_view name);      ///< of an SCXML document: all data, or that named `name`
std::string text_of_log(const happening& h);                           ///< "label: text"
std::string text_of_names(const player& p, const painter& paint = {}); ///< simulated guards and delays, bits and events, with their values

std::string indented(std::string_view lines, std::size_t by);

} // namespace hsm::detail::tool
