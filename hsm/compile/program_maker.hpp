/// Writes all programs of a chart. Its parts: what happens in one state, where entries lead, what an event does, what a tick does.
#pragma once

#include <hsm/compile/assembler.hpp>
#include <hsm/compile/block.hpp>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace hsm {

class program_maker {
public:
    using transitions = std::vector<std::uint32_t>; ///< by number

    explicit program_maker(chart_core& core) : core_(core), out_(core) {}
    void run();

private:
    bool superstate_first() const { return core_.options.order == decision_order::superstate_first; }
    bool is_machine(index s) const { return core_.states[s].kind == state_kind::machine; }
    bool is_history(index s) const { return core_.states[s].kind == state_kind::history; }
    std::uint64_t kept_by(index level) const { return level == no_index ? 0 : core_.states[level].depth + 1u; }
    template <class Emit> program part(Emit emit) {
        const auto p = out_.begin();
        emit();
        out_.emit_end(code_next);
        return p;
    }
    void end(result r) { out_.emit_end(static_cast<std::uintptr_t>(r)); }
    template <class Emit> void section(tick_step::kind_of kind, int depth, Emit emit) {
        core_.steps.push_back({kind, depth, out_.begin()});
        out_.emit(&ops::section, std::uint64_t(core_.steps.size() - 1));
        emit();
    }

    // program_driven.cpp: where regions are driven
    void make_driven();
    program make_entries_below(const transition_row& t);
    void make_lists(index tip);
    void make_decisions();
    void make_always();
    // program_pairs.cpp: both regions of a parallel at once
    struct pair_of_tips;
    void make_pairs();
    void number_leaves(index region, std::vector<index>& leaves);
    bool is_pair(index parallel) const;
    void make_pair_row(const pair_of_tips& tips);
    transitions candidates_of(index tip, std::uint32_t column) const;
    bool leads_statically(index target) const;
    bool leads_statically(const transitions& candidates) const;
    index enter_statically(index target);
    program pair_program(const pair_of_tips& tips, const transitions& first, const transitions& second);
    void pair_body(const pair_of_tips& tips, const std::uint32_t* first, const std::uint32_t* second);
    void second_of_pair(const pair_of_tips& tips, const std::uint32_t* first, const transitions& second);
    std::uint64_t offset_of_region(index region) const { return core_.layout.regions + region * sizeof(region_state); }
    enum class turns { none, first, second };
    void make_turns();
    bool keeps_to_region(index tip, const transitions& candidates) const;
    program region_program(index tip, const transitions& candidates);
    program take_turns(index tip, const transitions& candidates, turns which);
    void take_turns(index tip, std::uint32_t number, turns which);
    bool crosses(index from, const transition_row& t) const;

    // programs.cpp: events
    void body(index leaf, std::uint32_t number, reason why);
    void begin_firing(const transition_row& t);
    bool may_be_held(const transition_row& t, index leaf) const;
    std::vector<index> deciders(index leaf) const;
    void make_row(index leaf);
    void yield_to_substates(transitions& candidates) const;
    program event_program(index leaf, const transitions& candidates);
    program make_event_program(index leaf, const transitions& candidates);

    // program_parts.cpp: one state, one transition
    void make_parts(index s);
    program make_hold(index s);
    void make_parts_of_transition(std::uint32_t number);
    void hooks(const span_of& span, index s, op_note note);
    void actions(const transition_row& t, index where);
    assembler::jump_at ask(const guard_row& g, index context, index where);
    assembler::jumps guards(const transition_row& t, index where);
    void conditions(const transition_row& t, std::uint64_t whose, assembler::jumps& refused);
    void enter(index s);
    bool finds_time(index s) const;
    void clear_timers(index s);
    void start_timers(index s);
    void exit(index s);
    void exit_all(index leaf, index level);
    void enter_below(index level, index target);

    // program_entries.cpp: where a machine goes that is entered
    void make_entries(index machine);
    program make_history(index s);
    void restore(index machine, history_depth depth);
    void make_restores();
    program make_restore(index machine, index target);
    void entering(reason why);
    void record_exits(index leaf, index level);
    void entry(index machine, std::uint64_t kept);
    assembler::jumps guards_of_entry(const transition_row& t, index machine);
    void take_entry(index machine, const transition_row& t, std::uint64_t kept);
    void go_on(index from, const transition_row& t, std::uint64_t kept);
    void arrive(index target, std::uint64_t kept);
    void arrive_anew(index machine, std::uint64_t kept);
    bool is_static(index machine) const;
    void done(index leaf, std::uint64_t kept);
    void arrived(index leaf);
    void rest(index machine, std::uint64_t kept);

    // program_ticks.cpp
    void update(index s);
    void react(std::uint32_t number, assembler::jumps& stopped);
    void make_steps(index leaf);
    void retry(int depth);
    transitions polled_of(index s) const;
    std::map<index, std::vector<transitions>> polled_by_level(const std::vector<index>& path) const;
    std::vector<transitions> all_by_source(const std::vector<index>& path) const;
    void decide(index leaf, std::vector<transitions> by_source, int depth);
    bool try_others(index leaf, const transitions& list, std::size_t satisfied, assembler::jumps& next_source);
    void try_each(index leaf, const transitions& list, assembler::jumps& next_source, bool last_source = false);

    chart_core& core_;
    assembler out_;
    std::vector<index> exited_next_; ///< from each state outwards the first whose exit has any ops; no_index: none has
    std::map<transitions, program> internal_programs_;
    std::map<transitions, std::uint32_t> lists_;
    assembler::jumps quiet_;  ///< what leads behind a section's decisions when nothing waits
    std::set<index> blocked_; ///< levels at which a transition may have begun to wait, in the program that is being made
    std::map<std::pair<index, history_depth>, std::uint32_t> restores_; ///< machine, how deep; the first in chart_core::restores
};

} // namespace hsm
