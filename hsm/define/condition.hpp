/// Conditions: bits of an instance that transitions ask for by name, by index, or by a handle.
///
///     idle.to(run).when("IsRun");
///     run.to(idle).when("!IsRun");
///     idle.to(slash).when(hsm::all("IsAttack", hsm::any("Grounded", "Flying"), "!Tired"));
///     const auto armed = root->condition();            // without a name
///     root->condition("IsRun", 3);                     // bit 3; otherwise the first that is free
///     idle.to(draw).when(hsm::any(armed, 3));          // -3: not bit 3
///
/// A name that is used is there by that; after root->conditions_declared() it has to be declared. Bit 0 is the leaf's own: whether it is over.
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

/// A condition as it was written down. The state at which it was is its owner.
struct condition_spec {
    static constexpr std::int64_t any_index = std::int64_t(-1) << 32; ///< no int is that

    const state_base* owner = nullptr;
    std::string name;                                   ///< empty: it has none, or is known by its index alone
    std::int64_t index = any_index;                     ///< that it was given; any_index: the first that is free
    mutable std::uint32_t number = 0;                   ///< its bit; meaningless before `compile`
    mutable hsm::origin origin{};                       ///< where it is declared, or in code used first
    bool declared = false;                              ///< by itself, and not only by its use
    mutable const void* chart = nullptr;                ///< that it is a condition of, from `compile` on
    mutable std::vector<std::string> former_names = {}; ///< in the order of definition
};

class negated_condition;

/// A handle to a condition of a definition, or to a bit by its index. It is valid as long as the definition, or the chart.
class condition {
public:
    condition() = default;
    explicit condition(const condition_spec& spec) : spec_(std::addressof(spec)) {}
    explicit constexpr condition(int index) : index_(index) {}

    bool valid() const { return spec_ || index_ >= 0; }
    /// Its bit; not before `compile`.
    std::uint32_t number() const { return spec_ ? spec_->number : static_cast<std::uint32_t>(index_); }
    /// It had that name once: what was saved or recorded then finds it by that. In a definition, of a condition that is not known by its index alone.
    const condition& was(std::string former_name) const;
    const condition_spec* spec() const { return spec_; } ///< null: known by its index alone
    int index() const { return index_; }

    inline constexpr negated_condition operator!() const;
    friend bool operator==(const condition&, const condition&) = default; ///< the same handle; a bit's index is not its name

private:
    const condition_spec* spec_ = nullptr;
    int index_ = -1;
};

inline const condition& condition::was(std::string former_name) const {
    HSM_ASSERT(spec_ && !spec_->chart && "a condition of a definition that has a name of its own");
    if (spec_ && !spec_->chart) spec_->former_names.push_back(std::move(former_name));
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

/// The leaf is over: finish() was called, its local is finished(), or it is a final state.
inline constexpr condition is_over{0};

/// Which condition of a chart is meant, in a call. A view that must not outlive the string it was made from.
struct condition_key {
    condition_key(const condition& c) : spec(c.spec()), index(c.index()) {}
    condition_key(std::string_view n) : name(n) {}
    condition_key(const char* n) : name(n ? n : "") {} ///< null: none
    condition_key(const std::string& n) : name(n) {}
    condition_key(int i) : index(i) {}

    const condition_spec* spec = nullptr;
    std::string_view name;
    int index = -1;
};

/// What becomes of a condition that is set.
enum class condition_change : std::uint8_t {
    off,
    on,
    pulse, ///< on, until the end of the next tick
};

/// A condition, or that it is not.
struct condition_literal {
    const condition_spec* condition;
    bool wanted;
};

namespace detail {
// What is written in a transition of that state. Sense: false inside of a negation.
condition_literal read_condition(state_base& where, std::string_view written, bool sense, origin at = {}); ///< "name" or "!name"
condition_literal read_condition(state_base& where, int index, bool sense, origin at = {});                ///< negated by its sign
condition_literal read_condition(state_base& where, const condition& c, bool sense, origin at = {});
inline condition_literal read_condition(state_base& where, const negated_condition& c, bool sense, origin at = {}) {
    return read_condition(where, c.of(), !sense, at);
}
} // namespace detail

} // namespace hsm
