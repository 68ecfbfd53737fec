// Queries of many agents that do not load them, and changes of their conditions.

#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/run/detail/memory.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <algorithm>
#include <bit>

namespace hsm::detail {

index crowd_core::number_of(const state_key& state) const { return require_state(layout_->core, state); }

crowd_core::selection crowd_core::selected(const state_query& asked) const {
    const auto& core = layout_->core;
    return asked.names_tag ? static_cast<selection>(core.states.size() + require_tag(core, asked.tag_name)) : require_state(core, asked);
}

/// Visits the leaves of all regions until `visit` returns true.
template <class Visit> bool crowd_core::visit_region_leaves(const page& p, std::uint32_t slot, Visit visit) const {
    const auto* const l = p.overflow_of(slot);
    const auto row = p.row(slot);
    const auto leaf = l ? l->leaf : row < layout_->none() ? static_cast<index>(row) : no_index;
    if (leaf == no_index) return false;
    if (!layout_->core.by_regions) return visit(leaf);
    machine m;
    m.block = p.block(slot);
    for (std::size_t r = 0; r < layout_->core.regions.size(); ++r)
        if (const auto region_leaf = region_leaf_of(m, layout_->core, r); region_leaf != no_index && visit(region_leaf)) return true;
    return false;
}

bool crowd_core::is_in(agent_id id, selection s) const {
    require(id);
    return is_in(page_at(id.index), id.index % page_agents, s);
}

bool crowd_core::is_in(const page& p, std::uint32_t slot, selection s) const {
    const auto& core = layout_->core;
    const auto* const sitting = agent_slot_of(p, slot);
    if (s >= core.states.size()) {
        const auto number = s - core.states.size();
        return sitting ? sitting->has_tag(number) : visit_region_leaves(p, slot, [&](index leaf) { return core.has_tag(leaf, number); });
    }
    const auto state = static_cast<index>(s);
    return sitting ? sitting->is_in(state) : visit_region_leaves(p, slot, [&](index region_leaf) { return core.contains(state, region_leaf); });
}

state_ref crowd_core::current(agent_id id) const {
    require(id);
    auto& self = const_cast<crowd_core&>(*this);
    auto& s = self.load(id);
    const auto found = s.machine().current();
    self.store(s);
    return found;
}

agent_bits crowd_core::agents_of(const page& p) const { return without_removed(p, p.agents()); }

/// Finds agents by their rows, and tests those whose row does not determine their states.
agent_bits crowd_core::agents_by_rows(const page& p, index s) const {
    const bool by_rows = !layout_->core.by_regions && !p.visits;
    auto all = by_rows ? p.agents_in_rows(s, layout_->core.states[s].last - s) : agent_bits();
    if (by_rows && !p.has_overflow()) return all;
    each_agent(by_rows ? p.agents_in_rows(layout_->parked(), 0) : p.agents(), [&](std::uint32_t slot) {
        if (is_in(p, slot, s)) all[slot / 64] |= bit_of(slot);
    });
    return all;
}

/// Adds those in each of the outermost states with the tag.
agent_bits crowd_core::agents_with_tag(const page& p, std::size_t number) const {
    agent_bits all{};
    for (std::size_t s = 0; s < layout_->core.states.size(); ++s) {
        if (!layout_->core.has_tag(static_cast<index>(s), number)) continue;
        const auto some = agents_in(p, static_cast<selection>(s));
        for (std::size_t w = 0; w < all.size(); ++w) all[w] |= some[w];
        s = layout_->core.states[s].last;
    }
    return all;
}

agent_bits crowd_core::agents_in(const page& p, selection selected) const {
    if (selected >= layout_->core.states.size()) return agents_with_tag(p, selected - layout_->core.states.size());
    const auto s = static_cast<index>(selected);
    if (!layout_->options.lists) return without_removed(p, agents_by_rows(p, s));
    agent_bits all{};
    for (unsigned inner = s; inner <= layout_->core.states[s].last; ++inner) {
        const auto* const list = p.list_if_any(static_cast<index>(inner));
        if (!list || list->count == 0) continue;
        for (std::size_t w = 0; w < all.size(); ++w) all[w] |= list->agents[w];
    }
    return without_removed(p, all);
}

std::size_t crowd_core::count(selection s) const {
    std::size_t all = 0;
    for (const auto& p : pages_)
        for (const auto word : agents_in(*p, s)) all += static_cast<std::size_t>(std::popcount(word));
    return all;
}

index crowd_core::first_leaf_of(const page& p, std::uint32_t slot) const {
    auto first = no_index;
    visit_region_leaves(p, slot, [&](index leaf) {
        const bool is_leaf = layout_->core.states[leaf].kind != state_kind::parallel;
        if (is_leaf) first = leaf;
        return is_leaf;
    });
    return first;
}

void crowd_core::count_leaves(const page& p, std::span<std::uint32_t> counts) const {
    constexpr std::uint32_t few_states = 32; // for more states, to compare rows takes longer than to read them
    if (!layout_->core.by_regions && !p.has_overflow() && layout_->states <= few_states) {
        auto rest = p.alive;
        for (std::uint32_t row = 0; row < layout_->states && rest > 0; ++row) {
            std::uint32_t found = 0;
            for (const auto word : p.agents_in_rows(row, 0)) found += static_cast<std::uint32_t>(std::popcount(word));
            counts[row] += found;
            rest -= found;
        }
        counts.back() += rest;
        return;
    }
    for (std::uint32_t slot = 0; slot < p.used; ++slot) {
        if (!p.has_agent(slot)) continue;
        bool is_active = false;
        visit_region_leaves(p, slot, [&](index leaf) {
            is_active = true;
            if (layout_->core.states[leaf].kind != state_kind::parallel) ++counts[leaf];
            return false;
        });
        if (!is_active) ++counts.back();
    }
}

std::size_t crowd_core::bytes() const {
    std::size_t all = sizeof *this + pages_.capacity() * sizeof pages_[0] + free_.capacity() * sizeof free_[0];
    for (const auto& p : pages_) all += sizeof *p + p->bytes();
    const auto of_agent_slot = sizeof(agent_slot_with_machine) + sizeof(instance_base) + instance_size(layout_->core, layout_->options.agent) +
                               queues_size(layout_->core, layout_->options.agent);
    for (const auto& s : agent_slots_) all += of_agent_slot + s->in_it.bytes();
    return all;
}

namespace {
class hash {
public:
    void add(std::uint64_t value) {
        for (int i = 0; i < 8; ++i, value >>= 8) at_ = (at_ ^ (value & 0xff)) * 0x100000001b3;
    }
    std::uint64_t value() const { return at_; }

private:
    std::uint64_t at_ = 0xcbf29ce484222325;
};
} // namespace

namespace {
/// Adds the part of a spilled state that affects behavior: equal for agents that behave alike, whatever happened to them before.
void add_overflow(hash& all, const overflow_state& l) {
    constexpr auto lasting_work = work_completion | work_over | work_pending | work_waiting;
    constexpr auto lasting_state = state_paused | state_scaled;
    const std::uint64_t parts[] = {std::uint64_t(l.work & lasting_work) << 8 | (l.state & lasting_state), l.pulses,
                                   l.queues ? l.queues->internal.size() : 0, l.queues ? l.queues->posted.size() : 0};
    if (std::ranges::all_of(parts, [](auto part) { return part == 0; })) return;
    for (const auto part : parts) all.add(part);
}
} // namespace

std::uint64_t crowd_core::state_hash() const {
    hash all;
    all.add(static_cast<std::uint64_t>(now_));
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; slot < p->used; ++slot) {
            if (!p->has_agent(slot)) continue;
            all.add(p->first + slot);
            all.add(p->generation(slot));
            all.add(p->bits(slot) & ~layout_->attention);
            if (layout_->block_size > 0 && !layout_->core.conditions.empty()) {
                machine m;
                m.block = p->block(slot);
                const condition_bits bits(m, layout_->core);
                for (std::size_t w = 0; w < bits.words(); ++w) {
                    if (!layout_->has_column) all.add(bits.word(w));
                    if (bits.pulsed(w)) all.add(bits.pulsed(w));
                }
            }
            visit_region_leaves(*p, slot, [&](index region_leaf) { return all.add(region_leaf), false; });
            if (const auto* const l = p->overflow_of(slot)) add_overflow(all, *l);
        }
    return all.value();
}

std::uint32_t crowd_core::number_of(const condition_key& c) const { return require_condition(layout_->core, c); }

std::uint32_t crowd_core::number_to_set(const condition_key& c) const { return require_own_condition(layout_->core, c); }

bool crowd_core::get(agent_id id, std::uint32_t number) const {
    require(id);
    const auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (number > 0 && layout_->has_column && !agent_slot_of(p, slot)) return p.bits(slot) >> number & 1;
    auto& self = const_cast<crowd_core&>(*this);
    auto& s = self.load(id);
    const bool on = s.machine().get(static_cast<int>(number));
    self.store(s);
    return on;
}

void crowd_core::change(agent_id id, std::uint32_t number, condition_change to) {
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (layout_->has_column && to != condition_change::pulse && !agent_slot_of(p, slot) && !p.overflow_of(slot)) {
        const auto bit = std::uint64_t(1) << number;
        p.set_bits(slot, to == condition_change::on ? p.bits(slot) | bit : p.bits(slot) & ~bit);
        return p.mark(slot);
    }
    auto& s = load(id);
    if (to == condition_change::pulse)
        s.machine().pulse(static_cast<int>(number));
    else
        s.machine().set(static_cast<int>(number), to == condition_change::on);
    store(s);
}

void crowd_core::change_all(std::uint32_t number, bool on) {
    const auto to = on ? condition_change::on : condition_change::off;
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; slot < p->used; ++slot)
            if (p->has_agent(slot)) change(p->id(slot), number, to);
}

} // namespace hsm::detail
