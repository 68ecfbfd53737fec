/// Finds the agents that are updated in one loop when a page is ticked state by state.
#pragma once

#include <hsm/crowd/detail/page.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace hsm::detail {

class agents_of_run {
public:
    /// Collects agents from the word of p.next on: a contiguous run, otherwise a list of limited length. Stops before the first agent that has the
    /// attention bit; the caller guarantees that the first agent of all has none. `left(w)` returns the candidates of a word. Returns the end.
    template <class Left> std::uint32_t find(const page& p, std::uint64_t attention, Left left) {
        std::uint32_t count = 0, end = 0;
        bool go_on = true;
        among_ = {};
        for (auto w = p.next / 64; go_on && w * 64 < p.used; ++w) {
            auto agents = left(w);
            for (auto each = p.may_spill() ? agents : 0; each != 0; each &= each - 1) {
                if (!(p.bits(w * 64 + static_cast<std::uint32_t>(std::countr_zero(each))) & attention)) continue;
                agents &= (each & (~each + 1)) - 1; // only the agents before it
                go_on = false;
                break;
            }
            const bool all = agents == ~std::uint64_t(0);
            const auto more = static_cast<std::uint32_t>(std::popcount(agents));
            if (count == 0) beside_ = all;
            if (count + more > most_ || (beside_ && !all)) break;
            if (agents == 0) continue;
            if (!beside_) list(p, w, agents, count);
            among_[w] = agents;
            count += more;
            end = w * 64 + 64 - static_cast<std::uint32_t>(std::countl_zero(agents));
        }
        return end_ = end;
    }
    const std::uint16_t* listed() const { return beside_ ? nullptr : listed_.data(); }
    const agent_bits& among() const { return among_; }
    /// Adapts the length of lists: if a call to one of the agents ended the loop early, the next list is short.
    void ended(std::uint32_t end) { most_ = end < end_ ? 64 : 2 * most_ < at_most ? 2 * most_ : at_most; }

private:
    static constexpr std::uint32_t at_most = 1024;

    void list(const page& p, std::uint32_t word, std::uint64_t agents, std::uint32_t at) {
        for (; agents != 0; agents &= agents - 1) {
            const auto slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(agents));
            HSM_PREFETCH_TO_WRITE(p.context(slot)); // the addresses are irregular, so the hardware does not prefetch them
            listed_[at++] = static_cast<std::uint16_t>(slot);
        }
    }

    agent_bits among_;
    std::array<std::uint16_t, at_most> listed_;
    std::uint32_t most_ = at_most, end_ = 0;
    bool beside_ = false;
};

} // namespace hsm::detail
