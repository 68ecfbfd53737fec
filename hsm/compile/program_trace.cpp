// The twin of a chart for observed machines, and the records that its programs report. Other programs contain none of this.

#include <hsm/compile/detail/planner.hpp>
#include <hsm/compile/detail/programs.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/observed.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <limits>

namespace hsm::detail {

void planner::trace(const record& r, hook_site site) {
    if (!core_.traced) return;
    const auto words = words_of(r);
    out_.emit(r.kind == record_kind::armed ? &ops::trace_armed : &ops::trace, words.first, site);
    out_.emit(nullptr, words.second);
}

void planner::trace_transition(std::uint32_t number, reason why, hook_site site) {
    const auto& t = core_.transitions[number];
    trace({record_kind::transition, static_cast<std::uint8_t>(why), t.source, number, t.target}, site);
}

void planner::trace_timer(record_kind kind, std::uint32_t timer, index s) { trace({kind, 0, s, timer, 0}, {hook_site::still, 0, s}); }

void planner::trace_action(const hook_row& h, const transition_row& t, hook_site site) {
    const auto number = static_cast<std::uint32_t>(&h - core_.hooks.data());
    trace({record_kind::action, 0, t.source, number, core_.number_of(&t) - 1u}, site);
}

/// Emits the record of a guard's or condition group's result. Returns the jump for the result false.
assembler::jump_at planner::trace_guard_result(assembler::jump_at refused, record asked, hook_site site) {
    if (!core_.traced) return refused;
    const auto no = asked.what;
    ++asked.what; // yes
    trace(asked, site);
    const auto agreed = out_.emit_jump(&ops::jump);
    out_.land({refused});
    asked.what = no;
    trace(asked, site);
    const auto elsewhere = out_.emit_jump(&ops::jump);
    out_.land({agreed});
    return elsewhere;
}

namespace {

/// Discards the programs, which are written again. States and transitions keep everything but the places of their programs.
void forget_programs(chart_core& core) {
    core.states.make_own();
    core.transitions.make_own();
    core.ops = {};
    core.hook_sites = {};
    core.entries = {};
    core.rows = {};
    core.local_slots = {};
    core.sections = {};
    core.tick_table = {};
    core.restores = {};
    core.candidates = {};
    core.lists = {};
    core.polled_levels = {};
    core.level_programs = {};
    core.tick_parts = {};
    core.parts_around = {};
    core.shared_programs = {};
    core.list_rows = {};
    core.dispatch_ops = {};
    core.handling_regions = {};
    core.group_ops = {};
    core.group_cells = {};
    core.dispatch_row = {};
    core.decisions = {};
    core.decides_above = {};
    core.idle_tests = {};
    core.ticks_by_region = false;
    core.by_parts = false;
}

/// Makes the ops that report events, for charts in which each event is one program of the leaf.
void make_traced_events(chart_core& core) {
    if (core.rows.empty() || core.by_regions || core.has_hooks.unhandled) return;
    core.traced_events.reserve(core.row_width);
    for (std::uint32_t column = 0; column < core.row_width; ++column) core.traced_events.push_back({&ops::traced_event, {.number = column}});
    for (const auto& each : core.traced_events) core.traced_row.push_back(&each);
}

/// Makes programs by leaf if the chart has them, whatever their size.
owned<chart_core> make_traced(const chart_core& chart) {
    auto core = make_owned<chart_core>(chart);
    core->options.program_memory = chart.by_parts ? 0 : std::numeric_limits<std::size_t>::max();
    core->traced = true;
    core->quick_conditions = 0; // each change of a condition is reported
    forget_programs(*core);
    core->module = nullptr; // each event is reported, also without a transition that waits for it
    make_programs(*core);
    make_traced_events(*core);
    core->traces_sections = !core->carries && !core->by_regions && !core->by_parts && !core->has_holds;
    return core;
}

} // namespace

const chart_core& traced_chart_of(compiled_chart& chart) {
    const atomic_view there(chart.traced_chart);
    if (const auto* const known = there.load<order::acquire>()) return *known;
    auto made = make_traced(chart);
    const chart_core* none = nullptr; // another thread may set it first
    if (there.compare_exchange_strong<order::acquire_release, order::acquire>(none, made.get())) return *made.release();
    return *none;
}

} // namespace hsm::detail
