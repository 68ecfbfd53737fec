// What is made where regions are driven: no programs by leaf and event, but lists of what may happen, and the parts of it.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>
#include <tuple>

namespace hsm::detail {

void planner::make_driven() {
    for (const auto& s : core_.states)
        for (const auto& span : {s.polled, s.events})
            for (auto t = span.first; t < span.first + span.count; ++t) core_.transitions[t].enter_program = make_entries_below(core_.transitions[t]);
    core_.lists.emplace_back();
    for (index s = 0; s < core_.states.size(); ++s) make_lists(s);
    make_decisions();
    const auto rows = core_.states.size() * core_.row_width * sizeof(const op*);
    if (!core_.has_over && rows <= core_.options.row_memory && core_.layout.region_lists < 1u << 24) make_turns();
    out_.finish();
}

/// Does the way from a state that stays, or was just entered, to the targets lead into other regions?
bool planner::crosses(index from, const transition_row& t) const {
    if (!core_.driven) return false;
    const auto region = from == no_index ? index(0) : core_.states[from].region;
    return t.more_targets.count > 0 || core_.states[core_.machine_of(t.target)].region != region;
}

/// Everything below the level, as far as no region is involved.
program planner::make_entries_below(const transition_row& t) {
    if (t.target == no_index || t.by_record || crosses(t.level, t)) return 0;
    const auto p = out_.begin();
    entry_sink sink{*this, unchanged_depth_of(t.level)};
    flatten::write_entries(core_, t.level, t.target, sink);
    return p;
}

/// Candidates by event, in the order in which they decide: of the states of one region, if that is its leaf.
void planner::make_lists(index region_leaf) {
    const auto above = core_.states[core_.regions[core_.states[region_leaf].region]].superstate;
    std::vector<row_entry> entries;
    for (const auto& [event, list] : candidates_by_event(above, region_leaf)) {
        const auto [found, is_new] = lists_.try_emplace(list, static_cast<std::uint32_t>(core_.lists.size()));
        if (is_new) {
            core_.lists.push_back({static_cast<std::uint32_t>(core_.candidates.size()), static_cast<std::uint32_t>(list.size())});
            core_.candidates.insert(core_.candidates.end(), list.begin(), list.end());
        }
        core_.each_column(event, [&](auto column) { entries.push_back({column, found->second}); });
    }
    std::ranges::sort(entries);
    core_.states[region_leaf].programs = out_.share(std::move(entries));
}

/// The programs of regions, and what finds them.
void planner::make_turns() {
    core_.drives.resize(core_.row_width);
    core_.drive_row.resize(core_.row_width);
    core_.column_events.resize(core_.row_width, no_index);
    for (std::uint16_t e = 0; e < core_.events.size(); ++e) {
        core_.each_column(e, [&](auto column) {
            core_.column_events[column] = e;
            core_.drives[column] = {&ops::drive, {.number = column | std::uint64_t(core_.layout.driver) << 32}};
            core_.drive_row[column] = &core_.drives[column];
        });
    }
    const auto general = out_.begin();
    out_.emit(&ops::general, std::uint64_t(0));
    for (index region_leaf = 0; region_leaf < core_.states.size(); ++region_leaf) {
        const auto& span = core_.states[region_leaf].programs;
        std::map<std::uint32_t, program> made; // by the list: the values of one event share it
        for (std::uint32_t i = 0; i < span.count; ++i) {
            const auto& e = core_.entries[span.first + i];
            const auto& list = core_.lists[e.at];
            const transitions candidates(core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count);
            const auto [at, is_new] = made.try_emplace(e.at, general);
            if (is_new && keeps_to_region(region_leaf, candidates)) at->second = region_program(region_leaf, candidates);
            out_.set_program(region_leaf, e.column, at->second);
        }
    }
    make_pairs();
}

/// Can each of them be done by a program of the region alone?
bool planner::keeps_to_region(index region_leaf, const transitions& candidates) const {
    if (core_.has_holds || core_.has_changes || core_.states[region_leaf].kind == state_kind::parallel) return false;
    return std::ranges::all_of(candidates, [&](auto number) {
        const auto& t = core_.transitions[number];
        if (t.defers) return false;
        if (t.target == no_index) return true;
        const auto region = t.level == no_index ? index(0) : core_.states[t.level].region;
        return t.enter_program != 0 && region == core_.states[region_leaf].region && core_.states[core_.machine_of(t.target)].regions.count == 0;
    });
}

program planner::region_program(index region_leaf, const transitions& candidates) {
    const auto first = take_turns(region_leaf, candidates, turns::first);
    const auto second = take_turns(region_leaf, candidates, turns::second);
    for (const auto p : {first, second}) {
        out_.lead_to(out_.begin(), p);
        out_.emit_end(code_next);
    }
    return take_turns(region_leaf, candidates, turns::none);
}

program planner::take_turns(index region_leaf, const transitions& candidates, turns which) {
    const auto p = out_.begin();
    for (const auto number : candidates) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        take_turns(region_leaf, number, which);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    end(result::guarded);
    return p;
}

/// A transition of one of two regions, with the turns between: at a turn the other one goes on.
struct planner::turn_sink : transition_sink {
    turns which;

    turn_sink(planner& of, index from, std::uint32_t t, turns turn_of) : transition_sink(of, from, t, reason::event), which(turn_of) {
        unchanged = ops::all;
    }
    void begin(const transition_row& t) {
        if (which == turns::first)
            turn(&ops::turn, t);
        else
            because();
        p.begin_firing(t);
        if (t.target != no_index) p.record_exits(leaf, t.level);
    }
    void action(const transition_row& t) {
        const bool moves = t.target != no_index;
        const auto leave = moves ? &ops::turn_left : &ops::turn; // what stays is no part of a step
        if (which == turns::second) turn(leave, t);
        p.actions(t, moves ? t.level : t.source);
        if (which != turns::none) turn(leave, t);
    }

private:
    void because() {
        if (!p.core_.has_hook_context) return;
        p.out_.emit(&ops::because_from, number | std::uint64_t(why) << 32);
        p.out_.emit(nullptr, std::uint64_t(leaf));
    }
    void turn(op_function function, const transition_row& t) {
        const auto stays = t.target != no_index ? t.level : leaf;
        p.out_.emit(function, stays | std::uint64_t(p.core_.layout.driver) << 16 | p.offset_of_region(p.core_.states[leaf].region) << 40);
        p.out_.forget();
        because();
    }
};

void planner::take_turns(index region_leaf, std::uint32_t number, turns which) {
    turn_sink sink(*this, region_leaf, number, which);
    flatten::write_transition(core_, region_leaf, core_.transitions[number], sink);
}

/// Of each level: by the depth of the source, then by priority, then as they were defined.
void planner::make_decisions() {
    std::map<int, transitions> by_level; // -1: above the root
    for (std::uint32_t number = 0; number < core_.transitions.size(); ++number) {
        const auto& t = core_.transitions[number];
        const auto& polled = core_.states[t.source].polled;
        if (number - polled.first < polled.count) by_level[t.level == no_index ? -1 : t.level].push_back(number);
    }
    for (auto& [level, list] : by_level) {
        std::ranges::stable_sort(list, {}, [&](auto number) {
            const auto& t = core_.transitions[number];
            return std::pair(core_.states[t.source].depth, -std::int64_t(t.priority));
        });
        const span_of span{static_cast<std::uint32_t>(core_.decisions.size()), static_cast<std::uint32_t>(list.size())};
        core_.decisions.insert(core_.decisions.end(), list.begin(), list.end());
        (level < 0 ? core_.decides_above : core_.states[static_cast<index>(level)].decides) = span;
    }
}

} // namespace hsm::detail
