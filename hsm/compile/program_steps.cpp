// Events in a region, as far as only this region is involved: one program if no other region handles the event, and one as a part of a step of
// several. region_ops.cpp has a diagram of how parts continue.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hsm::detail {

// Charts with driven regions have lists of candidates and parts instead of programs by leaf and event.

void planner::make_by_regions() {
    for (const auto& s : core_.states)
        for (const auto& span : {s.polled, s.events})
            for (auto t = span.first; t < span.first + span.count; ++t) core_.transitions[t].enter_program = make_entries_below(core_.transitions[t]);
    parts_ = out_.written();
    core_.lists.emplace_back();
    for (index s = 0; s < core_.states.size() && is_within_budget(); ++s) make_lists(s);
    make_decisions();
    if (!is_within_budget()) {
        make_by_parts();
        return out_.finish();
    }
    const auto rows = core_.states.size() * core_.row_width * sizeof(const op*);
    if (core_.traced) return out_.finish(); // the driver executes all steps
    if (!core_.has_over && rows <= core_.options.row_memory && core_.layout.regions < 1u << 24) make_region_programs();
    make_region_ticks();
    out_.finish();
}

/// Returns whether the entries from an active state `from` to the targets lead into other regions.
bool planner::crosses(index from, const transition_row& t) const {
    if (!core_.by_regions) return false;
    const auto region = from == no_index ? index(0) : core_.states[from].region;
    return t.more_targets.count > 0 || core_.states[core_.machine_of(t.target)].region != region;
}

/// Makes the entries below the level, if they involve no other region.
program planner::make_entries_below(const transition_row& t) {
    if (t.target == no_index || t.by_record || crosses(t.level, t)) return 0;
    const auto p = out_.begin();
    entry_sink sink{*this, unchanged_depth_of(t.level)};
    flatten::write_entries(core_, t.level, t.target, sink);
    return p;
}

/// Lists the candidates by event if this is the leaf of its region, in the order in which its states decide.
void planner::make_lists(index region_leaf) {
    const auto above = core_.states[core_.regions[core_.states[region_leaf].region]].superstate;
    std::vector<row_entry> entries;
    for (const auto& [event, list] : candidates_by_event(above, region_leaf)) {
        const auto shared = share_list(list);
        core_.each_column(event, [&](auto column) { entries.push_back({column, shared}); });
    }
    std::ranges::sort(entries);
    core_.states[region_leaf].programs = out_.share(std::move(entries));
}

/// Stores a list, or returns the number of an equal stored one.
std::uint32_t planner::share_list(const transitions& list) {
    const auto [found, is_new] = lists_.try_emplace(list, static_cast<std::uint32_t>(core_.lists.size()));
    if (is_new) {
        core_.lists.push_back({static_cast<std::uint32_t>(core_.candidates.size()), static_cast<std::uint32_t>(list.size())});
        core_.candidates.insert(core_.candidates.end(), list.begin(), list.end());
    }
    return found->second;
}

/// Orders the polled transitions of each level by the depth of the source, then by priority, then by definition.
void planner::make_decisions() {
    std::map<int, transitions> by_level; // -1: above the root
    for (std::uint32_t number = 0; number < core_.transitions.size(); ++number) {
        const auto& t = core_.transitions[number];
        const auto& polled = core_.states[t.source].polled;
        if (number - polled.first < polled.count) by_level[t.level == no_index ? -1 : t.level].push_back(number);
    }
    for (auto& [level, list] : by_level) {
        std::ranges::sort(list, {}, [&](auto number) {
            const auto& t = core_.transitions[number];
            return std::tuple(core_.states[t.source].depth, -std::int64_t(t.priority), number);
        });
        const span_of span{static_cast<std::uint32_t>(core_.decisions.size()), static_cast<std::uint32_t>(list.size())};
        core_.decisions.insert(core_.decisions.end(), list.begin(), list.end());
        (level < 0 ? core_.decides_above : core_.states[static_cast<index>(level)].decides) = span;
    }
}

namespace {
/// Without tail calls, parts call each other: see assembler.hpp. So after this many parts, one returns.
constexpr index longest_row = 16;
} // namespace

/// Makes the programs of regions, and the ops that find them.
void planner::make_region_programs() {
    const auto without = out_.written();
    out_.make_region_rows();
    general_ = out_.begin() + 2u;
    out_.emit(nullptr, std::uint64_t(0));
    out_.emit(nullptr, ops::is_general);
    out_.emit(&ops::general, std::uint64_t(0));
    make_dispatch_ops();
    for (index region_leaf = 0; region_leaf < row_count(core_.states); ++region_leaf) {
        const auto& span = core_.states[region_leaf].programs;
        std::map<std::uint32_t, program> made; // by list: the values of one event share it
        for (std::uint32_t i = 0; i < span.count; ++i) {
            if (!is_within_budget()) return give_up_region_programs(without);
            const auto& e = core_.entries[span.first + i];
            const auto& list = core_.lists[e.at];
            const transitions candidates(core_.candidates.begin() + list.first, core_.candidates.begin() + list.first + list.count);
            const auto [at, is_new] = made.try_emplace(e.at, general_);
            if (is_new && stays_in_region(region_leaf, candidates)) at->second = region_program(region_leaf, candidates, e.column);
            out_.set_program(region_leaf, e.column, at->second);
        }
    }
    make_groups();
}

/// The programs exceed the budget: the driver handles every event.
void planner::give_up_region_programs(const assembler::extent& before) {
    out_.go_back_to(before);
    core_.rows = {};
    core_.handling_regions.clear();
    core_.dispatch_ops.clear();
    core_.dispatch_row.clear();
}

/// Makes, for each column, the op that finds the regions that can handle its events.
void planner::make_dispatch_ops() {
    std::vector<std::set<index>> handling_regions(core_.row_width);
    for (const auto& s : core_.states)
        for (auto i = s.programs.first; i < s.programs.first + s.programs.count; ++i) handling_regions[core_.entries[i].column].insert(s.region);
    std::vector<std::size_t> first;
    for (const auto& regions : handling_regions) {
        first.push_back(core_.handling_regions.size());
        for (const auto r : regions) core_.handling_regions.push_back(static_cast<std::uint32_t>(offset_of_region(r)));
        core_.handling_regions.push_back(0);
        const auto parallel_of = [&](index r) { return core_.states[core_.regions[r]].superstate; };
        const auto apart = [&](index r) { return parallel_of(r) != parallel_of(*regions.begin()); };
        apart_.push_back(std::ranges::any_of(regions, apart));
    }
    core_.dispatch_ops.resize(2 * core_.row_width);
    core_.dispatch_row.resize(core_.row_width);
    for (std::uint32_t column = 0; column < core_.row_width; ++column) {
        if (core_.column_events[column] == no_index) continue;
        const auto* const regions = &core_.handling_regions[first[column]];
        auto* const dispatch_regions = &core_.dispatch_ops[2 * column];
        core_.dispatch_row[column] = dispatch_regions;
        if (handling_regions[column].size() == 1)
            dispatch_regions[0] = {&ops::dispatch_one, {.number = column | std::uint64_t(regions[0]) << 32}};
        else
            dispatch_regions[0] = {&ops::dispatch_regions, {.number = column | std::uint64_t(core_.layout.region_step) << 32}};
        dispatch_regions[1] = {nullptr, {.self = regions}};
    }
}

/// Returns whether each of them can be executed by a program of the region alone.
bool planner::stays_in_region(index region_leaf, const transitions& candidates) const {
    if (core_.has_holds || core_.has_hooks.change || core_.states[region_leaf].kind == state_kind::parallel) return false;
    return std::ranges::all_of(candidates, [&](auto number) {
        const auto& t = core_.transitions[number];
        if (t.defers) return false;
        if (t.target == no_index) return true;
        const auto region = t.level == no_index ? index(0) : core_.states[t.level].region;
        return t.enter_program != 0 && region == core_.states[region_leaf].region && core_.states[core_.machine_of(t.target)].regions.count == 0;
    });
}

/// Returns whether the state where it arrives is known at compile time.
bool planner::leads_statically(const transition_row& t) const {
    if (t.target == no_index) return true;
    const auto leaf = flatten::static_leaf(core_, t.target);
    return leaf != no_index && !is_history(leaf) && core_.states[leaf].kind != state_kind::choice;
}

program planner::region_program(index region_leaf, const transitions& candidates, std::uint32_t column) {
    const auto part = out_.begin();
    const auto kind = make_step_part(region_leaf, candidates) | (apart_[column] ? ops::is_apart : 0);
    out_.lead_to(out_.begin(), part);
    out_.emit(nullptr, std::uint64_t(0));
    out_.emit(nullptr, kind);
    return alone_program(region_leaf, candidates);
}

void planner::pause_in_turn(index region_leaf) {
    if (core_.states[region_leaf].region % longest_row == longest_row - 1) out_.emit(&ops::pause, std::uint64_t(0));
}

bool planner::prepares() const { return core_.tracks_fired || core_.has_defers || !core_.history_owners.empty() || !core_.triggers.empty(); }

/// Writes the ops of a region.
struct planner::region_sink : transition_sink {
    region_sink(planner& of, index from, std::uint32_t t, reason because = reason::event) : transition_sink(of, from, t, because) {
        unchanged = ops::all;
    }

    void prepare(const transition_row& t) {
        p.begin_firing(t);
        if (t.target != no_index) p.record_exits(leaf, t.level);
    }
    void because() {
        if (!p.core_.needs_reason) return;
        p.out_.emit(&ops::because_from, number | std::uint64_t(why) << 32);
        p.out_.emit(nullptr, std::uint64_t(leaf));
    }
};

/// Writes the ops for a region that is the only one in the step.
struct planner::alone_sink : region_sink {
    using region_sink::region_sink;

    void begin(const transition_row& t) {
        because();
        prepare(t);
    }
    void action(const transition_row& t) { p.actions(t, t.target == no_index ? t.source : t.level); }
};

/// Writes the ops for one of several regions.
struct planner::step_part_sink : region_sink {
    const bool is_static; ///< the state where it arrives is known at compile time

    step_part_sink(planner& of, index from, std::uint32_t t) : region_sink(of, from, t), is_static(of.leads_statically(of.core_.transitions[t])) {}

    void begin(const transition_row& t) {
        if (p.prepares()) {
            prepare(t);
            p.out_.emit(&ops::pass_on, std::uint64_t(0));
        }
        begin_turn(t.target != no_index);
    }
    void action(const transition_row& t) {
        const bool moves = t.target != no_index;
        if (moves)
            p.out_.emit(&ops::exits_done, t.level | offset());
        else
            p.out_.emit(&ops::pass_back, std::uint64_t(0));
        begin_turn(t.actions.count > 0);
        p.actions(t, moves ? t.level : t.source);
        p.out_.emit(&ops::pass_on, std::uint64_t(0));
        begin_turn(moves);
        if (moves && !is_static) p.out_.emit(&ops::enter_apart, std::uint64_t(0));
    }
    void choose(index machine, bool is_level) {
        if (!is_static) return region_sink::choose(machine, is_level);
        p.entering(reason::entry);
        flatten::write_entry(p.core_, machine, *this);
    }
    void arrive(index s) {
        if (!is_static) return region_sink::arrive(s);
        p.out_.emit(&ops::entered, s | offset());
        p.out_.emit_row(s);
    }
    void stay(const transition_row&) { p.out_.emit(&ops::pass_on, std::uint64_t(0)); }

private:
    std::uint64_t offset() const { return p.offset_of_region(p.core_.states[leaf].region) << 32; }
    void begin_turn(bool runs_hooks) {
        p.out_.forget();
        p.pause_in_turn(leaf);
        if (runs_hooks) because();
    }
};

program planner::alone_program(index region_leaf, const transitions& candidates) {
    const auto p = out_.begin();
    for (const auto number : candidates) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        alone_sink sink(*this, region_leaf, number);
        flatten::write_transition(core_, region_leaf, t, sink);
        if (refused.empty()) return p;
        out_.land(refused);
    }
    end(result::guarded);
    return p;
}

/// Fires a transition that a tick has chosen. If a program of the region cannot execute it, the driver does.
void planner::fire_in_region(index region_leaf, std::uint32_t number, int depth) {
    in_section();
    if (!stays_in_region(region_leaf, {number})) {
        out_.emit(&ops::to_region_engine, std::uint64_t(number));
        return;
    }
    alone_sink sink(*this, region_leaf, number, reason_of(core_.transitions[number]));
    decided_ = &depth;
    flatten::write_transition(core_, region_leaf, core_.transitions[number], sink);
    decided_ = nullptr;
}

/// Makes a part, and returns its kind. Without guards it begins with the steps of the transition.
std::uint64_t planner::make_step_part(index region_leaf, const transitions& candidates) {
    const std::uint64_t of_all = prepares() ? ops::prepares : 0;
    bool has_tests = false;
    for (const auto number : candidates) {
        const auto& t = core_.transitions[number];
        const auto kind = of_all | (t.target != no_index ? ops::moves : 0);
        const auto refused = guards(t, t.source);
        has_tests |= !refused.empty();
        if (has_tests) out_.emit(&ops::chosen, kind);
        step_part_sink sink(*this, region_leaf, number);
        flatten::write_transition(core_, region_leaf, t, sink);
        if (!has_tests) return kind;
        if (refused.empty()) return of_all | ops::has_tests;
        out_.land(refused);
    }
    end(result::guarded);
    return of_all | ops::has_tests;
}

} // namespace hsm::detail
