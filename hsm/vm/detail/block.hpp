/// The memory of an instance besides its head, and its layout.
///
///     [ pointer to the hook context | entry times | marks, due, released, ...: a bit per state | regions | history records
///       | waiting transitions and events by level: see holding.hpp | deferred events | locals and timers | pointers to the queues | queues ]
///
/// Each part exists only if the chart or the instance needs it. The first word of the conditions is in front of the block (see condition_bits.hpp),
/// and the hook context in front of that. An agent of a crowd borrows hook context and queues while it is loaded.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

inline const chart_core& core_of(const machine& m) { return static_cast<const chart_core&>(*m.chart); }

block_layout layout_of(const chart_core& core);

constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

/// A bit per state.
class mark_bits {
public:
    explicit mark_bits(std::byte* words) : words_(reinterpret_cast<std::uint64_t*>(words)) {}
    bool operator[](std::size_t s) const { return words_[s / 64] >> (s % 64) & 1; }
    void set(std::size_t s) { words_[s / 64] |= std::uint64_t(1) << (s % 64); }
    std::uint64_t& word(std::size_t w) const { return words_[w]; }
    void clear_all(std::size_t states) {
        for (std::size_t i = 0; i < words_for(states); ++i) words_[i] = 0;
    }
    void clear(std::size_t s) { words_[s / 64] &= ~(std::uint64_t(1) << (s % 64)); }

private:
    std::uint64_t* words_;
};

/// Returns the current event, if the caller determines how its payload is stored.
inline const event_ref*& offer_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<const event_ref**>(m.block + core.layout.offer);
}
/// Stores the current payload in memory for the largest one: as the caller determined, otherwise by copying. If that throws, nothing has changed.
void store_payload(const machine& m, const chart_core& core, const event_type& type, void* memory);

/// Destroys the first `count` locals of a state.
void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept;

/// Returns whether guards are called only to predict a result. Requires a chart that catches exceptions of guards.
inline bool is_in_query(const machine& m, const chart_core& core) { return m.block[core.layout.in_query] != std::byte(0); }

} // namespace hsm::detail
