// What is made where regions are driven: no programs by leaf and event, but lists of what may happen, and the parts of it.

#include <hsm/compile/program_maker.hpp>

#include <algorithm>
#include <tuple>

namespace hsm {

void program_maker::make_driven() {
    for (const auto& s : core_.states)
        for (const auto& span : {s.polled, s.events})
            for (auto t = span.first; t < span.first + span.count; ++t) core_.transitions[t].enter_program = make_entries_below(core_.transitions[t]);
    core_.lists.emplace_back();
    for (index s = 0; s < core_.states.size(); ++s) make_lists(s);
    make_decisions();
    if (superstate_first()) make_always();
    const auto rows = core_.states.size() * core_.row_width * sizeof(const op*);
    if (!core_.has_over && rows <= core_.options.row_memory && core_.layout.region_lists < 1u << 24) make_turns();
    out_.finish();
}

/// Does the way from a state that stays, or was just entered, to the targets lead into other regions?
bool program_maker::crosses(index from, const transition_row& t) const {
    if (!core_.driven) return false;
    const auto region = from == no_index ? index(0) : core_.states[from].region;
    return t.more_targets.count > 0 || core_.states[core_.machine_of(t.target)].region != region;
}

/// Everything below the level, as far as no region is involved.
program program_maker::make_entries_below(const transition_row& t) {
    if (t.target == no_index || t.by_record || crosses(t.level, t)) return 0;
    const auto p = out_.begin();
    enter_below(t.level, core_.machine_of(t.target));
    if (t.target == t.level)
        arrive_anew(t.target, kept_by(t.level));
    else
        arrive(t.target, kept_by(t.level));
    return p;
}

/// Candidates by event, in the order in which they decide: of the states of one region, if that is its tip.
void program_maker::make_lists(index tip) {
    std::map<std::uint16_t, transitions> candidates;
    std::vector<index> path;
    const auto outermost = core_.regions[core_.states[tip].region];
    for (auto s = tip;; s = core_.states[s].superstate) {
        path.push_back(s);
        if (s == outermost) break;
    }
    if (superstate_first()) std::ranges::reverse(path);
    for (const auto s : path) {
        const auto& span = core_.states[s].events;
        for (auto t = span.first; t < span.first + span.count; ++t) candidates[core_.transitions[t].event].push_back(t);
    }
    std::vector<row_entry> entries;
    for (auto& [event, list] : candidates) {
        yield_to_substates(list);
        const auto [found, is_new] = lists_.try_emplace(list, static_cast<std::uint32_t>(core_.lists.size()));
        if (is_new) {
            core_.lists.push_back({static_cast<std::uint32_t>(core_.candidates.size()), static_cast<std::uint32_t>(list.size())});
            core_.candidates.insert(core_.candidates.end(), list.begin(), list.end());
        }
        entries.push_back({core_.event_columns[event], found->second});
    }
    std::ranges::sort(entries);
    core_.states[tip].programs = out_.share(std::move(entries));
}

/// The programs of regions, and what finds them.
void program_maker::make_turns() {
    core_.drives.resize(core_.row_width);
    core_.drive_row.resize(core_.row_width);
    core_.column_events.resize(core_.row_width, no_index);
    for (std::uint16_t e = 0; e < core_.events.size(); ++e) {
        const auto column = core_.event_columns[e];
        core_.column_events[column] = e;
        core_.drives[column] = {&ops::drive, {.number = column | std::uint64_t(core_.layout.driver) << 32}};
        core_.drive_row[column] = &core_.drives[column];
    }
    const auto general = out_.begin();
    out_.emit(&ops::general, std::uint64_t(0));
    for (index tip = 0; tip < core_.states.size(); ++tip) {
        const auto& span = core_.states[tip].programs;
        for (std::uint32_t i = 0; i < span.count; ++i) {
            const auto& e = core_.entries[span.first + i];
            const auto& list = core_.lists[e.at];
            const transitions candidates(core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count);
            out_.set_program(tip, e.column, keeps_to_region(tip, candidates) ? region_program(tip, candidates) : general);
        }
    }
    make_pairs();
}

/// Can each of them be done by a program of the region alone?
bool program_maker::keeps_to_region(index tip, const transitions& candidates) const {
    if (core_.has_holds || core_.has_changes || core_.states[tip].kind == state_kind::parallel) return false;
    return std::ranges::all_of(candidates, [&](auto number) {
        const auto& t = core_.transitions[number];
        if (t.defers) return false;
        if (t.target == no_index) return true;
        const auto region = t.level == no_index ? index(0) : core_.states[t.level].region;
        return t.enter_program != 0 && region == core_.states[tip].region && core_.states[core_.machine_of(t.target)].regions.count == 0;
    });
}

program program_maker::region_program(index tip, const transitions& candidates) {
    const auto first = take_turns(tip, candidates, turns::first);
    const auto second = take_turns(tip, candidates, turns::second);
    for (const auto p : {first, second}) {
        out_.lead_to(out_.begin(), p);
        out_.emit_end(code_next);
    }
    return take_turns(tip, candidates, turns::none);
}

program program_maker::take_turns(index tip, const transitions& candidates, turns which) {
    const auto p = out_.begin();
    for (const auto number : candidates) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        take_turns(tip, number, which);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    end(result::guarded);
    return p;
}

/// As `body`, with the turns between.
void program_maker::take_turns(index tip, std::uint32_t number, turns which) {
    const auto& t = core_.transitions[number];
    const bool moves = t.target != no_index;
    const auto stays = moves ? t.level : tip;
    const auto because = [&] {
        if (!core_.has_moment) return;
        out_.emit(&ops::because_from, number | std::uint64_t(reason::event) << 32);
        out_.emit(nullptr, std::uint64_t(tip));
    };
    const auto turn = [&](op_function function) {
        out_.emit(function, stays | std::uint64_t(core_.layout.driver) << 16 | offset_of_region(core_.states[tip].region) << 40);
        out_.forget();
        because();
    };
    if (which == turns::first) turn(&ops::turn);
    else because();
    begin_firing(t);
    if (moves) {
        record_exits(tip, t.level);
        for (auto s = tip; s != t.level; s = core_.states[s].superstate) exit(s);
    }
    const auto leave = moves ? &ops::turn_left : &ops::turn; // what stays is no part of a step
    if (which == turns::second) turn(leave);
    actions(t, moves ? t.level : t.source);
    if (which != turns::none) turn(leave);
    if (!moves) return end(result::internal);
    enter_below(t.level, core_.machine_of(t.target));
    if (t.target == t.level)
        arrive_anew(t.target, ops::all);
    else
        arrive(t.target, ops::all);
}

/// Of each level: by the depth of the source, then by priority, then as they were defined.
void program_maker::make_decisions() {
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

/// Of all states together, in the order of polled ones: by the depth of the level first.
void program_maker::make_always() {
    for (std::uint32_t number = 0; number < core_.transitions.size(); ++number)
        if (core_.transitions[number].always) core_.always.push_back(number);
    std::ranges::stable_sort(core_.always, {}, [&](auto number) {
        const auto& t = core_.transitions[number];
        const int level = t.level == no_index ? -1 : core_.states[t.level].depth;
        return std::tuple(level, core_.states[t.source].depth, -std::int64_t(t.priority));
    });
}

} // namespace hsm
