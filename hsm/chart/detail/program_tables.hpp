/// The programs of a chart, and the tables that find the program of an event, a tick or an entry.
#pragma once

#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/detail/table.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/op.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

struct program_tables {
    table<op> ops;               ///< of all programs; op 0 is not used
    table<hook_site> hook_sites; ///< of each op
    table<row_entry> entries;    ///< the programs of each leaf, by column
    table<const op*> rows;       ///< the same as rows with all columns, if that fits into compile_options::row_memory
    std::uint32_t row_width = 1;
    table<local_slot> local_slots; ///< of the hooks that take locals
    table<tick_section> sections;
    table<const op*> tick_table; ///< by the leaf
    table<idle_test> idle_tests; ///< by leaf; empty without conditions, and with regions
    table<program> restores;     ///< by machine and recorded state: the entries from the machine inwards

    const op* at(program p) const { return ops.data() + p; }
};

/// With regions, or by_parts, an event has lists of candidates instead of programs. List 0 is empty.
struct region_programs {
    table<std::uint32_t> candidates; ///< transitions
    table<span_of> lists;
    table<std::uint32_t> list_rows;        ///< as `rows`
    table<index> polled_levels;            ///< by_parts: the levels of each state's polled transitions, each once
    table<program> level_programs;         ///< by_parts: the decisions of a state at that level, in any leaf; 0: by selection
    table<tick_part> tick_parts;           ///< by_parts: those of ticks that consist of programs of single states; part 0 is not used
    table<std::uint32_t> parts_around;     ///< by leaf: the first part of the nearest state from there outwards that has any; 0: none
    table<program> shared_programs;        ///< by_parts: for each of `entries`, the effect of the event in that state, in any leaf; 0: by selection
    table<op> dispatch_ops;                ///< two for each column
    table<std::uint32_t> handling_regions; ///< for each column: the positions of the regions that can handle its events, then 0
    table<op> group_ops;                   ///< for events with groups of regions, instead of dispatch_ops
    table<const void*> group_cells;        ///< of each group, by leaf: the table of the next region, or the program
    table<const op*> dispatch_row;         ///< for every configuration: the op that finds the programs of the regions
    table<op> traced_events;               ///< of observed machines, by column: the op that reports the event and runs the leaf's program
    table<const op*> traced_row;
    program region_ticks = 0; ///< with ticks_by_region: the ops `next_region` of all regions, one after the other

    /// With ticks_by_region: where a tick continues with this region; for the number of regions: its end.
    program tick_of_region(std::size_t region) const { return region_ticks + static_cast<program>(2 * region); }
};

} // namespace hsm::detail
