// chart.dump(): the tables of a chart, and its programs op by op, as text.

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/compile/detail/assembler.hpp>
#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <hsm/define/detail/history_kinds.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace hsm::detail {

namespace {

std::string name_or_outside(const chart_core& core, index s) { return s == no_index ? "above the root" : distinct_name(core, s); }

/// Returns whether the op can continue elsewhere.
bool decides(const op& o) {
    return o.run == &ops::if_marked || o.run == &ops::if_due || o.run == &ops::if_none_waits || o.run == &ops::or_wait || o.run == &ops::if_active ||
           o.run == &ops::unless_active || o.run == &ops::if_satisfied || o.run == &ops::if_conditions || o.run == &ops::if_all ||
           o.run == &ops::if_any || o.run == &ops::try_guard || o.run == &ops::if_none_offered || o.run == &ops::if_picked ||
           o.run == &ops::if_chosen || o.run == &ops::if_cool || o.run == &ops::use_scores;
}

bool arrives(const op& o) {
    return o.run == &ops::done || o.run == &ops::done_changed || o.run == &ops::rest_changed || o.run == &ops::enter_by || o.run == &ops::arrived ||
           o.run == &ops::arrived_outermost || o.run == &ops::next_region;
}

/// Returns the number of data entries after an op.
program data_of(const op& o) {
    if (o.run == &ops::arrived_in_tick) return 2;
    if (o.run == &ops::go_to_chosen) return static_cast<program>(o.number >> 32);
    if (o.run == &ops::fixed_score) return 1;
    return arrives(o) || decides(o) || o.run == &ops::entered || o.run == &ops::region_entered || o.run == &ops::because_from ? 1 : 0;
}

std::string code_name(std::uint64_t code) {
    return code < code_next       ? std::string(to_string(static_cast<result>(code)))
           : code == code_retry   ? "choose again"
           : code == code_parts   ? "by parts"
           : code == code_regions ? "by selection"
                                  : "next";
}

std::string target_of(const chart_core& core, const op& o) { return fmt::format("{}", o.target - core.ops.data()); }

// Describe ops without user code; empty for others.

std::string flow_op(const chart_core& core, const op& o) {
    if (o.run == &ops::end) return "end " + code_name(reinterpret_cast<std::uintptr_t>(o.target) - 1);
    if (o.run == &ops::jump) return "jump " + target_of(core, o);
    if (o.run == &ops::pause) return "pause";
    if (o.run == &ops::done) return "leaf " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::done_changed) return "leaf " + name_or_outside(core, static_cast<index>(o.number)) + ", report";
    if (o.run == &ops::rest_changed) return "rest " + name_or_outside(core, static_cast<index>(o.number)) + ", report";
    if (o.run == &ops::enter_by) return "choose at " + target_of(core, o);
    if (o.run == &ops::exit_to_level) return "leave " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::record_history) return "remember";
    if (o.run == &ops::exited) return "exited";
    if (o.run == &ops::because) return fmt::format("because {}", to_string(static_cast<reason>(o.number >> 32)));
    if (o.run == &ops::at_state) return "at";
    if (o.run == &ops::locals || o.run == &ops::locals_by_level) return "locals";
    if (o.run == &ops::in_context) return "context " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::entering) return fmt::format("entering by {}", to_string(static_cast<reason>(o.number)));
    if (o.run == &ops::record) return "remember " + (o.number >> 16 ? name_or_outside(core, static_cast<index>(o.number >> 16)) : "nothing");
    if (o.run == &ops::restore && core.is_previous(core.history_owners[o.number & 0xffff]))
        return "go back to the previous substate of " + name_or_outside(core, core.states[core.history_owners[o.number & 0xffff]].superstate);
    if (o.run == &ops::restore) return "go back to where " + name_or_outside(core, core.history_owners[o.number & 0xffff]) + " was left";
    return {};
}

std::string region_op(const chart_core& core, const op& o) {
    if (o.run == &ops::arrived || o.run == &ops::arrived_outermost || o.run == &ops::arrived_in_tick)
        return "leaf " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::region_leaf) return "at " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::moving) return o.number ? "moving" : "moved";
    if (o.run == &ops::chosen) return "chosen";
    if (o.run == &ops::pass_on || o.run == &ops::pass_back) return "wait";
    if (o.run == &ops::exits_done) return "at " + name_or_outside(core, static_cast<index>(o.number)) + ", wait";
    if (o.run == &ops::entered || o.run == &ops::region_entered) return "leaf " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::enter_apart) return "enter";
    if (o.run == &ops::because_from) return fmt::format("because {}", to_string(static_cast<reason>(o.number >> 32)));
    if (o.run == &ops::regions) return "regions of " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::targets) return "into regions";
    if (o.run == &ops::go_back) return "go back to where " + name_or_outside(core, core.history_owners[o.number & 0xffff]) + " was left";
    if (o.run == &ops::general) return "by selection";
    if (o.run == &ops::to_region_engine) return fmt::format("transition {}, by the driver", o.number);
    if (o.run == &ops::stamp) return "now";
    if (o.run == &ops::if_active) return "if in " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::unless_active) return "unless in " + name_or_outside(core, static_cast<index>(o.number));
    return {};
}

std::string state_op(const chart_core& core, const op& o) {
    if (o.run == &ops::updating) return "updating";
    if (o.run == &ops::updated || o.run == &ops::region_updated) return "updated";
    if (o.run == &ops::section || o.run == &ops::in_section) return "section";
    if (o.run == &ops::next_region) return "next region";
    if (o.run == &ops::begin_regions) return "regions";
    if (o.run == &ops::end_regions) return "end regions";
    if (o.run == &ops::decided) return "decided";
    if (o.run == &ops::unless_stopped) return "unless stopped";
    if (o.run == &ops::construct) return fmt::format("construct {}", core.locals[o.number].prototype->type().name);
    if (o.run == &ops::destroy) return fmt::format("destroy {}", core.locals[o.number].prototype->type().name);
    if (o.run == &ops::mark) return "over " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::unmark) return "not over " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::if_marked) return "if over " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::raise_done) return "raise";
    if (o.run == &ops::try_guard) return "try";
    if (o.run == &ops::transient) return "transient";
    if (o.run == &ops::fired) return "fired";
    if (o.run == &ops::arm_fixed) return fmt::format("timer {} for {} ns", o.number, core.timers[o.number].fixed);
    if (o.run == &ops::arm_found) return fmt::format("timer {}", o.number);
    if (o.run == &ops::if_due) return fmt::format("if the timer at {} is due", o.number - core.layout.locals);
    if (o.run == &ops::used_up) return fmt::format("timer {} is used up", o.number);
    if (o.run == &ops::again) return fmt::format("timer {} again", o.number);
    return {};
}

std::string condition_op(const chart_core& core, const op& o) {
    if (o.run == &ops::defer) return "keep for later";
    if (o.run == &ops::recall) return "recall";
    if (o.run == &ops::if_all) return fmt::format("if all of {}", o.number);
    if (o.run == &ops::if_any) return fmt::format("if any of {}", o.number);
    if (o.run == &ops::if_conditions) return fmt::format("if conditions {}", static_cast<std::uint32_t>(o.number));
    if (o.run == &ops::entered_by) return o.number ? fmt::format("entered by transition {}", o.number - 1) : "entered by nothing";
    if (o.run == &ops::store_entered_by) return "record entering transition";
    if (o.run == &ops::mark_entry_conditions) return "record entered transition";
    if (o.run == &ops::reset_entry_conditions) return "reset entry conditions";
    if (o.run == &ops::use_triggers) return fmt::format("use triggers of transition {}", o.number);
    if (o.run == &ops::if_satisfied) return "if satisfied";
    if (o.run == &ops::if_none_waits) return "if none waits";
    if (o.run == &ops::or_wait) return "if none holds";
    if (o.run == &ops::guard_refused) return "end requests";
    if (o.run == &ops::or_pend) return "pend if one holds";
    if (o.run == &ops::state_exited) return "left " + name_or_outside(core, static_cast<index>(o.number));
    return {};
}

std::string choosing_op(const chart_core& core, const op& o) {
    if (o.run == &ops::evaluate) return "evaluate " + name_or_outside(core, static_cast<index>(o.number));
    if (o.run == &ops::use_scores) return "use scores";
    if (o.run == &ops::fixed_score) return "weight";
    if (o.run == &ops::if_none_offered) return "if none is possible";
    if (o.run == &ops::picked || o.run == &ops::pick_by_chance) return "pick";
    if (o.run == &ops::if_picked || o.run == &ops::if_chosen) return fmt::format("if chosen {}", o.number);
    if (o.run == &ops::go_to_chosen) return "go to the chosen one";
    if (o.run == &ops::if_cool) return fmt::format("if cooldown {} has passed", o.number);
    if (o.run == &ops::cool) return fmt::format("cooldown {}", o.number);
    if (o.run == &ops::choose_once) return "choose by " + target_of(core, o);
    if (o.run == &ops::choose_unless_chosen) return fmt::format("choose {}", o.number);
    if (o.run == &ops::chosen_at_last) return "chosen";
    if (o.run == &ops::choose_again) return "choose again";
    if (o.run == &ops::count_draw) return "count draw";
    return {};
}

bool computes_score(const chart_core& core, const op& o) {
    return std::ranges::any_of(core.transitions, [&](const transition_row& t) { return t.score != no_score && core.hooks[t.score].call == o.run; });
}

/// Returns an empty text for a user's hook.
std::string described(const chart_core& core, const op& o) {
    for (const auto describe : {&flow_op, &region_op, &state_op, &condition_op, &choosing_op})
        if (auto text = describe(core, o); !text.empty()) return text;
    return {};
}

std::string hook_kind_of(const chart_core& core, const hook_site& site) {
    switch (site.kind) {
    case hook_site::entering: return "enter " + name_or_outside(core, site.state);
    case hook_site::exiting: return "exit " + name_or_outside(core, site.state);
    case hook_site::between: return "action";
    case hook_site::still:
    case hook_site::outside: break;
    }
    return "hook";
}

/// A user's op is a guard if data follows it.
bool is_guard(const chart_core& core, program at) { return core.ops[at + 1].run == nullptr; }

/// Prints a program. Stops at `end`, if the program continues there into another one.
void dump_program(const chart_core& core, program at, std::string& out, program end = 0) {
    const auto start = at;
    program furthest = at; // guards that are false lead to ops up to here
    for (bool over = false; !over;) {
        const auto& o = core.ops[at];
        if (o.run == &ops::section || (at == end && at != start)) break; // the next part of a tick
        auto text = described(core, o);
        const bool user = text.empty();
        const bool scores = user && computes_score(core, o);
        if (user) text = scores ? "score" : is_guard(core, at) ? "guard" : hook_kind_of(core, core.hook_sites[at]);
        const auto data = user ? (is_guard(core, at) ? 1 : 0) : data_of(o);
        if ((user && data && !scores) || decides(o)) {
            const auto otherwise = static_cast<program>(core.ops[at + 1].target - core.ops.data());
            furthest = std::max(furthest, otherwise);
            text += fmt::format(" (else {})", otherwise);
        }
        append_format(out, "{}{}: {}", at == start ? "" : ", ", at, text);
        over = ends_program(o.run) && at >= furthest;
        at += data + 1;
        over = over || (ends_program(o.run) && at > furthest);
    }
    out += '\n';
}

/// If regions are driven, or by parts: prints the candidates, and the programs of a region.
void dump_candidates(const chart_core& core, index region_leaf, std::string& out) {
    const auto& row = core.states[region_leaf];
    for (std::uint32_t i = 0; i < row.programs.count; ++i) {
        const auto& entry = core.entries[row.programs.first + i];
        const auto event = std::ranges::find(core.event_columns, entry.column) - core.event_columns.begin();
        if (event == std::ssize(core.event_columns)) continue; // a further value of an event
        append_format(out, "  {} on {}:", name_or_outside(core, region_leaf), core.events[static_cast<std::size_t>(event)].name);
        const auto& list = core.lists[entry.at];
        for (std::uint32_t n = 0; n < list.count; ++n) {
            const auto& t = core.transitions[core.candidates[list.first + n]];
            append_format(out, "{} {} -> {}", n == 0 ? "" : ",", name_or_outside(core, t.source),
                          t.defers               ? "later"
                          : t.target == no_index ? "internal"
                                                 : name_or_outside(core, t.target));
        }
        if (core.by_parts && !core.by_regions && core.shared_programs[row.programs.first + i]) {
            out += ": ";
            dump_program(core, core.shared_programs[row.programs.first + i], out);
            continue;
        }
        if (core.rows.empty() || core.by_parts) {
            out += '\n';
            continue;
        }
        out += ": ";
        dump_program(core, static_cast<program>(core.row_of(region_leaf)[entry.column] - core.ops.data()), out);
    }
}

void dump_events(const chart_core& core, index leaf, std::string& out) {
    if (core.by_regions || core.by_parts) return dump_candidates(core, leaf, out);
    const auto& row = core.states[leaf];
    for (std::uint32_t i = 0; i < row.programs.count; ++i) {
        const auto& entry = core.entries[row.programs.first + i];
        const auto event = std::ranges::find(core.event_columns, entry.column) - core.event_columns.begin();
        if (event == std::ssize(core.event_columns)) continue; // a further value of an event
        append_format(out, "  {} on {}: ", name_or_outside(core, leaf), core.events[static_cast<std::size_t>(event)].name);
        dump_program(core, entry.at, out);
    }
}

void dump_tick(const chart_core& core, index leaf, std::string& out) {
    static constexpr std::string_view kinds[] = {"updates", "decides", "chooses"};
    const auto& row = core.states[leaf];
    for (std::uint32_t i = 0; i < row.tick.count; ++i) {
        const auto& step = core.sections[row.tick.first + i];
        if (step.at == 0) continue;
        append_format(out, "  {} ticks, depth {} {}: ", name_or_outside(core, leaf), step.depth, kinds[step.kind]);
        const auto* const next = i + 1 < row.tick.count ? &core.sections[row.tick.first + i + 1] : nullptr;
        dump_program(core, step.at, out, next && next->joined ? next->at : 0);
    }
}

void dump_programs(const chart_core& core, std::string& out) {
    append_format(out, "programs: {} ops, by leaf\n", core.ops.size());
    for (index leaf = 0; leaf < row_count(core.states); ++leaf) {
        dump_events(core, leaf, out);
        dump_tick(core, leaf, out);
    }
}

std::string name_or_dash(const chart_core& core, index s) { return s == no_index ? "-" : distinct_name(core, s); }

std::string_view kind_of(const state_row& row) {
    if (row.kind == state_kind::final) return "final";
    if (row.kind == state_kind::choice) return "choice";
    if (row.kind == state_kind::history) return by_history_depth(row.history).shown;
    if (row.kind == state_kind::parallel) return "parallel";
    if (row.kind == state_kind::machine) return row.transient ? "transient machine" : "machine";
    return row.transient ? "transient" : "leaf";
}

void dump_state(const chart_core& core, index s, std::string& out) {
    const auto& row = core.states[s];
    append_format(out, "  {:>4}  {:{}}{}  [{}]", s, "", 2 * row.depth, row.node->name(), kind_of(row));
    const auto count = [&](std::string_view what, const span_of& span) {
        if (span.count) append_format(out, " {}:{}", what, span.count);
    };
    for (const auto& of : hook_kind_table) count(of.shown(), row.hooks[of.kind]);
    count("timers", row.timers);
    for (const auto& tag : row.node->tags()) append_format(out, " tag:{}", tag);
    if (row.choose != choosing::first) append_format(out, " choose:{}", name_of(row.choose));
    if (row.holds) out += " holds";
    if ((row.kind == state_kind::machine || row.kind == state_kind::parallel) && row.history != history_depth::none)
        out += row.history == history_depth::deep ? " remembers deeply" : " remembers";
    for (std::uint32_t i = 0; i < row.locals.count; ++i) {
        const auto& local = core.locals[row.locals.first + i];
        append_format(out, " {}@{}", local.prototype->type().name, local.offset);
    }
    out += '\n';
}

std::string trigger(const chart_core& core, const transition_row& t) {
    if (t.event != no_index) return core.events[t.event].name;
    const auto* const option = time_option(*t.spec);
    return std::string(t.on_finished ? "finished" : option ? option->name : "poll");
}

void dump_states(const chart_core& core, std::string_view word, const span_of& states, std::string& out) {
    for (std::uint32_t i = 0; i < states.count; ++i)
        append_format(out, "{}{}", i == 0 ? word : ", ", name_or_dash(core, core.targets[states.first + i]));
}

void dump_transition(const chart_core& core, std::string_view role, const transition_row& t, std::string& out) {
    append_format(out, "  {:<9} {} -> {}", role, name_or_dash(core, t.source),
                  t.defers               ? "later"
                  : t.target == no_index ? "internal"
                                         : name_or_dash(core, t.target));
    for (std::uint32_t i = 0; i < t.more_targets.count; ++i) append_format(out, ", {}", name_or_dash(core, core.targets[t.more_targets.first + i]));
    if (role != "dispatch" && role != "initial") append_format(out, " on {}", trigger(core, t));
    if (t.target != no_index) append_format(out, " level {}", name_or_dash(core, t.level));
    for (const auto& option : transition_options) {
        if (option.flag && option.is_set(*t.spec)) append_format(out, " {}", option.name);
        if (option.text && option.is_set(*t.spec)) append_format(out, " {} \"{}\"", option.name, shown(t.spec->*option.text));
    }
    if (t.priority) append_format(out, " priority {}", t.priority);
    if (t.conditions.count) append_format(out, " conditions:{}", t.conditions.count);
    dump_states(core, " in ", t.joined, out);
    dump_states(core, " unless in ", t.excluded, out);
    if (t.guards.count) append_format(out, " guards:{}", t.guards.count);
    if (t.score != no_score) out += " score";
    if (t.spec->has_weight) append_format(out, " weight {}", t.weight);
    if (t.actions.count) append_format(out, " actions:{}", t.actions.count);
    out += '\n';
}

void dump_transitions(const chart_core& core, std::string_view role, const span_of& span, std::string& out) {
    for (std::uint32_t i = 0; i < span.count; ++i) dump_transition(core, role, core.transitions[span.first + i], out);
}

template <class Row> void dump_bytes(std::string_view what, const table<Row>& rows, std::string& out) {
    append_format(out, "  {:<16} {:>8}\n", what, rows.size() * sizeof(Row));
}

} // namespace

} // namespace hsm::detail

namespace hsm {

using namespace detail;

std::string chart_base::dump() const {
    if (!core_) return {};
    const auto& core = *core_;
    std::string out = fmt::format("chart \"{}\", {}\n", core.root->name(),
                                  core.options.order == decision_order::superstate_first ? "superstate first" : "substate first");
    append_format(out, "states: {}\n", core.states.size());
    for (index s = 0; s < row_count(core.states); ++s) dump_state(core, s, out);
    append_format(out, "transitions: {}, by source, in the order in which they are tried\n", core.transitions.size());
    for (const auto& row : core.states) {
        dump_transitions(core, "dispatch", row.choices, out);
        dump_transitions(core, "initial", row.initial, out);
        dump_transitions(core, "polled", row.polled, out);
        dump_transitions(core, "reaction", row.reactions, out);
        dump_transitions(core, "event", row.events, out);
    }
    append_format(out, "events: {}\n", core.events.size());
    for (std::size_t e = 0; e < core.events.size(); ++e)
        append_format(out, "  {:>4}  {}\n", e, event_text(core.events[e].name, core.events[e].type->name, core.events[e].type->is_name));
    append_format(out, "conditions: {}\n", core.conditions.size());
    for (std::size_t i = 0; i < core.conditions.size(); ++i)
        append_format(out, "  {:>4}  {}{}\n", i, i == 0 ? "(leaf finished)" : core.conditions[i],
                      !core.triggers.empty() && (core.triggers[i / 64] >> i % 64 & 1) ? " (trigger)" : "");
    dump_programs(core, out);
    out += "bytes:\n";
    dump_bytes("states", core.states, out);
    dump_bytes("transitions", core.transitions, out);
    dump_bytes("hooks", core.hooks, out);
    dump_bytes("timers", core.timers, out);
    dump_bytes("restores", core.restores, out);
    dump_bytes("guards", core.guards, out);
    dump_bytes("ops", core.ops, out);
    dump_bytes("notes", core.hook_sites, out);
    dump_bytes("entries", core.entries, out);
    dump_bytes("rows", core.rows, out);
    dump_bytes("groups", core.group_cells, out);
    dump_bytes("candidates", core.candidates, out);
    dump_bytes("tick steps", core.sections, out);
    append_format(out, "  {:<16} {:>8} per instance, {} of them locals\n", "block", core.layout.queues, core.block_size);
    return out;
}

} // namespace hsm
