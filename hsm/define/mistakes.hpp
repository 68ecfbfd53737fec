/// What is wrong with a state or a transition, whatever the rest of the tree is like: told by the check, and by loaders whose
/// file has other errors, so that none hides another.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/state_base.hpp>

#include <string>

namespace hsm {

struct mistake {
    hsm::code code;
    const state_base* about; ///< whose path a message tells
    std::string problem;
    std::string hint;
    const state_base* at = nullptr; ///< whose place in a file a message tells; null: that of what was examined
};

class mistake_listener {
public:
    virtual bool full() const = 0; ///< the texts are not read any more
    virtual void hear(mistake m) = 0;

protected:
    ~mistake_listener() = default;
};

/// Of the state and its substates' names, but not of its transitions.
void tell_mistakes(const state_base& s, mistake_listener& to);
void tell_mistakes(const transition_spec& t, mistake_listener& to);

} // namespace hsm
