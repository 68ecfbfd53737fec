#include <hsm/compile/detail/traced_chart.hpp>

#include <hsm/compile/detail/programs.hpp>

#include <atomic>
#include <limits>

namespace hsm::detail {

namespace {

/// What is written anew. Of states and transitions it is where their programs begin.
void forget_programs(chart_core& core) {
    core.states.make_own();
    core.transitions.make_own();
    core.ops = {};
    core.notes = {};
    core.entries = {};
    core.rows = {};
    core.local_places = {};
    core.sections = {};
    core.tick_table = {};
    core.restores = {};
    core.candidates = {};
    core.lists = {};
    core.polled_levels = {};
    core.level_programs = {};
    core.shared_programs = {};
    core.list_rows = {};
    core.drives = {};
    core.knowing = {};
    core.drives_of_pairs = {};
    core.pairs = {};
    core.pair_rows = {};
    core.drive_row = {};
    core.decisions = {};
    core.decides_above = {};
    core.idle_tests = {};
    core.ticks_by_region = false;
    core.by_parts = false;
}

/// Programs by leaf where the chart has them, and only there: however large they are.
owned<chart_core> make_traced(const chart_core& chart) {
    auto core = make_owned<chart_core>(chart);
    core->options.program_memory = chart.by_parts ? 0 : std::numeric_limits<std::size_t>::max();
    core->traced = true;
    core->quick_conditions = 0; // each change of one is told
    forget_programs(*core);
    make_programs(*core);
    return core;
}

} // namespace

const chart_core& traced_chart_of(compiled_chart& chart) {
    const std::atomic_ref there(chart.traced_chart);
    if (const auto* const known = there.load(std::memory_order_acquire)) return *known;
    auto made = make_traced(chart);
    const chart_core* none = nullptr; // another thread may be first
    if (there.compare_exchange_strong(none, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *none;
}

} // namespace hsm::detail
