// chart.dump(): the tables of a chart as text.

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/distinct_name.hpp>
#include <hsm/chart/detail/event_text.hpp>
#include <hsm/compile/detail/dump_programs.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail {

namespace {

std::string name_or_dash(const chart_core& core, index s) { return s == no_index ? "-" : distinct_name(core, s); }

std::string_view kind_of(const state_row& row) {
    if (row.kind == state_kind::final) return "final";
    if (row.kind == state_kind::choice) return "choice";
    if (row.kind == state_kind::history) return row.history == history_depth::deep ? "deep history" : "history";
    if (row.kind == state_kind::parallel) return "parallel";
    if (row.kind == state_kind::machine) return row.transient ? "transient machine" : "machine";
    return row.transient ? "transient" : "leaf";
}

void dump_state(const chart_core& core, index s, std::string& out) {
    const auto& row = core.states[s];
    fmt::format_to(std::back_inserter(out), "  {:>4}  {:{}}{}  [{}]", s, "", 2 * row.depth, row.node->name(), kind_of(row));
    const auto count = [&](std::string_view what, const span_of& span) {
        if (span.count) fmt::format_to(std::back_inserter(out), " {}:{}", what, span.count);
    };
    count("enter", row.enter);
    count("update", row.update);
    count("exit", row.exit);
    count("on_change", row.change);
    count("on_init", row.init);
    count("on_destroy", row.destroy);
    count("on_unhandled", row.unhandled);
    count("timers", row.timers);
    if (row.holds) out += " holds";
    if ((row.kind == state_kind::machine || row.kind == state_kind::parallel) && row.history != history_depth::none)
        out += row.history == history_depth::deep ? " remembers deeply" : " remembers";
    for (std::uint32_t i = 0; i < row.locals.count; ++i) {
        const auto& local = core.locals[row.locals.first + i];
        fmt::format_to(std::back_inserter(out), " {}@{}", local.prototype->type().name, local.offset);
    }
    out += '\n';
}

std::string trigger(const chart_core& core, const transition_row& t) {
    if (t.event != no_index) return core.events[t.event].name;
    return t.on_finished ? "finished" : t.spec->every ? "every" : t.spec->after ? "after" : "poll";
}

void dump_states(const chart_core& core, std::string_view word, const span_of& states, std::string& out) {
    for (std::uint32_t i = 0; i < states.count; ++i)
        fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? word : ", ", name_or_dash(core, core.targets[states.first + i]));
}

void dump_transition(const chart_core& core, std::string_view role, const transition_row& t, std::string& out) {
    fmt::format_to(std::back_inserter(out), "  {:<9} {} -> {}", role, name_or_dash(core, t.source),
                   t.defers               ? "later"
                   : t.target == no_index ? "internal"
                                          : name_or_dash(core, t.target));
    for (std::uint32_t i = 0; i < t.more_targets.count; ++i)
        fmt::format_to(std::back_inserter(out), ", {}", name_or_dash(core, core.targets[t.more_targets.first + i]));
    if (role != "dispatch" && role != "initial") fmt::format_to(std::back_inserter(out), " on {}", trigger(core, t));
    if (t.target != no_index) fmt::format_to(std::back_inserter(out), " level {}", name_or_dash(core, t.level));
    for (const auto& word : transition_words)
        if (t.spec->*word.field) fmt::format_to(std::back_inserter(out), " {}", word.name);
    if (t.priority) fmt::format_to(std::back_inserter(out), " priority {}", t.priority);
    if (t.conditions.count) fmt::format_to(std::back_inserter(out), " conditions:{}", t.conditions.count);
    dump_states(core, " in ", t.joined, out);
    dump_states(core, " unless in ", t.excluded, out);
    if (t.guards.count) fmt::format_to(std::back_inserter(out), " guards:{}", t.guards.count);
    if (t.actions.count) fmt::format_to(std::back_inserter(out), " actions:{}", t.actions.count);
    out += '\n';
}

void dump_transitions(const chart_core& core, std::string_view role, const span_of& span, std::string& out) {
    for (std::uint32_t i = 0; i < span.count; ++i) dump_transition(core, role, core.transitions[span.first + i], out);
}

template <class Row> void dump_bytes(std::string_view what, const table<Row>& rows, std::string& out) {
    fmt::format_to(std::back_inserter(out), "  {:<16} {:>8}\n", what, rows.size() * sizeof(Row));
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
    fmt::format_to(std::back_inserter(out), "states: {}\n", core.states.size());
    for (index s = 0; s < row_count(core.states); ++s) dump_state(core, s, out);
    fmt::format_to(std::back_inserter(out), "transitions: {}, by source, in the order in which they are tried\n", core.transitions.size());
    for (const auto& row : core.states) {
        dump_transitions(core, "dispatch", row.choices, out);
        dump_transitions(core, "initial", row.initial, out);
        dump_transitions(core, "polled", row.polled, out);
        dump_transitions(core, "reaction", row.reactions, out);
        dump_transitions(core, "event", row.events, out);
    }
    fmt::format_to(std::back_inserter(out), "events: {}\n", core.events.size());
    for (std::size_t e = 0; e < core.events.size(); ++e)
        fmt::format_to(std::back_inserter(out), "  {:>4}  {}\n", e,
                       event_text(core.events[e].name, core.events[e].type->name, core.events[e].type->is_name));
    fmt::format_to(std::back_inserter(out), "conditions: {}\n", core.conditions.size());
    for (std::size_t i = 0; i < core.conditions.size(); ++i)
        fmt::format_to(std::back_inserter(out), "  {:>4}  {}\n", i, i == 0 ? "(leaf finished)" : core.conditions[i]);
    dump_programs(core, out);
    out += "bytes:\n";
    dump_bytes("states", core.states, out);
    dump_bytes("transitions", core.transitions, out);
    dump_bytes("hooks", core.hooks, out);
    dump_bytes("timers", core.timers, out);
    dump_bytes("restores", core.restores, out);
    dump_bytes("guards", core.guards, out);
    dump_bytes("ops", core.ops, out);
    dump_bytes("notes", core.notes, out);
    dump_bytes("entries", core.entries, out);
    dump_bytes("rows", core.rows, out);
    dump_bytes("rows of pairs", core.pair_rows, out);
    dump_bytes("candidates", core.candidates, out);
    dump_bytes("tick steps", core.sections, out);
    fmt::format_to(std::back_inserter(out), "  {:<16} {:>8} per instance, {} of them locals\n", "block", core.layout.queues, core.block_size);
    return out;
}

} // namespace hsm
