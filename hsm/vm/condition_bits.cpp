#include <hsm/vm/detail/condition_bits.hpp>

#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <bit>

namespace hsm::detail {

namespace {
/// Returns the number of words before the entry conditions of exited states, an entered_by_head and its slots.
std::size_t plain_words(const chart_core& core) { return 3 * (condition_words(core) - 1); }

std::uint64_t* conditions_to_reset(const machine& m, const chart_core& core) {
    return reinterpret_cast<std::uint64_t*>(m.block + core.layout.conditions) + plain_words(core);
}
} // namespace

std::size_t condition_memory(const chart_core& core) {
    if (core.conditions.empty()) return 0;
    const auto led = core.has_over ? condition_words(core) * 8 + sizeof(entered_by_head) + core.time_slots * sizeof(std::uint32_t) : 0;
    return plain_words(core) * 8 + led;
}

void condition_bits::change(std::uint32_t number, condition_change to) const {
    const auto w = number / 64;
    const auto bit = std::uint64_t(1) << number % 64;
    word(w) = to == condition_change::off ? word(w) & ~bit : word(w) | bit;
    pulsed(w) = to == condition_change::pulse ? pulsed(w) | bit : pulsed(w) & ~bit;
    ending(w) &= ~bit;
}

void condition_bits::clear() const {
    const auto over = head_.bits & 1; // bit 0 belongs to the leaf
    for (std::size_t w = 0; w < words_; ++w) word(w) = pulsed(w) = ending(w) = 0;
    head_.bits = over;
}

bool condition_bits::any_pulsed() const {
    for (std::size_t w = 0; w < words_; ++w)
        if (pulsed(w)) return true;
    return false;
}

void condition_bits::begin_pulses() const {
    for (std::size_t w = 0; w < words_; ++w) {
        ending(w) |= pulsed(w);
        pulsed(w) = 0;
    }
}

void condition_bits::end_pulses() const {
    for (std::size_t w = 0; w < words_; ++w) {
        word(w) &= ~ending(w);
        ending(w) = 0;
    }
}

bool leaf_is_over(const machine& m, const chart_core& core, index leaf) {
    return leaf != no_index && (core.states[leaf].kind == state_kind::final || is_marked_over(m, core, leaf));
}

bool group_holds(const machine& m, const chart_core& core, const group_row& group, index leaf) {
    const condition_bits bits(m, core);
    for (auto i = group.first; i < group.first + group.count; ++i) {
        const auto& part = core.masks[i];
        auto word = bits.word(part.word);
        if (part.word == 0 && group.tests_finished) word = (word & ~std::uint64_t(1)) | (leaf_is_over(m, core, leaf) ? 1 : 0);
        const auto differs = (word ^ part.mask) & part.filter;
        if (group.any && differs != part.filter) return true;
        if (!group.any && differs != 0) return false;
    }
    return !group.any;
}

entered_by_head& entered_by_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<entered_by_head*>(conditions_to_reset(m, core) + condition_words(core));
}

void set_entered_by(machine& m, const chart_core& core, std::uint32_t by) {
    entered_by_of(m, core).by = by;
    for (std::size_t w = 0; w < condition_words(core); ++w) conditions_to_reset(m, core)[w] = 0;
}

void add_entry_conditions(machine& m, const chart_core& core, std::size_t slot) {
    const auto by = entered_by_of(m, core).slots()[slot];
    if (by == 0) return;
    const auto& masks = core.transitions[by - 1].entry_conditions;
    for (auto i = masks.first; i < masks.first + masks.count; ++i) conditions_to_reset(m, core)[core.masks[i].word] |= core.masks[i].mask;
}

namespace {
/// Clears these bits, and reports those that were set.
void reset(const machine& m, const chart_core& core, std::size_t word, std::uint64_t to_reset) {
    const condition_bits bits(m, core);
    for (auto set = core.traced ? to_reset & bits.word(word) : 0; set != 0; set &= set - 1)
        trace_condition(m, core, static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(set))), condition_step::off);
    bits.word(word) &= ~to_reset;
    bits.pulsed(word) &= ~to_reset;
    bits.ending(word) &= ~to_reset;
}
} // namespace

void reset_entry_conditions(machine& m, const chart_core& core) {
    for (std::size_t w = 0; w < condition_words(core); ++w) reset(m, core, w, conditions_to_reset(m, core)[w]);
}

void use_triggers(machine& m, const chart_core& core, const transition_row& t) {
    for (auto i = t.entry_conditions.first; i < t.entry_conditions.first + t.entry_conditions.count; ++i)
        reset(m, core, core.masks[i].word, core.masks[i].mask & core.triggers[core.masks[i].word]);
}

} // namespace hsm::detail
