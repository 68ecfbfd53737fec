/// A reference to a state of a chart, for example as the result of a function. It is a pointer-sized view and can be empty ("none"). It is valid as
/// long as the chart exists.
#pragma once

#include <string>
#include <string_view>

namespace hsm {

class state_base;

class state_ref {
public:
    state_ref() = default;
    state_ref(const state_base& s) : node_(std::addressof(s)) {}
    explicit state_ref(const state_base* s) : node_(s) {}

    explicit operator bool() const { return node_ != nullptr; }
    const state_base* get() const { return node_; } ///< not for a state of a constant chart

    std::string_view name() const; ///< "slash"; "none" if empty
    std::string path() const;      ///< "character/attack/slash"; "none" if empty

    friend bool operator==(state_ref, state_ref) = default;

private:
    const state_base* node_ = nullptr;
};

struct transition_spec;

/// A transition that waits because a state holds: the result of `pending()` of an instance or a step.
struct held_transition {
    const transition_spec* transition; ///< null: a request, for example of change_to
    state_ref source;
    state_ref target;
};

} // namespace hsm
