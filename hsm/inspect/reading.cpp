#include <hsm/inspect/detail/reading.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <bit>

namespace hsm::inspect::detail {

using namespace hsm::detail;

namespace {

template <class Visit> void each_leaf(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t r = 0; r < core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(m, core, r); leaf != no_index && core.states[leaf].kind != state_kind::parallel) visit(leaf);
}

/// A chart with more states is counted agent by agent.
constexpr std::uint32_t few_states = 32;

/// Counts the agents of a page in each leaf, by comparing rows. Requires that the rows determine the leaves.
void count_rows(const hsm::detail::page& p, const crowd_layout& layout, std::vector<std::uint32_t>& counts) {
    auto rest = p.alive;
    for (std::uint32_t row = 0; row < layout.states && rest > 0; ++row) {
        std::uint32_t found = 0;
        for (const auto word : p.agents_in_rows(row, 0)) found += static_cast<std::uint32_t>(std::popcount(word));
        counts[row] += found;
        rest -= found;
    }
    counts.back() += rest;
}

/// Visits the leaves of an agent that is not loaded.
template <class Visit> void each_leaf(const hsm::detail::page& p, std::uint32_t slot, const crowd_layout& layout, Visit visit) {
    const auto* const overflow = p.overflow_of(slot);
    const auto row = p.row(slot);
    const auto leaf = overflow ? overflow->leaf : row < layout.none() ? static_cast<index>(row) : no_index;
    if (leaf == no_index) return;
    if (!layout.core.by_regions) return visit(leaf);
    machine m;
    m.leaf = leaf;
    m.block = p.block(slot);
    each_leaf(m, layout.core, visit);
}

} // namespace

bool update_leaves(const machine& m, std::vector<std::uint16_t>& known) {
    const auto& core = core_of(m);
    if (!core.by_regions && m.leaf != no_index && known.size() == 1 && known.front() == m.leaf) return false;
    std::size_t n = 0;
    bool differs = false;
    each_leaf(m, core, [&](index leaf) {
        differs |= n >= known.size() || known[n] != leaf;
        ++n;
    });
    if (!differs && n == known.size()) return false;
    known.reserve(n);
    known.clear();
    each_leaf(m, core, [&](index leaf) { known.push_back(leaf); });
    return true;
}

keyframe keyframe_of(const machine& m) {
    const auto& core = core_of(m);
    keyframe now;
    now.clock = m.now;
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        if (m.leaf == no_index || !is_active(m, core, static_cast<index>(s))) continue;
        now.active.push_back(static_cast<std::uint16_t>(s));
        const auto& timers = core.states[s].timers;
        for (auto t = timers.first; t < timers.first + timers.count; ++t)
            if (const auto due = due_at(m, core, t); due != never) now.timers.emplace_back(t, due);
    }
    if (core.conditions.empty()) return now;
    const condition_bits bits(m, core);
    for (std::uint32_t c = 1; c < core.conditions.size(); ++c)
        if (bits[c]) now.conditions.push_back(c);
    return now;
}

std::vector<agent_place> agents_of(const crowd_base& herd, std::optional<std::uint32_t> state, std::size_t most) {
    const auto& core = crowd_access::core_of(herd);
    std::vector<agent_place> all;
    for (std::size_t n = 0; n < core.pages(); ++n) {
        const auto& p = core.page_number(n);
        const auto found = state ? core.agents_in(p, static_cast<index>(*state)) : core.agents_of(p);
        for (std::size_t w = 0; w < found.size(); ++w)
            for (auto rest = found[w]; rest != 0; rest &= rest - 1) {
                if (all.size() == most) return all;
                const auto slot = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
                const auto id = p.id(slot);
                agent_place place{id.index, id.generation};
                each_leaf(p, slot, core.layout(), [&](index leaf) { place.leaf = place.leaf == record::no_state ? leaf : place.leaf; });
                all.push_back(place);
            }
    }
    return all;
}

bool leaf_counter::count_some(const crowd_base& herd, std::size_t pages) {
    const auto& core = crowd_access::core_of(herd);
    const auto& layout = core.layout();
    if (page_ == 0) counts_.assign(layout.states + std::size_t(1), 0);
    for (; pages > 0 && page_ < core.pages(); --pages, ++page_) {
        const auto& p = core.page_number(page_);
        if (!layout.core.by_regions && !p.has_overflow() && layout.states <= few_states) {
            count_rows(p, layout, counts_);
            continue;
        }
        for (std::uint32_t slot = 0; slot < p.used; ++slot) {
            if (!p.has_agent(slot)) continue;
            bool is_active = false;
            each_leaf(p, slot, layout, [&](index leaf) {
                is_active = true;
                ++counts_[leaf];
            });
            if (!is_active) ++counts_.back();
        }
    }
    if (page_ < core.pages()) return false;
    page_ = 0;
    return true;
}

void leaf_counter::take(population& to) {
    to.inactive = counts_.back();
    for (std::size_t s = 0; s + 1 < counts_.size(); ++s)
        if (counts_[s] > 0) to.counts.emplace_back(static_cast<std::uint16_t>(s), counts_[s]);
}

} // namespace hsm::inspect::detail
