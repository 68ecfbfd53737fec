/// Writes all programs of a chart: for single states, entries, events and ticks.
#pragma once

#include <hsm/chart/detail/write_transition.hpp>
#include <hsm/compile/detail/assembler.hpp>
#include <hsm/op/record.hpp>
#include <hsm/vm/detail/active.hpp>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace hsm::detail {

class planner {
public:
    using transitions = std::vector<std::uint32_t>; ///< by number

    explicit planner(chart_core& core) : core_(core), out_(core) {}
    void run();

private:
    bool superstate_first() const { return core_.options.order == decision_order::superstate_first; }
    bool is_machine(index s) const { return core_.is_machine(s); }
    bool is_history(index s) const { return core_.states[s].kind == state_kind::history; }
    std::uint64_t unchanged_depth_of(index level) const { return level == no_index ? 0 : core_.states[level].depth + 1u; }
    template <class Emit> program part(Emit emit) {
        const auto p = out_.begin();
        emit();
        out_.emit_end(code_next);
        return p;
    }
    void end(result r) { out_.emit_end(static_cast<std::uintptr_t>(r)); }
    /// For observed machines: program_trace.cpp.
    void trace(const record& r, hook_site site);
    void trace_transition(std::uint32_t number, reason why, hook_site site);
    void trace_timer(record_kind kind, std::uint32_t timer, index s);
    void trace_action(const hook_row& h, const transition_row& t, hook_site site);
    assembler::jump_at trace_guard_result(assembler::jump_at refused, record asked, hook_site site);
    template <class Emit> void section(tick_section::kind_of kind, int depth, Emit emit) {
        const bool joined = joins(kind);
        out_.begin();
        if (!joined && !core_.by_regions) out_.emit(&ops::section, std::uint64_t(core_.sections.size()));
        core_.sections.push_back({kind, joined, depth, out_.begin()});
        emit();
    }

    /// Writes the entry of a machine: see write_transition.hpp.
    struct entry_sink {
        planner& p;
        std::uint64_t unchanged; ///< the number of outermost states that the transition does not change

        void enter(index s) { p.enter(s); }
        void choose(index machine, bool is_level);
        void arrive(index s);
        template <class Take> void try_choice(index machine, std::uint32_t number, Take take) {
            const auto refused = p.guards_of_entry(number, machine);
            take();
            p.out_.land(refused);
        }
        void choice_action(index machine, const transition_row& t);
        bool leads_elsewhere(index from, const transition_row& t);
        void rest(index machine);
    };
    /// Writes a transition.
    struct transition_sink : entry_sink {
        index leaf; ///< of its region
        std::uint32_t number;
        reason why;

        transition_sink(planner& of, index from, std::uint32_t t, reason because);
        void begin(const transition_row& t);
        void exit(index s) {
            if (p.exits_[s]) p.exit(s);
        }
        void action(const transition_row& t);
        void stay(const transition_row&) { p.end(result::internal); }
    };
    /// The same for one region: on its own, or as one of several.
    struct region_sink;
    struct alone_sink;
    struct step_part_sink;
    /// The same for a group of regions.
    struct group_sink;

    // program_shared.cpp: charts whose programs by leaf would be too large
    bool is_within_budget() const;
    std::size_t most_program_ops() const { return core_.options.program_memory / (sizeof(op) + sizeof(hook_site)); }
    bool make_programs_by_leaf();
    void make_by_parts();
    void list_own(index s);
    void list_levels();
    void select_by_column();
    // programs shared by all leaves of a state
    struct shared_step;
    void make_shared();
    void list_tick_parts();
    std::uint32_t tick_parts_of(index s, std::uint32_t outer);
    bool share_programs_of(index s);
    template <class Emit> bool fits(program& p, Emit emit);
    transitions candidates_inwards(index s, std::uint32_t column) const;
    program decisions_of(index s, index level);
    void try_shared(std::uint32_t number, assembler::jumps& next_source);
    void shared_body(std::uint32_t number, reason why);

    // program_steps.cpp: charts with driven regions
    void make_by_regions();
    program make_entries_below(const transition_row& t);
    void make_lists(index region_leaf);
    std::uint32_t share_list(const transitions& list);
    void make_decisions();
    bool crosses(index from, const transition_row& t) const;
    // program_steps.cpp: events in a region, on their own and as a part of a step
    void make_region_programs();
    void give_up_region_programs(const assembler::extent& before);
    void make_dispatch_ops();
    bool stays_in_region(index region_leaf, const transitions& candidates) const;
    bool leads_statically(const transition_row& t) const;
    bool prepares() const;
    program region_program(index region_leaf, const transitions& candidates, std::uint32_t column);
    program alone_program(index region_leaf, const transitions& candidates);
    std::uint64_t make_step_part(index region_leaf, const transitions& candidates);
    // program_ticks.cpp: ticks in a region
    void make_region_ticks();
    void make_region_steps(index region_leaf);
    void decide_in_region(index region_leaf, index level, const std::vector<transitions>* by_source);
    bool is_decided_elsewhere(index region_leaf, index level) const;
    void fire_in_region(index region_leaf, std::uint32_t number, int depth);
    void pause_in_turn(index region_leaf);
    // program_groups.cpp: several regions together
    struct group_of_regions;
    struct group_side;
    void make_groups();
    std::vector<group_of_regions> groups_of(std::uint16_t event) const;
    bool is_leaf_of(index s, index region) const;
    std::size_t leaves_of(index region) const;
    std::size_t cells_of(const group_of_regions& group) const;
    void make_groups_of_event(op* at, std::vector<group_of_regions>& groups);
    const op* dispatch_regions_of(const group_of_regions& group) const;
    const void* make_group_table(group_of_regions& group);
    transitions candidates_of(index region_leaf, std::uint32_t column) const;
    program group_program(const group_of_regions& group);
    void test_group(const group_of_regions& group, const std::vector<transitions>& candidates, std::size_t i, std::vector<group_side>& sides);
    void group_body(std::vector<group_side> sides, bool is_whole);
    std::uint64_t offset_of_region(index region) const { return core_.layout.regions + region * sizeof(region_state); }

    // programs.cpp: events
    void body(index leaf, std::uint32_t number, reason why);
    void begin_firing(const transition_row& t);
    void use_triggers(const transition_row& t);
    bool may_be_held(const transition_row& t, index leaf) const;
    void make_row(index leaf);
    std::map<std::uint16_t, transitions> candidates_by_event(index above, index leaf) const;
    void drop_excluded(index leaf, transitions& list) const;
    program event_program(index leaf, transitions candidates);
    program make_event_program(index leaf, const transitions& candidates);

    // program_parts.cpp: one state, one transition
    void make_parts(index s);
    program make_hold(index s);
    void make_parts_of_transition(std::uint32_t number);
    static bool is_tested(const transition_row& t) {
        return t.is_guarded() || t.joined.count || t.excluded.count || (t.timer != no_timer && !t.spec->every);
    }
    void hooks(const span_of& span, index s, hook_site site);
    void actions(const transition_row& t, index where);
    assembler::jump_at ask(const guard_row& g, index context, index where, std::uint32_t transition = record::no_number);
    assembler::jumps guards(const transition_row& t, index where, bool not_excluded = false); ///< not_excluded: see drop_excluded
    void conditions(const transition_row& t, std::uint64_t whose, assembler::jumps& refused);
    void enter(index s);
    bool raises_done(index s) const;
    bool finds_time(index s) const;
    void clear_timers(index s);
    void start_timers(index s);
    void exit(index s);

    // program_entries.cpp: entries of machines
    void make_entries(index machine);
    program make_history(index s);
    std::uint32_t restores_of(index machine, history_depth depth);
    void restore(index machine, history_depth depth);
    void make_restores();
    program make_restore(index machine, index target);
    void entering(reason why);
    void record_exits(index leaf, index level);
    void entry(index machine, std::uint64_t unchanged);
    assembler::jump_at ask_between(const guard_row& g, index machine, std::uint32_t transition);
    assembler::jumps guards_of_entry(std::uint32_t number, index machine);
    // the candidates of a state that chooses by score or by chance
    assembler::jumps tests_of_entry(const transition_row& t, index machine);
    assembler::jumps tests(const transition_row& t, index where, bool not_excluded);
    void choose(index s, hook_site::kind_of site);
    void count_draw(const transition_row& t);
    void done(index leaf, std::uint64_t unchanged);
    void arrived(index leaf);

    // program_ticks.cpp
    bool joins(tick_section::kind_of kind) const;
    void update(index s);
    void in_section();
    std::uint64_t section_in_region() const;
    void end_region_tick();
    void react(std::uint32_t number, assembler::jumps& stopped);
    template <class Emit> void make_tick(index leaf, Emit emit) {
        auto& row = core_.states[leaf];
        tick_begins_ = core_.sections.size();
        row.tick = {static_cast<std::uint32_t>(tick_begins_), 0};
        row.tick_program = out_.begin();
        if (core_.by_regions) out_.emit(&ops::section, std::uint64_t(0));
        emit();
        row.tick.count = static_cast<std::uint32_t>(core_.sections.size()) - row.tick.first;
        if (out_.begin() == row.tick_program) out_.emit(&ops::section, std::uint64_t(0)); // a tick always begins with a section op
        if (core_.by_regions)
            end_region_tick();
        else
            out_.emit_end(code_next);
    }
    void make_steps(index leaf);
    void update_section(index s);
    void retry(int depth);
    transitions polled_of(index s) const;
    std::map<index, std::vector<transitions>> polled_by_level(const std::vector<index>& path) const;
    std::vector<transitions> all_by_source(const std::vector<index>& path) const;
    void decide(index leaf, std::vector<transitions> by_source, int depth);
    bool try_others(index leaf, const transitions& list, std::size_t satisfied, assembler::jumps& next_source);
    std::size_t rechoices_at(const transitions& list, std::size_t i) const;
    void try_rechoices(index leaf, const transitions& list, std::size_t i, std::size_t count, bool first, assembler::jumps& next_source);
    void try_each(index leaf, const transitions& list, assembler::jumps& next_source, bool last_source = false);

    chart_core& core_;
    assembler out_;
    static constexpr index any_leaf = no_index; ///< for programs that all leaves of a state share
    assembler::extent parts_;                   ///< the end of the parts
    /// Default entries are inlined up to this depth. Otherwise nested machines would be written again for each level.
    static constexpr int most_inlined = 32;
    int inlined_ = 0;
    std::vector<bool> exits_; ///< by state: its exit has an effect
    std::map<transitions, program> internal_programs_;
    std::map<transitions, std::uint32_t> lists_;
    program general_ = 0;          ///< the program of events that no program of a region can handle
    std::vector<bool> apart_;      ///< by column: regions of several parallels can handle it
    assembler::jumps quiet_;       ///< jumps over the end of a section's decisions, if nothing waits
    std::set<index> blocked_;      ///< levels at which a transition may have begun to wait, in the current program
    std::size_t tick_begins_ = 0;  ///< the first section of the current leaf's tick
    index tick_region_ = no_index; ///< while the ticks of regions are written: the current one
    /// The end of a transition in the tick of a region, which continues with the sections of `leaf` after its decisions at `depth`.
    struct continuation {
        assembler::jump_at from;
        index leaf;
        int depth;
    };
    std::vector<continuation> continuations_;
    const int* decided_ = nullptr; ///< the depth of the level whose transition is written into the tick of a region
    std::map<std::pair<index, history_depth>, std::uint32_t> restores_; ///< by machine and depth; the first in chart_core::restores
};

} // namespace hsm::detail
