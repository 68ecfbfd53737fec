// Events that several regions of one parallel handle: groups of neighboring regions with few leaves have a program for each combination of leaves.
// If a group has all regions that handle the event, its program is the whole step. Otherwise it is a part of the step, like that of a single region.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {
constexpr std::size_t most_cells = 4096;      ///< of all groups of a chart
constexpr std::size_t most_combinations = 16; ///< of leaves, if a group has more than two regions
constexpr std::size_t most_outcomes = 64;     ///< of the guards of one combination
} // namespace

/// The regions of a group, and their leaves so far.
struct planner::group_of_regions {
    std::uint16_t event;
    bool is_whole; ///< no other region handles the event
    std::vector<index> regions, leaves;
};

bool planner::is_leaf_of(index s, index region) const {
    const auto& row = core_.states[s];
    return row.region == region && (row.kind == state_kind::leaf || row.kind == state_kind::final);
}

std::size_t planner::leaves_of(index region) const {
    const auto first = core_.regions[region];
    std::size_t leaves = 0;
    for (auto s = first; s <= core_.states[first].last; ++s) leaves += is_leaf_of(s, region);
    return leaves;
}

/// Makes the groups of all events. An event whose groups would need too much memory has none.
void planner::make_groups() {
    if (core_.has_holds || core_.has_hooks.change || core_.has_transients) return;
    struct grouped_event {
        std::size_t op;
        std::vector<group_of_regions> groups;
    };
    std::vector<grouped_event> events;
    std::size_t cells = 0, ops = 0;
    for (std::uint16_t event = 0; event < row_count(core_.events); ++event) {
        auto groups = groups_of(event);
        std::size_t needed = 0;
        for (const auto& g : groups) needed += cells_of(g);
        if (needed == 0 || cells + needed > most_cells) continue;
        cells += needed;
        events.push_back({ops, std::move(groups)});
        ops += events.back().groups[0].is_whole ? 2 : 3 + 2 * events.back().groups.size();
    }
    core_.group_cells.reserve(cells);
    core_.group_ops.resize(ops, {nullptr, {.number = 0}});
    for (auto& [at, groups] : events) make_groups_of_event(&core_.group_ops[at], groups);
}

/// Returns the groups of the regions that handle the event; none if each group would be one region.
std::vector<planner::group_of_regions> planner::groups_of(std::uint16_t event) const {
    std::vector<group_of_regions> groups;
    const auto column = core_.event_columns[event];
    if (core_.column_events[column] == no_index || apart_[column]) return groups;
    std::size_t combinations = 0, most = 0, count = 0;
    for (const auto* at = static_cast<const std::uint32_t*>(core_.dispatch_ops[2 * column + 1].self); *at; ++at, ++count) {
        const auto region = static_cast<index>((*at - core_.layout.regions) / sizeof(region_state));
        const auto leaves = leaves_of(region);
        const bool follows = !groups.empty() && groups.back().regions.back() + 1 == region && groups.back().regions.size() < ops::most_in_group;
        combinations = follows ? combinations * leaves : leaves;
        if (!follows || combinations > (count == 1 && !at[1] ? most_cells : most_combinations)) {
            groups.push_back({event, false, {}, {}});
            combinations = leaves;
        }
        groups.back().regions.push_back(region);
        most = std::max(most, groups.back().regions.size());
    }
    if (most < 2) groups.clear();
    if (groups.size() == 1) groups[0].is_whole = true;
    return groups;
}

std::size_t planner::cells_of(const group_of_regions& group) const {
    std::size_t cells = 0, tables = 1;
    for (const auto region : group.regions) {
        const auto first = core_.regions[region];
        cells += tables * (core_.states[first].last - first + 1u);
        tables *= leaves_of(region) + 1;
    }
    return cells;
}

void planner::make_groups_of_event(op* at, std::vector<group_of_regions>& groups) {
    const auto before = out_.written();
    const auto cells = core_.group_cells.size();
    const auto beginning_of = [&](const group_of_regions& g) { return offset_of_region(g.regions[0]); };
    if (groups[0].is_whole) {
        at[0] = {ops::dispatch_group(groups[0].regions.size()), {.number = beginning_of(groups[0])}};
        at[1].self = make_group_table(groups[0]);
    } else {
        at[0] = {&ops::dispatch_groups, {.number = std::uint64_t(core_.layout.region_step) << 32 | beginning_of(groups[0])}};
        at[1].target = dispatch_regions_of(groups[0]);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            at[2 + 2 * i].number = beginning_of(groups[i]) | std::uint64_t(groups[i].regions.size()) << 32;
            at[3 + 2 * i].self = make_group_table(groups[i]);
        }
    }
    if (is_within_budget()) return core_.each_column(groups[0].event, [&](auto column) { core_.dispatch_row[column] = at; });
    out_.go_back_to(before);
    core_.group_cells.resize(cells);
}

const op* planner::dispatch_regions_of(const group_of_regions& group) const { return &core_.dispatch_ops[2 * core_.event_columns[group.event]]; }

/// Makes the table of the next region, and those after it. Returns its address minus the number of
/// the region's first state, so that the number of a leaf is the index.
const void* planner::make_group_table(group_of_regions& group) {
    const auto region = group.regions[group.leaves.size()];
    const auto first = core_.regions[region], last = core_.states[first].last;
    const bool are_leaves = std::ranges::find(group.leaves, no_index) == group.leaves.end();
    const auto table = core_.group_cells.size();
    core_.group_cells.resize(table + last - first + 1u);
    const void* others = nullptr; // the table after a state that is not a leaf
    for (auto s = first; s <= last; ++s) {
        const bool is_leaf = are_leaves && is_leaf_of(s, region);
        const auto place = table + s - first;
        group.leaves.push_back(is_leaf ? s : no_index);
        if (group.leaves.size() == group.regions.size()) {
            const auto p = is_leaf ? group_program(group) : general_;
            if (group.is_whole && (p == 0 || p == general_))
                core_.group_cells[place] = dispatch_regions_of(group);
            else if (p != 0)
                out_.set_group_program(place, p);
        } else if (is_leaf) {
            core_.group_cells[place] = make_group_table(group);
        } else {
            if (!others) others = make_group_table(group);
            core_.group_cells[place] = others;
        }
        group.leaves.pop_back();
    }
    return core_.group_cells.data() + table - first;
}

planner::transitions planner::candidates_of(index region_leaf, std::uint32_t column) const {
    const auto& list = core_.lists[core_.program_for(region_leaf, column)];
    return {core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count};
}

/// A transition of the step, and the leaf where it arrives.
struct planner::group_side {
    const transition_row* t;
    std::uint32_t number;
    index leaf;
    bool moves;
};

/// Writes the step of a group.
struct planner::group_sink : entry_sink {
    group_sink(planner& of, const std::vector<group_side*>& of_step, bool whole) : entry_sink{of, ops::all}, step(of_step), is_whole(whole) {
        for (const auto* s : step) ++(s->moves ? moving : staying);
    }

    const std::vector<group_side*>& step;
    const bool is_whole;
    std::size_t moving = 0, staying = 0;

    static bool moves(const group_side* s) { return s->moves; }

    void begin() {
        if (!is_whole && p.prepares()) next_turn(&ops::pass_on);
        if (!is_whole) begin_turn();
    }
    void exits(group_side* s) {
        because(*s);
        flatten::exits(p.core_.states, s->leaf, s->t->level, [&](index left) { p.exit(left); });
        const bool is_last = ++exited_ == moving;
        p.out_.emit(is_last && !is_whole ? &ops::exits_done : &ops::region_leaf, s->t->level | region_of(*s));
        if (is_last) begin_turn();
    }
    void action(group_side* s) {
        const bool is_mixed = is_whole && moving && staying;
        if (acted_ == 0 && is_mixed) p.out_.emit(&ops::moving, std::uint64_t(1));
        if (acted_ == 0 && !is_whole && !moving) next_turn(&ops::pass_back);
        if (s->t->actions.count) because(*s), p.actions(*s->t, s->moves ? s->t->level : s->t->source);
        if (++acted_ != step.size()) return;
        if (is_mixed) p.out_.emit(&ops::moving, std::uint64_t(0));
        if (!is_whole) next_turn(&ops::pass_on);
        if (!moving) is_whole ? p.end(result::internal) : p.out_.emit(&ops::pass_on, std::uint64_t(0));
    }
    void entries(group_side* s) {
        because(*s);
        side_ = s;
        flatten::write_entries(p.core_, s->t->level, s->t->target, *this);
        p.out_.emit(++entered_ < moving ? &ops::region_entered : is_whole ? &ops::arrived : &ops::entered, s->leaf | region_of(*s));
        p.out_.emit_row(s->leaf);
    }

    // entry choices: all of them are known at compile time
    void choose(index machine, bool) {
        p.entering(reason::entry);
        flatten::write_entry(p.core_, machine, *this);
    }
    void arrive(index leaf) { side_->leaf = leaf; }

private:
    void because(const group_side& s) {
        p.out_.forget();
        if (!p.core_.needs_reason) return;
        p.out_.emit(&ops::because_from, s.number | std::uint64_t(reason::event) << 32);
        p.out_.emit(nullptr, std::uint64_t(s.leaf));
    }
    void next_turn(op_function pass) {
        p.out_.emit(pass, std::uint64_t(0));
        begin_turn();
    }
    void begin_turn() {
        if (is_whole) return;
        p.out_.forget();
        for (const auto* s : step) p.pause_in_turn(s->leaf);
    }
    std::uint64_t region_of(const group_side& s) const { return p.offset_of_region(p.core_.states[s.leaf].region) << 32; }

    std::size_t exited_ = 0, acted_ = 0, entered_ = 0;
    group_side* side_ = nullptr;
};

/// Returns 0 if the leaves do not handle the event, and `general_` if no program can be made.
program planner::group_program(const group_of_regions& group) {
    std::vector<transitions> candidates;
    std::size_t outcomes = 1, most = 0;
    for (const auto leaf : group.leaves) {
        const auto list = candidates_of(leaf, core_.event_columns[group.event]);
        most = std::max(most, list.size());
        outcomes *= list.size() + 1;
        const bool fits = stays_in_region(leaf, list) && std::ranges::all_of(list, [&](auto t) { return leads_statically(core_.transitions[t]); });
        if (!fits || outcomes > most_outcomes) return general_;
        if (!group.is_whole && !list.empty() && is_tested(core_.transitions[list[0]])) return general_;
        candidates.push_back(list);
    }
    if (most == 0) return 0;
    auto p = out_.begin();
    if (!group.is_whole) {
        std::uint64_t kind = prepares() ? ops::prepares : 0;
        for (const auto& list : candidates)
            if (!list.empty() && core_.transitions[list[0]].target != no_index) kind |= ops::moves;
        out_.emit(nullptr, kind);
        ++p;
    }
    std::vector<group_side> sides;
    test_group(group, candidates, 0, sides);
    return p;
}

/// Tests the guards of the regions from the i-th on. Each outcome has its own body.
void planner::test_group(const group_of_regions& group, const std::vector<transitions>& candidates, std::size_t i, std::vector<group_side>& sides) {
    if (i == candidates.size()) return sides.empty() ? end(result::guarded) : group_body(sides, group.is_whole);
    for (const auto number : candidates[i]) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        sides.push_back({&t, number, group.leaves[i], t.target != no_index});
        test_group(group, candidates, i + 1, sides);
        sides.pop_back();
        if (refused.empty()) return;
        out_.land(refused);
    }
    test_group(group, candidates, i + 1, sides);
}

void planner::group_body(std::vector<group_side> sides, bool is_whole) {
    std::vector<group_side*> step;
    for (auto& s : sides) step.push_back(&s);
    for (const auto* s : step) begin_firing(*s->t);
    for (const auto* s : step)
        if (s->moves) record_exits(s->leaf, s->t->level);
    group_sink sink(*this, step, is_whole);
    sink.begin();
    flatten::write_step(step, sink);
}

} // namespace hsm::detail
