#include <hsm/vm/detail/block.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/enabled.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Places parts one after the other.
class layout_maker {
public:
    std::uint32_t put(std::size_t size, std::uint32_t alignment = 8) {
        const auto at = aligned(end_, alignment);
        end_ = at + size;
        return static_cast<std::uint32_t>(at);
    }
    std::uint64_t end() const { return end_; }

private:
    std::uint64_t end_ = 0;
};

} // namespace

block_layout layout_of(const chart_core& core) {
    const auto bits = [&](bool wanted) { return wanted ? words_for(core.states.size()) * 8 : 0; };
    const auto if_by_regions = [&](std::size_t size) { return core.by_regions ? size : 0; };
    const auto levels = core.has_holds ? slot_count(core) : 0;
    block_layout l;
    l.alignment = std::max({core.block_alignment, core.event_alignment, std::uint32_t(alignof(hook_context))});
    if (core.has_hook_context)
        l.hook_context = static_cast<std::uint32_t>(aligned(sizeof(hook_context) + core.most_candidates * sizeof(double), l.alignment));
    if (!core.conditions.empty()) l.front = static_cast<std::uint32_t>(aligned(sizeof(condition_head), l.alignment));
    layout_maker block;
    block.put(core.has_hook_context ? sizeof(hook_context*) : 0);
    l.times = block.put(core.options.entry_times ? 8u * core.time_slots : 0u);
    l.marks = block.put(bits(core.has_marks));
    l.due = block.put(bits(core.has_marks));
    l.due_list = block.put(if_by_regions(core.has_marks ? sizeof(due_list) + core.states.size() * sizeof(index) : 0));
    l.released = block.put(bits(core.has_holds));
    l.just_entered = block.put(bits(core.has_transients));
    l.barred = block.put(bits(core.by_regions));
    l.region_step = block.put(if_by_regions(sizeof(region_step_head) + most_step_parts(core.regions.size()) * sizeof(const op*)));
    l.regions = block.put(if_by_regions(core.regions.size() * sizeof(region_state)));
    l.enabled = block.put(if_by_regions(2 * (core.regions.size() + 1) * sizeof(enabled_transition)));
    l.looked_up = block.put(if_by_regions(4 * words_for(core.regions.size()) * 8));
    l.tried = block.put(words_for(core.carried.size()) * 8);
    l.offer = block.put(core.stores_events ? sizeof(void*) : 0);
    l.in_query = block.put(core.catches_guards ? 1 : 0, 1);
    l.deferral = block.put(core.has_defers ? sizeof(deferral_head) : 0);
    l.conditions = block.put(condition_memory(core));
    l.records = block.put(core.history_owners.size() * sizeof(index));
    l.chance = block.put(core.has_chance ? sizeof(chance_head) : 0);
    l.cooldowns = block.put(core.cooldowns.size() * sizeof(std::int64_t));
    l.region_records = block.put(core.region_records * sizeof(index));
    l.holding = block.put(core.has_holds ? sizeof(holding_head) : 0);
    l.blocked = block.put(words_for(levels) * 8);
    l.waiting = block.put(levels * sizeof(waiting_slot));
    l.pending = block.put(levels * sizeof(pending_slot));
    if (!core.leave_requests.empty()) l.requests = block.put(2 * words_for(core.leave_requests.size()) * 8);
    l.payload_stride = static_cast<std::uint32_t>(aligned(core.event_size ? core.event_size : 1u, core.event_alignment));
    l.payloads = block.put((levels ? levels + 1 : 0) * l.payload_stride, core.event_alignment);
    l.locals = block.put(core.block_size, core.block_alignment);
    l.queues = block.put(0, std::max(core.event_alignment, 8u));
    l.size = block.end();
    return l;
}

void store_payload(const machine& m, const chart_core& core, const event_type& type, void* memory) {
    const auto* const offer = offer_of(m, core);
    if (offer && offer->construct)
        offer->construct(memory, *offer);
    else
        type.store(memory, m.payload);
}

void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept {
    const auto first = core.states[s].locals.first;
    while (count > 0) {
        const auto& local = core.locals[first + --count];
        local.prototype->type().destroy(m.block + core.layout.locals + local.offset);
    }
}

} // namespace hsm::detail
