// Events for many agents, page by page. Agents that do not handle the event are not loaded; if rows determine that, they are not visited.

#include <hsm/crowd/detail/crowd_core.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

event_tables::event_tables(const crowd_layout& layout) : layout_(layout), tables_(layout.tables.rows(), layout.row_size, layout.bit_size) {
    for (auto row = layout.parked(); row < layout.none() + layout.other_rows; ++row) tables_.set(row, layout.never_set(), layout.never_set());
    scan_ = find_idle_scan(tables_, layout.options.vector_code);
}

/// The rows that have a program for the column are stored until another column is requested.
agent_bits event_tables::possible_handlers(const page& p, std::uint32_t column) {
    if (column != column_)
        for (index leaf = 0; leaf < row_count(layout_.core.states); ++leaf) {
            const auto handles = layout_.programs[leaf][column] ? layout_.never_set() : 0;
            tables_.set(leaf, handles, handles | layout_.attention);
        }
    column_ = column;
    return p.agents_by(tables_, scan_);
}

namespace {
event_for_many event_for(const crowd_layout& layout, const event_ref& event, bool is_posted) {
    machine any;
    any.chart = &layout.core;
    return {event, find_column(any, event), is_posted};
}
} // namespace

result_counts crowd_core::give(const event_ref& event, bool is_posted, const state_query* state) {
    auto what = event_for(*layout_, event, is_posted);
    const auto s = state ? selected(*state) : selection();
    for (std::size_t n = 0; n < pages_.size(); ++n) {
        auto& p = *pages_[n];
        give_in(p, what, state ? agents_in(p, s) : agents_of(p));
    }
    rethrow(what.thrown);
    return what.results;
}

/// Agents of a page that follow each other in the order of indices are one round.
result_counts crowd_core::give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) {
    auto what = event_for(*layout_, event, is_posted);
    what.by_handle = true;
    for (std::size_t i = 0; i < ids.size();) {
        if (!has(ids[i])) {
            ++i;
            continue;
        }
        auto& p = page_at(ids[i].index);
        if (p.visits) {
            give_by_call(ids[i++], what);
            continue;
        }
        agent_bits meant{};
        for (auto before = ids[i].index; i < ids.size() && ids[i].index / page_agents == before / page_agents && ids[i].index >= before; ++i) {
            const auto slot = ids[i].index % page_agents;
            if (!has(ids[i])) continue;
            if (has_bit(meant, slot)) break;
            meant[slot / 64] |= bit_of(slot);
            before = ids[i].index;
        }
        give_in(p, what, meant);
    }
    rethrow(what.thrown);
    return what.results;
}

namespace {
/// For a few agents, visiting them is faster than scanning the page.
bool is_worth_a_scan(const agent_bits& meant) { return count_of(meant, 32) >= 32; }
} // namespace

void crowd_core::give_in(page& p, event_for_many& what, const agent_bits& meant) {
    if (p.visits) { // agents with a call in progress queue the event
        each_agent(meant, [&](std::uint32_t slot) {
            if (const auto id = id_at(p.first + slot)) give_by_call(id, what);
        });
        return;
    }
    const auto now = !running_ ? now_ : p.was_visited(0) ? running_->later : running_->now; // of agents that are not newcomers
    event_round r{what, now, running_ ? running_->later : now_};
    const bool by_row = layout_->events_by_row && !what.is_posted && is_worth_a_scan(meant);
    r.look = by_row ? event_tables_->possible_handlers(p, what.column) : meant;
    for (std::uint32_t w = 0; w < page_words; ++w) {
        r.others[w] = meant[w] & ~r.look[w];
        r.look[w] &= meant[w];
    }
    if (std::ranges::any_of(r.look, [](std::uint64_t word) { return word != 0; })) what.thrown.of([&] { visit_handlers(p, r, take_agent_slot()); });
    r.end();
}

void crowd_core::visit_handlers(page& p, event_round& r, agent_slot& s) {
    p.round = &r;
    for (bool done = false; !done;) {
        r.what.thrown.of([&] { done = s.give(p, r); });
        if (std::exchange(p.to_be_removed, false)) r.what.thrown.of([&] { remove_in(s, p, s.slot()); });
    }
    p.round = nullptr;
    free_agent_slot(s);
}

void crowd_core::give_by_call(agent_id id, event_for_many& what) {
    what.thrown.of([&] {
        auto& s = load(id);
        what.thrown.of([&] { what.add(what.is_posted ? s.post(what.event) : s.process(what.event)); });
        store(s);
    });
}

} // namespace hsm::detail
