/// The conditions of an instance: their bits, which of them are pulses, and by which transitions the active states were entered.
///
/// The first word of each stands in front of the block, together with the test that a tick begins with (see idle_test), as
/// condition_head draws it; in the block stands what more there is:
///
///     ... [ bits 64 .. | pulses 64 .. | pulses 64 .. that end | entered by ] ...
///
/// While a test is there for the leaf, state_watched is set. Bit 0 in the word is only for that test.
#pragma once

#include <hsm/op/detail/condition_head.hpp>
#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

inline void stop_watching(machine& m) { m.state = static_cast<std::uint8_t>(m.state & ~state_watched); }

inline std::size_t condition_words(const chart_core& core) { return (core.conditions.size() + 63) / 64; }
std::size_t condition_memory(const chart_core& core); ///< in the block

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
    void clear() const; ///< all of them, pulses as well
    bool any_pulsed() const;
    /// Those that are there now are the ones that end_pulses ends, if nobody sets them meanwhile.
    void begin_pulses() const;
    void end_pulses() const;

private:
    condition_head& head_;
    std::uint64_t* more_;
    std::size_t words_;
};

/// As conditions see it: also a final state is.
bool leaf_is_over(const machine& m, const chart_core& core, index leaf);
/// Leaf: the one that may be over.
bool group_holds(const machine& m, const chart_core& core, const group_row& group, index leaf);

/// Where some transition asks whether the leaf is over: behind the pulses.
struct entered_by_head {
    std::uint32_t by; ///< 0, or the transition + 1, that enters what is entered
    std::uint32_t unused;
    std::uint32_t* slots() { return reinterpret_cast<std::uint32_t*>(this + 1); } ///< of active states: `by` when they were entered
};
entered_by_head& entered_by_of(const machine& m, const chart_core& core);
void set_entered_by(machine& m, const chart_core& core, std::uint32_t by);
/// The state of that slot is left: the conditions by which it was entered are noted, until set_entered_by is called again.
void note_entry_conditions(machine& m, const chart_core& core, std::size_t slot);
void reset_entry_conditions(machine& m, const chart_core& core);

} // namespace hsm::detail
