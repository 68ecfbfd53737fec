/// What is wrong with a state or a transition, whatever the rest of the tree is like: told by the check, and by loaders whose
/// file has other errors, so that none hides another.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hsm::detail {

struct told_mistake {
    hsm::code code;
    const state_base* about; ///< whose path a message tells
    std::string problem;
    std::string hint;
    const state_base* at = nullptr; ///< whose place a message tells; null: that of what was examined
    origin where = {};              ///< of a part of it; nowhere: its own
};

class mistake_listener {
public:
    virtual bool full() const = 0; ///< the texts are not read any more
    virtual void hear(told_mistake m) = 0;

protected:
    ~mistake_listener() = default;
};

/// Of the state and its substates' names, but not of its transitions.
void tell_mistakes(const state_base& s, mistake_listener& to);
void tell_mistakes(const transition_spec& t, mistake_listener& to);
/// An entry choice, or what a history state says otherwise, leads to a state that is not below its machine.
void tell_outside(const transition_spec& t, bool dispatches, const state_base& target, mistake_listener& to);

/// Which condition has which index, of those that were given one.
struct given_indices {
    std::map<std::uint32_t, std::string_view> names; ///< empty: it has none
    std::map<std::string_view, std::uint32_t> numbers;

    void add(const condition_spec& c, mistake_listener& to);
};

} // namespace hsm::detail
