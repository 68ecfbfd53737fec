// Ticks in a leaf: consecutive sections of updates and decisions.

#include <hsm/compile/detail/planner.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

void planner::update(index s) {
    const auto& row = core_.states[s];
    if (core_.has_hook_context) out_.emit(&ops::updating, row.node);
    hooks(row.hooks.update, s, {hook_site::still, 0, s});
    if (row.hooks.update.count) trace({record_kind::updated, 0, s, record::no_number, 0}, {hook_site::still, 0, s});
    assembler::jumps stopped;
    if (row.hooks.update.count && (row.predicates.count || row.reactions.count)) stopped.push_back(out_.emit_jump(&ops::unless_stopped));
    for (std::uint32_t i = 0; i < row.predicates.count; ++i) {
        assembler::jumps no{ask(core_.guards[row.predicates.first + i], s, s)};
        out_.emit(&ops::mark, s);
        out_.land(no);
    }
    for (std::uint32_t i = 0; i < row.reactions.count; ++i) react(row.reactions.first + i, stopped);
    out_.land(stopped);
    if (tick_region_ != no_index && !row.node->names_successor()) return out_.emit(&ops::region_updated, section_in_region());
    if (tick_region_ != no_index) in_section();
    out_.emit(&ops::updated, row.node->names_successor() ? 1 : 0);
}

void planner::react(std::uint32_t number, assembler::jumps& stopped) {
    const auto& t = core_.transitions[number];
    const auto refused = guards(t, t.source);
    trace_transition(number, reason_of(t), {hook_site::still, 0, t.source});
    if (core_.needs_reason) out_.emit(&ops::because, number | std::uint64_t(reason_of(t)) << 32);
    begin_firing(t);
    actions(t, t.source);
    stopped.push_back(out_.emit_jump(&ops::unless_stopped));
    out_.land(refused);
}

void planner::make_steps(index leaf) {
    std::vector<index> path;
    flatten::entries(core_.states, no_index, leaf, [&](index s) { path.push_back(s); });
    auto by_level = superstate_first() ? polled_by_level(path) : std::map<index, std::vector<transitions>>();
    const auto decide_at = [&](index level) {
        if (const auto found = by_level.find(level); found != by_level.end())
            decide(leaf, std::move(found->second), level == no_index ? -1 : core_.states[level].depth);
    };
    make_tick(leaf, [&] {
        flatten::tick_sections(
            core_.states, leaf, core_.options.order, [&](index s) { return is_machine(s); }, [&](index s) { update_section(s); }, decide_at,
            [&] { decide(leaf, all_by_source(path), -1); }, [&](int depth) { retry(depth); });
    });
}

void planner::update_section(index s) {
    if (core_.states[s].updates)
        section(tick_section::update, core_.states[s].depth, [&] { update(s); });
    else if (core_.follows_each_update)
        core_.sections.push_back({tick_section::update, false, core_.states[s].depth, 0});
}

/// Consecutive levels that decide form one sequence of guards, because the level of a fired transition is known afterwards. Not in a region: its
/// programs do not store how far they have exited it.
bool planner::joins(tick_section::kind_of kind) const {
    const bool is_first = core_.sections.size() == tick_begins_;
    return !is_first && superstate_first() && !core_.has_holds && !core_.by_regions && kind == tick_section::decide &&
           core_.sections.back().kind == tick_section::decide;
}

void planner::retry(int depth) {
    section(tick_section::retry_entry, depth, [&] {
        if (core_.by_regions) in_section();
        out_.emit_end(code_retry);
    });
}

planner::transitions planner::polled_of(index s) const {
    transitions list;
    const auto& span = core_.states[s].polled;
    for (auto t = span.first; t < span.first + span.count; ++t) list.push_back(t);
    return list;
}

/// Returns the polled transitions of each level, by source.
std::map<index, std::vector<planner::transitions>> planner::polled_by_level(const std::vector<index>& path) const {
    std::map<index, std::vector<transitions>> levels;
    for (const auto s : path)
        for (const auto t : polled_of(s)) {
            auto& by_source = levels[core_.transitions[t].level];
            if (by_source.empty() || core_.transitions[by_source.back().front()].source != s) by_source.emplace_back();
            by_source.back().push_back(t);
        }
    return levels;
}

std::vector<planner::transitions> planner::all_by_source(const std::vector<index>& path) const {
    std::vector<transitions> by_source;
    for (auto s = path.rbegin(); s != path.rend(); ++s) by_source.push_back(polled_of(*s));
    return by_source;
}

void planner::decide(index leaf, std::vector<transitions> by_source, int depth) {
    if (!core_.by_regions)
        for (auto& list : by_source) drop_excluded(leaf, list);
    std::erase_if(by_source, [](const auto& list) { return list.empty(); });
    if (by_source.empty()) return;
    const auto waits = [&](auto t) { return may_be_held(core_.transitions[t], leaf); };
    const bool may_wait = std::ranges::any_of(by_source, [&](const auto& list) { return std::ranges::any_of(list, waits); });
    section(tick_section::decide, depth, [&] {
        blocked_.clear();
        quiet_.clear();
        for (const auto& list : by_source) {
            assembler::jumps next_source;
            try_each(leaf, list, next_source, &list == &by_source.back());
            out_.land(next_source);
        }
        if (core_.catches_guards) out_.land(quiet_), quiet_.clear();
        if ((may_wait || core_.catches_guards) && core_.by_regions) in_section();
        if (may_wait || core_.catches_guards) out_.emit(&ops::decided, std::uint64_t(0));
        out_.land(quiet_);
    });
}

/// Tries the transitions of other levels after a satisfied one, and continues with the next source. Returns false if no later transition has its
/// level.
bool planner::try_others(index leaf, const transitions& list, std::size_t satisfied, assembler::jumps& next_source) {
    const auto level = core_.transitions[list[satisfied]].level;
    transitions others(list.begin() + static_cast<std::ptrdiff_t>(satisfied) + 1, list.end());
    if (std::erase_if(others, [&](auto t) { return core_.transitions[t].level == level; }) == 0) return false;
    if (core_.transitions[list[satisfied]].rechoice) std::erase_if(others, [&](auto t) { return core_.transitions[t].rechoice; }); // not chosen
    try_each(leaf, others, next_source);
    next_source.push_back(out_.emit_jump(&ops::jump));
    return true;
}

/// Tries a source's transitions in order. A satisfied one blocks the later ones of its level: the others get their own sequence.
void planner::try_each(index leaf, const transitions& list, assembler::jumps& next_source, bool last_source) {
    bool chooses = false;
    for (std::size_t i = 0; i < list.size() && is_within_budget(); ++i) {
        const auto& t = core_.transitions[list[i]];
        const bool first = t.is_candidate && !std::exchange(chooses, true);
        if (const auto count = rechoices_at(list, i); count > 1) {
            try_rechoices(leaf, list, i, count, first, next_source);
            i += count - 1;
            continue;
        }
        if (first) out_.emit(&ops::choose_again, std::uint64_t(0));
        const bool requests = core_.may_request_leave(list[i]);
        const bool quiet = last_source && i + 1 == list.size() && blocked_.empty() && !requests; // if it is false, nothing waits
        assembler::jumps refused;
        if (!t.force && blocked_.contains(t.level)) refused.push_back(out_.emit_if(&ops::if_none_waits, slot_of(core_, t.level)));
        if (t.on_finished) refused.push_back(out_.emit_if(&ops::if_marked, t.source));
        auto tests = guards(t, t.source, !core_.by_regions && !requests);
        if (!requests) refused.insert(refused.end(), tests.begin(), tests.end());
        const bool reached = t.any_state && core_.contains(t.goal, leaf);
        const bool by_history = reached && is_history(t.target); // then its goal is known only at run time
        if (reached && !by_history) {
            try_others(leaf, list, i, next_source);
        } else {
            if (by_history) {
                const assembler::jumps fires{out_.emit_if(&ops::if_satisfied, list[i], {hook_site::still, 1, leaf})};
                if (!try_others(leaf, list, i, next_source)) refused.push_back(out_.emit_jump(&ops::jump));
                out_.land(fires);
            }
            if (quiet) quiet_.insert(quiet_.end(), refused.begin(), refused.end());
            const bool certain = refused.empty();
            if (quiet) refused.clear();
            if (may_be_held(t, leaf)) {
                refused.push_back(out_.emit_if(&ops::or_wait, list[i], {hook_site::still, 0, leaf}));
                blocked_.insert(t.level);
            }
            core_.by_regions ? fire_in_region(leaf, list[i], core_.sections.back().depth) : body(leaf, list[i], reason_of(t));
            if (certain && refused.empty() && tests.empty()) return;
        }
        if (requests) {
            if (reached && !by_history) refused.push_back(out_.emit_jump(&ops::jump));
            out_.land(tests);
            out_.emit(&ops::guard_refused, std::uint64_t(list[i]));
        }
        out_.land(refused);
    }
}

/// Returns the number of rechoices from there on that one op can distinguish.
std::size_t planner::rechoices_at(const transitions& list, std::size_t i) const {
    const auto& first = core_.transitions[list[i]];
    std::size_t count = 0;
    for (; i + count < list.size() && blocked_.empty(); ++count) {
        const auto& t = core_.transitions[list[i + count]];
        if (!t.rechoice || t.candidate != first.candidate + count || core_.may_request_leave(list[i + count])) break;
    }
    return count;
}

/// Tries rechoices, of which at most one is chosen. `first`: no candidate of the list was tried before.
void planner::try_rechoices(index leaf, const transitions& list, std::size_t i, std::size_t count, bool first, assembler::jumps& next_source) {
    const auto& rechoice = core_.transitions[list[i]];
    const auto site = hook_site{hook_site::still, 1, rechoice.source};
    if (first && rechoice.timer == no_timer && !is_by_chance(core_.states[rechoice.source].choose)) {
        out_.lead_to(out_.emit_jump(&ops::choose_once, site), core_.states[rechoice.source].choose_program);
    } else {
        if (first) out_.emit(&ops::choose_again, std::uint64_t(0));
        out_.emit(&ops::choose_unless_chosen, std::uint64_t(list[i]), site);
    }
    const auto table = out_.emit_table(&ops::go_to_chosen, rechoice.candidate, count);
    assembler::jumps refused{out_.emit_jump(&ops::jump)};
    for (std::size_t n = 0; n < count; ++n) {
        const auto number = list[i + n];
        const auto& t = core_.transitions[number];
        out_.land({table[n]});
        const bool reached = core_.contains(t.goal, leaf);
        if (reached && is_history(t.target)) {
            const assembler::jumps fires{out_.emit_if(&ops::if_satisfied, number, {hook_site::still, 1, leaf})};
            if (!try_others(leaf, list, i + n, next_source)) refused.push_back(out_.emit_jump(&ops::jump));
            out_.land(fires);
        } else if (reached) {
            if (!try_others(leaf, list, i + n, next_source)) refused.push_back(out_.emit_jump(&ops::jump));
            continue;
        }
        if (may_be_held(t, leaf)) refused.push_back(out_.emit_if(&ops::or_wait, number, {hook_site::still, 0, leaf}));
        core_.by_regions ? fire_in_region(leaf, number, core_.sections.back().depth) : body(leaf, number, reason_of(t));
    }
    for (std::size_t n = 0; n < count; ++n)
        if (const auto& t = core_.transitions[list[i + n]]; may_be_held(t, leaf)) blocked_.insert(t.level);
    out_.land(refused);
}

// Ticks in a region: updates and decisions from its outermost state to its leaf, in one program. The programs of the active regions run in order.
// Decisions that involve other regions are left to the driver: see ticker_regions.cpp.
void planner::make_region_ticks() {
    if (!superstate_first() || core_.follows_each_update || core_.has_over) return;
    const auto before = out_.written();
    core_.region_ticks = out_.begin();
    for (index r = 0; r < core_.regions.size(); ++r) {
        out_.emit(&ops::next_region, offset_of_region(r));
        out_.lead_to(out_.emit_jump(nullptr), core_.tick_of_region(r + 1u));
    }
    out_.emit(&ops::end_regions, std::uint64_t(0));
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_region_steps(leaf);
    tick_region_ = no_index;
    core_.sections.push_back({}); // code reads one section past the last
    core_.ticks_by_region = is_within_budget();
    if (core_.ticks_by_region) {
        for (const auto& each : continuations_) out_.lead_to(each.from, core_.section_after(each.leaf, each.depth));
        return;
    }
    out_.go_back_to(before);
    core_.sections = {};
    for (auto& s : core_.states) s.tick = {}, s.tick_program = 0;
}

/// Without tail calls, programs call each other: see assembler.hpp. So after this many regions, one returns.
static constexpr index longest_tick = 8;

void planner::end_region_tick() {
    const auto next = tick_region_ + 1u;
    if (next == core_.regions.size()) return out_.emit(&ops::end_regions, std::uint64_t(0));
    if (next % longest_tick == 0) out_.emit(&ops::pause, std::uint64_t(0));
    out_.emit(&ops::next_region, offset_of_region(static_cast<index>(next)));
    out_.lead_to(out_.emit_jump(nullptr), core_.tick_of_region(next + 1u));
}

std::uint64_t planner::section_in_region() const { return (core_.sections.size() - 1) | std::uint64_t(tick_region_) << 32; }
void planner::in_section() { out_.emit(&ops::in_section, section_in_region()); }

void planner::make_region_steps(index region_leaf) {
    tick_region_ = core_.states[region_leaf].region;
    const auto above = core_.states[core_.regions[core_.states[region_leaf].region]].superstate;
    std::vector<index> path;
    flatten::entries(core_.states, above, region_leaf, [&](index s) { path.push_back(s); });
    const auto by_level = polled_by_level(path);
    const auto decide_at = [&](index level) {
        const auto found = by_level.find(level);
        decide_in_region(region_leaf, level, found == by_level.end() ? nullptr : &found->second);
    };
    make_tick(region_leaf, [&] {
        if (tick_region_ == 0) out_.emit(&ops::begin_regions, std::uint64_t(0));
        if (above == no_index) decide_at(no_index);
        for (const auto s : path) {
            update_section(s);
            if (is_machine(s)) decide_at(s);
        }
        if (is_machine(region_leaf)) retry(core_.states[region_leaf].depth);
    });
}

/// Returns whether regions inside the leaf have transitions of that level, or one of its own depends on the states active there.
bool planner::is_decided_elsewhere(index region_leaf, index level) const {
    const auto& span = level == no_index ? core_.decides_above : core_.states[level].decides;
    const auto region = core_.states[region_leaf].region;
    return std::any_of(core_.decisions.begin() + span.first, core_.decisions.begin() + span.first + span.count, [&](auto number) {
        const auto& t = core_.transitions[number];
        if (core_.states[t.source].region != region) return core_.contains(region_leaf, t.source);
        return t.any_state && core_.contains(t.source, region_leaf) && core_.states[t.goal].region != region;
    });
}

void planner::decide_in_region(index region_leaf, index level, const std::vector<transitions>* by_source) {
    const int depth = level == no_index ? -1 : core_.states[level].depth;
    if (is_decided_elsewhere(region_leaf, level))
        section(tick_section::decide, depth, [&] {
            in_section();
            out_.emit_end(code_regions);
        });
    else if (by_source)
        decide(region_leaf, *by_source, depth);
}

} // namespace hsm::detail
