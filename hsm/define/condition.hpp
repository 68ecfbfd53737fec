/// Conditions: bits of an instance that transitions test by name, by index or by a handle.
///
///     idle.to(run).when("IsRun");
///     run.to(idle).when("!IsRun");
///     idle.to(slash).when(hsm::all("IsAttack", hsm::any("Grounded", "Flying"), "!Tired"));
///     const auto armed = root->condition();            // without a name
///     root->condition("IsRun", 3);                     // bit 3; without a number, the first free bit
///     idle.to(draw).when(hsm::any(armed, 3));          // -3: not bit 3
///
/// Using a name declares it, unless root->conditions_declared() was called. Bit 0 is set while the active leaf is finished.
#pragma once

#include <hsm/define/detail/assert.hpp>
#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm {

class state_base;

/// A condition as it was defined. Its owner is the state at which it was defined.
struct condition_spec {
    static constexpr std::int64_t any_index = std::int64_t(-1) << 32; ///< outside the range of int

    const state_base* owner = nullptr;
    std::string name;                                   ///< empty: the condition has no name, or only its index is known
    std::int64_t index = any_index;                     ///< the given index; any_index: the first free index
    mutable std::uint32_t number = 0;                   ///< its bit; undefined before `compile`
    mutable hsm::origin origin{};                       ///< its declaration or, in code, its first use
    bool declared = false;                              ///< declared, not only used
    mutable bool trigger = false;                       ///< it is cleared when a transition uses it
    mutable const void* chart = nullptr;                ///< the chart of the condition; null before `compile`
    mutable std::vector<std::string> former_names = {}; ///< in the order of definition
};

class negated_condition;

/// A handle to a condition of a definition, or to the bit with a given index. It is valid as long as the definition or the chart exists.
class condition {
public:
    condition() = default;
    explicit condition(const condition_spec& spec) : spec_(std::addressof(spec)) {}
    explicit constexpr condition(int index) : index_(index) {}

    bool valid() const { return spec_ || index_ >= 0; }
    /// Returns the bit of the condition. Requires that the definition has been compiled, unless this handle was made from an index.
    std::uint32_t number() const { return spec_ ? spec_->number : static_cast<std::uint32_t>(index_); }
    /// Adds a former name of this condition. Saved data and recordings that use it still match. Call this function in a definition, and not on a
    /// handle that was made from an index.
    const condition& was(std::string former_name) const;
    /// Makes this condition a trigger: hsm clears it when a transition with a target, or an entry choice, fires and requires it to be set. As with
    /// `was`, call this function in a definition, and not on a handle that was made from an index.
    const condition& trigger() const;
    const condition_spec* spec() const { return spec_; } ///< null: only its index is known
    constexpr int index() const { return index_; }

    inline constexpr negated_condition operator!() const;
    /// Returns whether both handles refer to the same condition. A handle that was made from an index equals only handles from the same index.
    friend bool operator==(const condition&, const condition&) = default;

private:
    const condition_spec* spec_ = nullptr;
    int index_ = -1;
};

inline const condition& condition::was(std::string former_name) const {
    HSM_ASSERT(spec_ && !spec_->chart && "only a named condition of a definition can have a former name");
    if (spec_ && !spec_->chart) spec_->former_names.push_back(std::move(former_name));
    return *this;
}

inline const condition& condition::trigger() const {
    HSM_ASSERT(spec_ && !spec_->chart && "only a condition of a definition can become a trigger");
    if (spec_ && !spec_->chart) spec_->trigger = true;
    return *this;
}

class negated_condition {
public:
    explicit constexpr negated_condition(const condition& of) : of_(of) {}
    constexpr condition operator!() const { return of_; }
    const condition& of() const { return of_; }

private:
    condition of_;
};

constexpr negated_condition condition::operator!() const { return negated_condition(*this); }

/// A condition that is true if the leaf is finished: finish() was called, a local is finished(), or the leaf is a final state.
inline constexpr condition is_over{0};

/// A condition of a chart as the argument of a call: by handle, name or index. The key is a view: it must not outlive the string from which it was
/// made.
struct condition_key {
    condition_key(const condition& c) : spec(c.spec()), index(c.index()) {}
    condition_key(std::string_view n) : name(n) {}
    condition_key(const char* n) : name(n ? n : "") {} ///< null: no condition
    condition_key(const std::string& n) : name(n) {}
    condition_key(int i) : index(i) {}

    const condition_spec* spec = nullptr;
    std::string_view name;
    int index = -1;
};

/// A change of a condition.
enum class condition_change : std::uint8_t {
    off,
    on,
    pulse, ///< on until the end of the next tick
};

/// A condition or its negation.
struct condition_literal {
    const condition_spec* condition;
    bool wanted;
};

namespace detail {
// These functions return the condition that a transition of `where` names. `sense` is false inside a negation.
condition_literal read_condition(state_base& where, std::string_view written, bool sense, origin at = {}); ///< "name" or "!name"
condition_literal read_condition(state_base& where, int index, bool sense, origin at = {});                ///< a negative index negates
condition_literal read_condition(state_base& where, const condition& c, bool sense, origin at = {});
inline condition_literal read_condition(state_base& where, const negated_condition& c, bool sense, origin at = {}) {
    return read_condition(where, c.of(), !sense, at);
}
} // namespace detail

} // namespace hsm
