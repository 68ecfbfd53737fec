/// Finds errors of a single state or transition, independent of the rest of the tree. The check reports them; loaders also report them for a file
/// with other errors, so that no error hides another.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hsm::detail {

struct found_mistake {
    hsm::code code;
    const state_base* about; ///< the message contains its path
    std::string problem;
    std::string hint;
    const state_base* at = nullptr; ///< the message has its place; null: the place of the examined state or transition
    origin where = {};              ///< the place of a part of it; empty: its own place
};

class mistake_listener {
public:
    virtual bool full() const = 0; ///< true: further texts are not needed
    virtual void report(found_mistake m) = 0;

protected:
    ~mistake_listener() = default;
};

/// Reports errors of the state and of its substates' names, but not of its transitions.
void find_mistakes(const state_base& s, mistake_listener& to);
void find_mistakes(const transition_spec& t, mistake_listener& to);
/// Reports that an entry choice, or the default of a history state, leads to a state that is not below its machine.
void find_outside(const transition_spec& t, bool dispatches, const state_base& target, mistake_listener& to);

/// The conditions that have an explicit index.
struct given_indices {
    std::map<std::uint32_t, std::string_view> names; ///< empty name: the condition has none
    std::map<std::string_view, std::uint32_t> numbers;

    void add(const condition_spec& c, mistake_listener& to);
};

} // namespace hsm::detail
