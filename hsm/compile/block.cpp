#include <hsm/compile/block.hpp>

#include <hsm/compile/condition_bits.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>

#include <algorithm>

namespace hsm {

namespace {

/// Puts one part behind the other.
class layout_maker {
public:
    std::uint32_t put(std::size_t size, std::uint32_t alignment = 8) {
        const auto at = (end_ + alignment - 1) / alignment * alignment;
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
    const auto if_driven = [&](std::size_t size) { return core.driven ? size : 0; };
    const auto levels = core.has_holds ? slot_count(core) : 0;
    block_layout l;
    l.alignment = std::max({core.block_alignment, core.event_alignment, std::uint32_t(alignof(moment))});
    if (core.has_moment) l.moment = (std::uint32_t(sizeof(moment)) + l.alignment - 1) / l.alignment * l.alignment;
    if (!core.conditions.empty()) l.front = (std::uint32_t(sizeof(condition_head)) + l.alignment - 1) / l.alignment * l.alignment;
    layout_maker block;
    block.put(core.has_moment ? sizeof(moment*) : 0);
    l.times = block.put(core.options.entry_times ? 8u * core.time_slots : 0u);
    l.marks = block.put(bits(core.has_marks));
    l.due = block.put(bits(core.has_marks));
    l.due_list = block.put(if_driven(core.has_marks ? sizeof(due_list) + core.states.size() * sizeof(index) : 0));
    l.released = block.put(bits(core.has_holds));
    l.fresh = block.put(bits(core.has_transients));
    l.barred = block.put(bits(core.driven));
    l.driver = block.put(if_driven(sizeof(driver_head)));
    l.regions = block.put(if_driven(core.regions.size() * sizeof(region_state)));
    l.region_lists = block.put(if_driven(core.regions.size() * sizeof(region_state*)));
    l.plan = block.put(if_driven(2 * (core.regions.size() + 1) * sizeof(planned)));
    l.asked = block.put(if_driven(4 * words_for(core.regions.size()) * 8));
    l.offer = block.put(core.keeps_events ? sizeof(void*) : 0);
    l.deferral = block.put(core.has_defers ? sizeof(deferral_head) : 0);
    l.conditions = block.put(condition_memory(core));
    l.records = block.put(core.remembering.size() * sizeof(index));
    l.region_records = block.put(core.region_records * sizeof(index));
    l.holding = block.put(core.has_holds ? sizeof(holding_head) : 0);
    l.blocked = block.put(words_for(levels) * 8);
    l.waiting = block.put(levels * sizeof(waiting_slot));
    l.pending = block.put(levels * sizeof(pending_slot));
    l.payloads = block.put((levels ? levels + 1 : 0) * payload_stride(core), core.event_alignment);
    l.locals = block.put(core.block_size, core.block_alignment);
    l.queues = block.put(0, std::max(core.event_alignment, 8u));
    l.size = block.end();
    return l;
}

void keep_payload(const machine& m, const chart_core& core, const event_type& type, void* memory) {
    const auto* const offer = offer_of(m, core);
    if (offer && offer->construct)
        offer->construct(memory, *offer);
    else
        type.keep(memory, m.payload);
}

namespace {
bool regions_over(const machine& m, const chart_core& core, index parallel) {
    const auto& inner = core.states[parallel].regions;
    for (auto r = inner.first; r < inner.first + inner.count; ++r)
        if (core.states[core.regions[r]].superstate == parallel && !is_marked_over(m, core, core.regions[r])) return false;
    return true;
}
} // namespace

void mark_over(machine& m, const chart_core& core, index s) {
    if (!core.states[s].marked || is_marked_over(m, core, s)) return;
    m.work |= work_completion;
    if (core.has_over) stop_watching(m);
    if (s == 0) {
        m.state |= state_over;
        return;
    }
    marks_of(m, core).set(s);
    due_of(m, core).set(s);
    if (core.driven) {
        auto& list = due_list_of(m, core);
        list.states[list.count++] = s;
    }
    const auto outer = core.states[s].superstate;
    if (core.states[outer].kind == state_kind::parallel && regions_over(m, core, outer)) mark_over(m, core, outer);
}

void clear_mark(machine& m, const chart_core& core, index s) {
    if (core.has_over) stop_watching(m);
    if (s == 0) {
        m.state = static_cast<std::uint8_t>(m.state & ~state_over);
    } else if (core.states[s].marked) {
        marks_of(m, core).clear(s);
        clear_due(m, core, s);
    }
}

void clear_due(const machine& m, const chart_core& core, index s) {
    if (!due_of(m, core)[s]) return;
    due_of(m, core).clear(s);
    if (!core.driven) return;
    auto& list = due_list_of(m, core);
    auto* const end = list.states + list.count;
    std::remove(list.states, end, s);
    --list.count;
}

void arm(machine& m, const chart_core& core, std::uint32_t timer, std::int64_t time) {
    time = std::max<std::int64_t>(time, core.timers[timer].periodic ? 1 : 0);
    due_at(m, core, timer) = time > never - m.now ? never : m.now + time;
    if (core.timers[timer].periodic) period_of(m, core, timer) = time;
}

namespace {
/// The tips of all regions inside it, as far as they can be gone back to.
void record_regions(machine& m, const chart_core& core, std::size_t place) {
    const auto& inner = core.states[core.remembering[place]].regions;
    for (std::uint32_t i = 0; i < inner.count; ++i) {
        const auto tip = tip_of(m, core, inner.first + i);
        const bool forgotten = tip != no_index && core.states[tip].kind == state_kind::final && !core.options.remember_finals;
        region_records_of(m, core, place)[i] = forgotten ? core.states[tip].superstate : tip;
    }
}
} // namespace

void list_regions(machine& m, const chart_core& core) {
    auto& head = driver_of(m, core);
    head.list = reinterpret_cast<region_state**>(m.block + core.layout.region_lists);
    head.leaf_count = head.outer_count = 0;
    head.siblings = true;
    auto parallel = no_index;
    const auto list = [&](bool leaves, index& count) {
        for (std::size_t r = 0; r < core.regions.size(); ++r) {
            const auto tip = tip_of(m, core, r);
            if (tip == no_index || (core.states[tip].kind != state_kind::parallel) != leaves) continue;
            head.list[head.leaf_count + head.outer_count] = &region_at(m, core, r);
            const auto superstate = core.states[core.regions[r]].superstate;
            if (leaves && count > 0) head.siblings &= superstate == parallel;
            parallel = superstate;
            ++count;
        }
    };
    list(true, head.leaf_count);
    list(false, head.outer_count);
    head.pair = nullptr;
    for (const auto& p : core.pairs)
        if (tip_of(m, core, 0) == p.parallel) head.pair = &p;
}

const op* const* row_of_regions(const machine& m, const chart_core& core) {
    const auto* const pair = driver_of(m, core).pair;
    if (!pair) return core.drive_row.data();
    const auto first = tip_of(m, core, pair->first);
    const auto second = tip_of(m, core, pair->first + 1u);
    const bool leaves = core.states[first].rank != no_index && core.states[second].rank != no_index;
    return leaves ? core.row_of_pair(*pair, first, second) : core.drive_row.data();
}

void record_exits(machine& m, const chart_core& core, index level) {
    for (std::size_t i = 0; i < core.remembering.size(); ++i) {
        const auto s = core.remembering[i];
        const bool exits = is_active(m, core, s) && (level == no_index || (s != level && core.contains(level, s)));
        if (!exits) continue;
        const bool parallel = core.states[s].kind == state_kind::parallel;
        record_of(m, core, i) = parallel ? s : core.recorded(s, core.driven ? tip_of(m, core, core.states[s].region) : m.leaf);
        if (core.driven) record_regions(m, core, i);
    }
}

void destroy_locals(machine& m, const chart_core& core, index s, std::uint32_t count) noexcept {
    const auto first = core.states[s].locals.first;
    while (count > 0) {
        const auto& local = core.locals[first + --count];
        local.prototype->type().destroy(m.block + core.layout.locals + local.offset);
    }
}

} // namespace hsm
