// Two regions that are active together, and have few leaves: for each pair of leaves, what an event does in both is one program.

#include <hsm/compile/program_maker.hpp>

#include <algorithm>

namespace hsm {

namespace {
constexpr std::size_t most_cells = 4096; ///< pairs of leaves, times events
} // namespace

struct program_maker::pair_of_tips {
    const pair_table& table;
    index first, second;
};

void program_maker::make_pairs() {
    if (core_.has_holds || core_.has_changes || core_.has_transients) return;
    for (index s = 0; s < core_.states.size(); ++s) core_.states[s].rank = no_index;
    for (auto& drive : core_.drives) core_.drives_of_pairs.push_back({&ops::drive_pair, {.target = &drive}});
    std::vector<std::pair<std::vector<index>, std::vector<index>>> leaves;
    for (index p = 0; p < core_.states.size(); ++p) {
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

/// Few enough, and nothing else can be active beside them.
bool program_maker::is_pair(index parallel) const {
    const auto& p = core_.states[parallel];
    if (p.kind != state_kind::parallel || p.regions.count != 2 || p.region != 0) return false;
    if (core_.states[core_.regions[p.regions.first + 1]].superstate != parallel) return false;
    std::size_t leaves[2] = {0, 0};
    for (auto s = static_cast<index>(parallel + 1); s <= p.last; ++s)
        if (const auto& row = core_.states[s]; row.kind == state_kind::leaf || row.kind == state_kind::final) ++leaves[row.region - p.regions.first];
    return leaves[0] * leaves[1] * core_.row_width + core_.pair_rows.size() <= most_cells;
}

void program_maker::number_leaves(index region, std::vector<index>& leaves) {
    for (auto s = core_.regions[region]; s <= core_.states[core_.regions[region]].last; ++s)
        if (auto& row = core_.states[s]; row.kind == state_kind::leaf || row.kind == state_kind::final) {
            row.rank = static_cast<index>(leaves.size());
            leaves.push_back(s);
        }
}

program_maker::transitions program_maker::candidates_of(index tip, std::uint32_t column) const {
    const auto& list = core_.lists[core_.program_for(tip, column)];
    return {core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count};
}

/// What the superstates of both know, or what cannot be told beforehand, is left to the driver.
void program_maker::make_pair_row(const pair_of_tips& tips) {
    const auto place = static_cast<std::size_t>(core_.row_of_pair(tips.table, tips.first, tips.second) - core_.pair_rows.data());
    for (const auto column : core_.event_columns) {
        const auto first = candidates_of(tips.first, column);
        const auto second = candidates_of(tips.second, column);
        const bool ours = keeps_to_region(tips.first, first) && leads_statically(first) && keeps_to_region(tips.second, second) &&
                          leads_statically(second) && candidates_of(tips.table.parallel, column).empty();
        if (!ours)
            core_.pair_rows[place + column] = &core_.drives_of_pairs[column];
        else if (!first.empty() || !second.empty())
            out_.set_pair_program(place + column, pair_program(tips, first, second));
    }
}

/// Is it known where one arrives?
bool program_maker::leads_statically(index target) const {
    const auto& row = core_.states[target];
    if (is_history(target)) return false;
    if (!is_machine(target)) return row.kind != state_kind::choice;
    if (!is_static(target)) return false;
    if (row.choices.count) return leads_statically(core_.transitions[row.choices.first].target);
    return leads_statically(row.initial.count ? core_.transitions[row.initial.first].target : row.first);
}

bool program_maker::leads_statically(const transitions& candidates) const {
    return std::ranges::all_of(candidates, [&](auto number) {
        const auto& t = core_.transitions[number];
        return t.target == no_index || leads_statically(t.target);
    });
}

/// What `arrive` does, and where that ends.
index program_maker::enter_statically(index target) {
    if (!is_machine(target)) return target;
    const auto& row = core_.states[target];
    entering(reason::entry);
    if (row.choices.count == 0 && row.initial.count == 0) {
        enter(row.first);
        return enter_statically(row.first);
    }
    const auto& t = core_.transitions[row.choices.count ? row.choices.first : row.initial.first];
    for (std::uint32_t i = 0; i < t.actions.count; ++i)
        out_.hook(core_.hooks[t.actions.first + i], target, target, {op_note::between, 0, target});
    enter_below(target, t.target);
    return enter_statically(t.target);
}

/// First one region is asked, then the other; each outcome has a body of its own.
program program_maker::pair_program(const pair_of_tips& tips, const transitions& first, const transitions& second) {
    const auto p = out_.begin();
    for (const auto& number : first) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        second_of_pair(tips, &number, second);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    second_of_pair(tips, nullptr, second);
    return p;
}

void program_maker::second_of_pair(const pair_of_tips& tips, const std::uint32_t* first, const transitions& second) {
    for (const auto& number : second) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        pair_body(tips, first, &number);
        if (refused.empty()) return;
        out_.land(refused);
    }
    if (first)
        pair_body(tips, first, nullptr);
    else
        end(result::guarded);
}

/// One step of both: all exits, the second region's first, then the actions, then all entries.
void program_maker::pair_body(const pair_of_tips& tips, const std::uint32_t* first, const std::uint32_t* second) {
    struct side {
        const std::uint32_t* number;
        index tip;
        const transition_row* t;
        bool moves;
        std::uint64_t region;
    };
    const auto side_of = [&](const std::uint32_t* number, index tip) {
        const auto* const t = number ? &core_.transitions[*number] : nullptr;
        return side{number, tip, t, t && t->target != no_index, offset_of_region(core_.states[tip].region) << 16};
    };
    side sides[] = {side_of(first, tips.first), side_of(second, tips.second)};
    const auto because = [&](const side& s) {
        out_.forget();
        if (!core_.has_moment) return;
        out_.emit(&ops::because_from, *s.number | std::uint64_t(reason::event) << 32);
        out_.emit(nullptr, std::uint64_t(s.tip));
    };
    const bool both = sides[0].t && sides[1].t;
    for (const auto& s : sides)
        if (s.t) begin_firing(*s.t);
    for (const auto& s : sides)
        if (s.moves) record_exits(s.tip, s.t->level);
    for (const auto* s : {&sides[1], &sides[0]}) {
        if (!s->moves) continue;
        because(*s);
        for (auto leaves = s->tip; leaves != s->t->level; leaves = core_.states[leaves].superstate) exit(leaves);
        out_.emit(&ops::tip, s->t->level | s->region);
    }
    const bool mixed = both && sides[0].moves != sides[1].moves;
    if (mixed) out_.emit(&ops::moving, std::uint64_t(1));
    for (const auto& s : sides)
        if (s.t && s.t->actions.count) because(s), actions(*s.t, s.moves ? s.t->level : s.t->source);
    if (mixed) out_.emit(&ops::moving, std::uint64_t(0));
    for (auto& s : sides) {
        if (!s.moves) continue;
        because(s);
        enter_below(s.t->level, s.t->target);
        s.tip = enter_statically(s.t->target);
        if (&s == &sides[0] && sides[1].moves) out_.emit(&ops::tip, s.tip | s.region);
    }
    if (!sides[0].moves && !sides[1].moves) return end(result::internal);
    out_.emit(&ops::pair_done, sides[0].tip | std::uint64_t(sides[1].tip) << 16 | offset_of_region(core_.states[tips.first].region) << 32);
    out_.emit_row(sides[0].tip);
    out_.emit_row(sides[1].tip);
    out_.emit(nullptr, static_cast<const void*>(core_.row_of_pair(tips.table, sides[0].tip, sides[1].tip)));
}

} // namespace hsm
