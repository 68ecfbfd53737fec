// Parallels of two regions with few leaves: for each pair of leaves and event, one program for both regions.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
constexpr std::size_t most_cells = 4096; ///< pairs of leaves, times events
} // namespace

struct planner::pair_of_leaves {
    const pair_table& table;
    index first, second;
};

void planner::make_pairs() {
    if (core_.has_holds || core_.has_hooks.change || core_.has_transients) return;
    for (index s = 0; s < row_count(core_.states); ++s) core_.states[s].rank = no_index;
    for (std::size_t column = 0; column < core_.row_width; ++column)
        core_.pair_dispatch_ops.push_back({&ops::dispatch_pair, {.target = &core_.dispatch_ops[2 * column]}});
    std::vector<std::pair<std::vector<index>, std::vector<index>>> leaves;
    for (index p = 0; p < row_count(core_.states); ++p) {
        if (!is_pair(p)) continue;
        const auto first = static_cast<index>(core_.states[p].regions.first);
        leaves.emplace_back();
        number_leaves(first, leaves.back().first);
        number_leaves(static_cast<index>(first + 1), leaves.back().second);
        const auto cells = leaves.back().first.size() * leaves.back().second.size() * core_.row_width;
        core_.pairs.push_back({p, first, static_cast<std::uint32_t>(leaves.back().second.size()), core_.pair_rows.size()});
        core_.pair_rows.resize(core_.pair_rows.size() + cells);
    }
    for (std::size_t i = 0; i < leaves.size(); ++i)
        for (const auto first : leaves[i].first)
            for (const auto second : leaves[i].second) make_pair_row({core_.pairs[i], first, second});
}

/// Returns whether the parallel has few leaves, and no other state can be active next to its regions.
bool planner::is_pair(index parallel) const {
    const auto& p = core_.states[parallel];
    if (p.kind != state_kind::parallel || p.regions.count != 2 || p.region != 0) return false;
    if (core_.states[core_.regions[p.regions.first + 1]].superstate != parallel) return false;
    std::size_t leaves[2] = {0, 0};
    for (auto s = static_cast<index>(parallel + 1); s <= p.last; ++s)
        if (const auto& row = core_.states[s]; row.kind == state_kind::leaf || row.kind == state_kind::final) ++leaves[row.region - p.regions.first];
    return leaves[0] * leaves[1] * core_.row_width + core_.pair_rows.size() <= most_cells;
}

void planner::number_leaves(index region, std::vector<index>& leaves) {
    for (auto s = core_.regions[region]; s <= core_.states[core_.regions[region]].last; ++s)
        if (auto& row = core_.states[s]; row.kind == state_kind::leaf || row.kind == state_kind::final) {
            row.rank = static_cast<index>(leaves.size());
            leaves.push_back(s);
        }
}

planner::transitions planner::candidates_of(index region_leaf, std::uint32_t column) const {
    const auto& list = core_.lists[core_.program_for(region_leaf, column)];
    return {core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count};
}

/// Events that superstates of both handle, or whose effect is not known at compile time, go to the driver.
void planner::make_pair_row(const pair_of_leaves& leaves) {
    const auto place = static_cast<std::size_t>(core_.row_of_pair(leaves.table, leaves.first, leaves.second) - core_.pair_rows.data());
    for (std::uint16_t event = 0; event < row_count(core_.events); ++event) {
        const auto column = core_.event_columns[event];
        const auto first = candidates_of(leaves.first, column);
        const auto second = candidates_of(leaves.second, column);
        const bool ours = stays_in_region(leaves.first, first) && lead_statically(first) && stays_in_region(leaves.second, second) &&
                          lead_statically(second) && candidates_of(leaves.table.parallel, column).empty();
        if (!ours) {
            core_.each_column(event, [&](auto c) { core_.pair_rows[place + c] = &core_.pair_dispatch_ops[c]; });
        } else if (!first.empty() || !second.empty()) {
            const auto p = pair_program(leaves, first, second);
            core_.each_column(event, [&](auto c) { out_.set_pair_program(place + c, p); });
        }
    }
}

bool planner::lead_statically(const transitions& candidates) const {
    return std::ranges::all_of(candidates, [&](auto number) { return leads_statically(core_.transitions[number]); });
}

/// Tests the guards of one region, then of the other. Each outcome has its own body.
program planner::pair_program(const pair_of_leaves& leaves, const transitions& first, const transitions& second) {
    const auto p = out_.begin();
    for (const auto& number : first) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        second_of_pair(leaves, &number, second);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    second_of_pair(leaves, nullptr, second);
    return p;
}

void planner::second_of_pair(const pair_of_leaves& leaves, const std::uint32_t* first, const transitions& second) {
    for (const auto& number : second) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        pair_body(leaves, first, &number);
        if (refused.empty()) return;
        out_.land(refused);
    }
    if (first)
        pair_body(leaves, first, nullptr);
    else
        end(result::guarded);
}

/// A transition of the step, and the leaf where it arrives.
struct pair_side {
    const transition_row* t;
    std::uint32_t number;
    index leaf;
    bool moves;
};

/// Writes one step of both regions, or of one.
struct planner::pair_sink : entry_sink {
    pair_sink(planner& of, bool mixed, bool both_move) : entry_sink{of, ops::all}, is_mixed_(mixed), is_first_(both_move) {}

    static bool moves(const pair_side* s) { return s->moves; }

    void exits(pair_side* s) {
        because(*s);
        flatten::exits(p.core_.states, s->leaf, s->t->level, [&](index left) { p.exit(left); });
        p.out_.emit(&ops::region_leaf, s->t->level | region_of(*s));
    }
    void action(pair_side* s) {
        if (is_mixed_ && !acts_) p.out_.emit(&ops::moving, std::uint64_t(1));
        if (s->t->actions.count) because(*s), p.actions(*s->t, s->moves ? s->t->level : s->t->source);
        if (is_mixed_ && acts_) p.out_.emit(&ops::moving, std::uint64_t(0));
        acts_ = true;
    }
    void entries(pair_side* s) {
        because(*s);
        side_ = s;
        flatten::write_entries(p.core_, s->t->level, s->t->target, *this);
        if (is_first_) p.out_.emit(&ops::region_leaf, s->leaf | region_of(*s));
        is_first_ = false;
    }

    // entry choices: all of them are known at compile time
    void choose(index machine, bool) {
        p.entering(reason::entry);
        flatten::write_entry(p.core_, machine, *this);
    }
    void arrive(index leaf) { side_->leaf = leaf; }

private:
    void because(const pair_side& s) {
        p.out_.forget();
        if (!p.core_.needs_reason) return;
        p.out_.emit(&ops::because_from, s.number | std::uint64_t(reason::event) << 32);
        p.out_.emit(nullptr, std::uint64_t(s.leaf));
    }
    std::uint64_t region_of(const pair_side& s) const { return p.offset_of_region(p.core_.states[s.leaf].region) << 16; }

    const bool is_mixed_; ///< one moves, and the other stays
    bool is_first_;       ///< the first of two that move: its entries are recorded before the other one enters anything
    bool acts_ = false;   ///< the first one has run its action
    pair_side* side_ = nullptr;
};

void planner::pair_body(const pair_of_leaves& leaves, const std::uint32_t* first, const std::uint32_t* second) {
    const auto side_of = [&](const std::uint32_t* number, index leaf) {
        const auto* const t = number ? &core_.transitions[*number] : nullptr;
        return pair_side{t, number ? *number : 0, leaf, t && t->target != no_index};
    };
    pair_side sides[] = {side_of(first, leaves.first), side_of(second, leaves.second)};
    std::vector<pair_side*> step;
    for (auto& s : sides)
        if (s.t) step.push_back(&s);
    for (const auto* s : step) begin_firing(*s->t);
    for (const auto* s : step)
        if (s->moves) record_exits(s->leaf, s->t->level);
    const bool both = step.size() == 2;
    pair_sink sink(*this, both && sides[0].moves != sides[1].moves, sides[0].moves && sides[1].moves);
    flatten::write_step(step, sink);
    if (!sides[0].moves && !sides[1].moves) return end(result::internal);
    out_.emit(&ops::pair_done, sides[0].leaf | std::uint64_t(sides[1].leaf) << 16 | offset_of_region(core_.states[leaves.first].region) << 32);
    out_.emit_row(sides[0].leaf);
    out_.emit_row(sides[1].leaf);
    out_.emit(nullptr, static_cast<const void*>(core_.row_of_pair(leaves.table, sides[0].leaf, sides[1].leaf)));
}

} // namespace hsm::detail
