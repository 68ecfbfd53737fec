/// Debugger support: the GDB printers of packaging/debuggers, in the section from which GDB loads scripts, and the types that they read.
/// This file is always compiled with debug information. Nothing of it is loaded when a program runs.
#include <hsm/run/detail/memory.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/vm/detail/active.hpp>

#ifdef HSM_GDB_SCRIPT
// An entry is a byte for "a script's text follows", the script's name, its text, and a 0. See ".debug_gdb_scripts section" in GDB's manual.
HSM_ELF_ASSEMBLY(".pushsection \".debug_gdb_scripts\", \"MS\",%progbits,1\n"
                 ".byte 4\n"
                 ".ascii \"hsm_gdb\\n\"\n"
                 ".incbin \"" HSM_GDB_SCRIPT "\"\n"
                 ".byte 0\n"
                 ".popsection\n");
#endif

namespace hsm::detail {

namespace {
struct shown {
    const chart_core* chart;
    const condition_head* conditions;
    const queue_head* queues;
    const queued_entry* entry;
    const region_state* region;
    const instance_base* instance; // clang describes a class in the translation unit of its constructor
};
} // namespace

/// Uses each type, so that compilers describe it.
const void* debugger_types(const void* shown_things) {
    const auto& s = *static_cast<const shown*>(shown_things);
    if (s.chart->states.empty() || s.conditions->bits || s.region->leaf == no_index || s.instance->paused()) return s.chart->states[0].node;
    return s.queues->posted.size() ? static_cast<const void*>(&s.entry->column) : s.chart->events.data();
}

} // namespace hsm::detail
