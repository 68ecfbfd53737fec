/// The table of hook kinds: their names and the states that can have them, for readers, writers, drawings and code generators.
#pragma once

#include <hsm/define/state_base.hpp>

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// Sets of state_kind.
namespace state_sets {

constexpr unsigned bit_of(state_kind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned machines = bit_of(state_kind::machine);
constexpr unsigned parallels = bit_of(state_kind::parallel);
constexpr unsigned composites = machines | parallels;
constexpr unsigned finals = bit_of(state_kind::final);
constexpr unsigned states = composites | bit_of(state_kind::leaf) | finals;
constexpr unsigned choices = bit_of(state_kind::choice);
constexpr unsigned histories = bit_of(state_kind::history);

} // namespace state_sets

/// The parameters and the result of a hook.
enum class hook_form : std::uint8_t { plain, update, change, done_data };

/// When hooks run.
enum class hook_moment : std::uint8_t {
    passing, ///< in the programs of entries, exits and updates
    active,  ///< in a part of their own, while states are active
    outside, ///< in a part of their own, while no state is active: locals do not exist
};

struct hook_kind_row {
    hook_kind kind;
    std::string_view name; ///< XML: the element
    std::string_view call; ///< C++: the function that adds one
    unsigned allowed;      ///< the kinds of states that can have it: a set of state_sets
    hook_moment moment;
    hook_form form;
    bool in_attribute = false;         ///< XML: also an attribute of <state>
    std::string_view instead = {};     ///< for constant charts, which lack this kind: the alternative. Empty: they have it
    std::string_view scxml_lacks = {}; ///< the ability that SCXML lacks. Empty: SCXML has this kind

    constexpr std::string_view shown() const { return in_attribute ? name : call; } ///< in texts
};

/// In the order of hook_kind.
inline constexpr hook_kind_row hook_kind_table[] = {
    {hook_kind::enter, "enter", "on_enter", state_sets::states, hook_moment::passing, hook_form::plain, true},
    {hook_kind::update, "update", "on_update", state_sets::states, hook_moment::passing, hook_form::update, true, "",
     "it has an update hook (update)"},
    {hook_kind::exit, "exit", "on_exit", state_sets::states, hook_moment::passing, hook_form::plain, true},
    {hook_kind::change, "change", "on_change", state_sets::machines, hook_moment::active, hook_form::change, false, "",
     "it has a hook that runs after each transition (change)"},
    {hook_kind::init, "init", "on_init", state_sets::states, hook_moment::outside, hook_form::plain, false, "",
     "it has a hook for the creation of an instance (init)"},
    {hook_kind::destroy, "destroy", "on_destroy", state_sets::states, hook_moment::outside, hook_form::plain, false, "",
     "it has a hook for the end of an instance (destroy)"},
    {hook_kind::unhandled, "unhandled", "on_unhandled", state_sets::composites, hook_moment::active, hook_form::plain, false, "",
     "it has a hook for unhandled events (unhandled)"},
    {hook_kind::settled, "settled", "on_settled", state_sets::machines, hook_moment::active, hook_form::plain, false, "",
     "it has a hook that runs when no work is left (settled)"},
    {hook_kind::done_data, "done_data", "done_data", state_sets::finals, hook_moment::passing, hook_form::done_data, false,
     "generate a definition from the file: hsm generate definition", "its final state computes data (done_data)"},
    {hook_kind::leave, "leave_requested", "on_leave_requested", state_sets::states, hook_moment::active, hook_form::plain, false,
     "generate a definition from the file: hsm generate definition", "it has a hook that runs when it begins to hold a transition (leave_requested)"},
};
static_assert(std::size(hook_kind_table) == hook_kinds);

/// A value for each kind of hook.
template <class T> struct by_hook_kind {
    T enter, update, exit, change, init, destroy, unhandled, settled, done_data, leave;

    static constexpr auto member(hook_kind kind) {
        using self = by_hook_kind;
        constexpr T self::*all[] = {&self::enter,   &self::update,    &self::exit,    &self::change,    &self::init,
                                    &self::destroy, &self::unhandled, &self::settled, &self::done_data, &self::leave};
        return all[static_cast<std::size_t>(kind)];
    }
    constexpr T& operator[](hook_kind kind) { return this->*member(kind); }
    constexpr const T& operator[](hook_kind kind) const { return this->*member(kind); }
};

constexpr const hook_kind_row& row_of(hook_kind kind) { return hook_kind_table[static_cast<std::size_t>(kind)]; }

} // namespace hsm::detail
