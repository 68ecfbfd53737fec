/// The conditions of an instance: their bits, which of them are pulses, and the transitions that entered the active states.
///
/// The first word of each is in front of the block, with the test at the beginning of a tick (see idle_test): see condition_head. The rest is in the
/// block:
///
///     ... [ bits 64 .. | pulses 64 .. | ending pulses 64 .. | entered by ] ...
///
/// state_watched is set while there is a test for the leaf. Bit 0 of the word is only for that test.
#pragma once

#include <hsm/op/detail/machine.hpp>
#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

inline void stop_watching(machine& m) { m.state = static_cast<std::uint8_t>(m.state & ~state_watched); }

inline std::size_t condition_words(const chart_core& core) { return (core.conditions.size() + 63) / 64; }
std::size_t condition_memory(const chart_core& core); ///< bytes in the block

class condition_bits {
public:
    condition_bits(const machine& m, const chart_core& core)
        : head_(conditions_of(m)), more_(reinterpret_cast<std::uint64_t*>(m.block + core.layout.conditions)), words_(condition_words(core)) {}

    std::size_t words() const { return words_; }
    std::uint64_t& word(std::size_t w) const { return w == 0 ? head_.bits : more_[w - 1]; }
    std::uint64_t& pulsed(std::size_t w) const { return w == 0 ? head_.pulsed : more_[words_ - 1 + w - 1]; }
    std::uint64_t& ending(std::size_t w) const { return w == 0 ? head_.ending : more_[2 * (words_ - 1) + w - 1]; }
    bool operator[](std::uint32_t number) const { return word(number / 64) >> number % 64 & 1; }
    void change(std::uint32_t number, condition_change to) const;
    void clear() const; ///< includes pulses
    bool any_pulsed() const;
    /// Makes the current pulses end at the next end_pulses, unless they are set again.
    void begin_pulses() const;
    void end_pulses() const;

private:
    condition_head& head_;
    std::uint64_t* more_;
    std::size_t words_;
};

/// Returns whether the leaf counts as finished for conditions: final states do.
bool leaf_is_over(const machine& m, const chart_core& core, index leaf);
/// `leaf` is the leaf that can be finished.
bool group_holds(const machine& m, const chart_core& core, const group_row& group, index leaf);

/// After the pulses, if some transition tests whether the leaf is finished.
struct entered_by_head {
    std::uint32_t by; ///< the transition of the current entries + 1, or 0
    std::uint32_t unused;
    std::uint32_t* slots() { return reinterpret_cast<std::uint32_t*>(this + 1); } ///< of active states: `by` when they were entered
};
entered_by_head& entered_by_of(const machine& m, const chart_core& core);
void set_entered_by(machine& m, const chart_core& core, std::uint32_t by);
/// Call it when the state of that slot is exited: stores the conditions with which it was entered, until the next set_entered_by.
void add_entry_conditions(machine& m, const chart_core& core, std::size_t slot);
void reset_entry_conditions(machine& m, const chart_core& core);
/// Clears the triggers that the transition requires to be set.
void use_triggers(machine& m, const chart_core& core, const transition_row& t);

} // namespace hsm::detail
