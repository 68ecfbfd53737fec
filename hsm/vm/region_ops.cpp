// Ops of charts with driven regions: they find programs of events, and execute exits and entries of regions.
//
// An event that several regions can handle: the program of one region, or a step of several.
//
// A region's part in a step is a sequence of ops with gaps in which the other parts continue: all guards come first, then all exits, actions and
// entries. A part continues with the next one on its own. The entries before the first and after the last part begin the next phase:
//
//     | prepare           1 -> 2 -> 3 ->  all_prepared
//     | exits   all_exited <- 1 <- 2 <- 3
//     | action            1 -> 2 -> 3 ->  all_acted
//     | entries           1 -> 2 -> 3 ->  all_entered
//
// machine::row, which is not used meanwhile, points to the current part in the list of parts. A part can be that of a group of regions: see
// program_groups.cpp.

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <bit>
#include <cstring>

namespace hsm::detail::ops {

namespace {

static_assert(sizeof(region_step_head) % sizeof(const op*) == 0); // the list of parts follows it

region_step_head& head_of(const op* dispatch_regions, const machine& m) {
    return *reinterpret_cast<region_step_head*>(m.block + (dispatch_regions->number >> 32));
}
region_state& region_at(const machine& m, std::uint64_t offset) { return *reinterpret_cast<region_state*>(m.block + offset); }
/// Returns the region whose offset is the upper half of the operand. Loads only that half, because the lower one is used, too.
HSM_ALWAYS_INLINE inline region_state& region_of(const op* at, const machine& m) {
    std::uint32_t offset;
    std::memcpy(&offset, reinterpret_cast<const std::byte*>(&at->number) + (std::endian::native == std::endian::little ? sizeof offset : 0),
                sizeof offset);
    return region_at(m, offset);
}
std::uint32_t column_of(const op* dispatch_regions) { return static_cast<std::uint32_t>(dispatch_regions->number); }
const std::uint32_t* handling_regions(const op* dispatch_regions) { return static_cast<const std::uint32_t*>(dispatch_regions[1].self); }

/// No program can execute it.
HSM_NOINLINE const op* by_selection(const op* dispatch_regions, machine& m) {
    return end_with(m.chart->host->handle_by_selection(m, column_of(dispatch_regions)));
}

const op** place(const machine& m) { return const_cast<const op**>(m.row); }

/// Continues with the next or previous part. The next op of this part runs when it is its turn again.
HSM_ALWAYS_INLINE inline const op* pass(const op* at, machine& m, int by) {
    auto** const here = place(m);
    *here = at + 1;
    m.row = here + by;
    return here[by];
}

const op* all_entered([[maybe_unused]] const op* at, machine& m) {
    const auto& core = core_of(m);
    auto& head = region_step_of(m, core);
    const auto outcome = head.moving ? result::taken : result::internal;
    head.moving = region_step_head::none;
    m.row = core.dispatch_row.data();
    m.at = nullptr;
    return end_with(outcome);
}
constexpr op when_entered{&all_entered, {.number = 0}};

const op* all_acted([[maybe_unused]] const op* at, machine& m) {
    *place(m) = &when_entered;
    m.row = parts_of(region_step_of(m, core_of(m)));
    HSM_PROCEED(*m.row);
}
constexpr op when_acted{&all_acted, {.number = 0}};

const op* all_exited([[maybe_unused]] const op* at, machine& m) {
    ++m.row;
    HSM_PROCEED(*m.row);
}
constexpr op when_exited{&all_exited, {.number = 0}};

const op* all_prepared([[maybe_unused]] const op* at, machine& m) {
    *place(m) = &when_acted;
    --m.row;
    HSM_PROCEED(*m.row);
}
constexpr op when_prepared{&all_prepared, {.number = 0}};

/// Returns the first op of a step of these parts.
HSM_ALWAYS_INLINE inline const op* begin(machine& m, const op** first, const op** end, std::uint64_t kinds) {
    first[-1] = &when_exited;
    *end = kinds & prepares ? &when_prepared : &when_acted;
    m.row = kinds & prepares ? first : end - 1;
    return *m.row;
}

/// Calls all guards before any exit. Returns where to continue.
HSM_NOINLINE const op* ask(const op* dispatch_regions, machine& m) {
    const auto& core = core_of(m);
    auto& head = head_of(dispatch_regions, m);
    auto** const first = parts_of(head);
    auto** end = first;
    std::uint64_t kinds = 0;
    auto around = no_index;
    for (const auto* r = handling_regions(dispatch_regions); *r; ++r) {
        const auto& region = region_at(m, *r);
        const auto* const program = region.row[column_of(dispatch_regions)];
        if (!program) continue;
        const auto* part = program[part_entry].target;
        auto kind = program[kind_entry].number;
        if (kind & has_tests) {
            if (run(part, m) != code_chosen) continue;
            part = head.chosen;
            kind = part[-1].number;
        }
        const auto outermost = core.regions[core.states[region.leaf].region];
        if (kind & moves) around = kinds & moves ? core.common(around, outermost) : outermost;
        kinds |= kind;
        *end++ = part;
    }
    if (end == first) {
        m.at = nullptr;
        return end_with(result::guarded);
    }
    head.moving = kinds & moves ? region_step_head::step : region_step_head::none;
    head.step_level = around;
    return begin(m, first, end, kinds);
}

} // namespace

const op* dispatch_regions(const op* at, machine& m) {
    auto& head = head_of(at, m);
    auto** const first = parts_of(head);
    auto** end = first;
    const op* found = nullptr;
    std::uint64_t kinds = 0;
    const auto column = column_of(at);
    for (const auto* r = handling_regions(at); *r; ++r) {
        const auto* const program = region_at(m, *r).row[column];
        if (!program) continue;
        found = program;
        kinds |= program[kind_entry].number;
        *end++ = program[part_entry].target;
    }
    if (kinds & is_general) return by_selection(at, m);
    if (!found) return end_with(result::unhandled);
    if (end == first + 1) HSM_PROCEED(found);
    if (kinds & (has_tests | is_apart)) return ask(at, m);
    head.moving = kinds & moves ? region_step_head::siblings : region_step_head::none;
    const auto* const next = begin(m, first, end, kinds);
    HSM_PROCEED(next);
}

namespace {
/// Returns the cell of a group for the leaves of its regions.
template <std::size_t Regions> HSM_ALWAYS_INLINE inline const op* cell_of(const void* table, const region_state* first) {
    for (std::size_t i = 0; i < Regions; ++i) table = static_cast<const void* const*>(table)[first[i].leaf];
    return static_cast<const op*>(table);
}
HSM_ALWAYS_INLINE inline const op* cell_of(const void* table, const region_state* first, std::size_t regions) {
    if (regions == most_in_group) return cell_of<most_in_group>(table, first); // without a loop
    for (std::size_t i = 0; i < regions; ++i) table = static_cast<const void* const*>(table)[first[i].leaf];
    return static_cast<const op*>(table);
}

template <std::size_t Regions> const op* dispatch_group_of(const op* at, machine& m) {
    const auto& first = region_at(m, at->number);
    if (first.leaf == no_index) return end_with(result::unhandled);
    const auto* const program = cell_of<Regions>(at[1].self, &first);
    HSM_PROCEED(program);
}
} // namespace

op_function dispatch_group(std::size_t regions) {
    static_assert(most_in_group == 4);
    return regions == 2 ? &dispatch_group_of<2> : regions == 3 ? &dispatch_group_of<3> : &dispatch_group_of<4>;
}

const op* dispatch_groups(const op* at, machine& m) {
    auto& head = head_of(at, m);
    auto** const first = parts_of(head);
    auto** end = first;
    std::uint64_t kinds = 0;
    if (region_at(m, column_of(at)).leaf == no_index) return end_with(result::unhandled);
    for (const auto* group = at + 2; group->number; group += 2) {
        const auto* const part = cell_of(group[1].self, &region_at(m, static_cast<std::uint32_t>(group->number)), group->number >> 32);
        if (!part) continue;
        kinds |= part[kind_entry].number;
        *end++ = part;
    }
    if (kinds & is_general) HSM_PROCEED(at[1].target);
    if (end == first) return end_with(result::unhandled);
    head.moving = kinds & moves ? region_step_head::siblings : region_step_head::none;
    const auto* const next = begin(m, first, end, kinds);
    HSM_PROCEED(next);
}

const op* dispatch_one(const op* at, machine& m) {
    const auto* const program = region_of(at, m).row[column_of(at)];
    if (!program) return end_with(result::unhandled);
    if (program[kind_entry].number & is_general) return by_selection(at, m);
    HSM_PROCEED(program);
}

/// `dispatch_regions` recognizes it and does not run it.
const op* general([[maybe_unused]] const op* at, [[maybe_unused]] machine& m) { return end_with(result::unhandled); }

const op* chosen(const op* at, machine& m) {
    region_step_of(m, core_of(m)).chosen = at + 1;
    return end_with(code_chosen);
}

const op* pass_on(const op* at, machine& m) {
    const auto* const next = pass(at, m, 1);
    HSM_PROCEED(next);
}

const op* pass_back(const op* at, machine& m) {
    const auto* const next = pass(at, m, -1);
    HSM_PROCEED(next);
}

const op* exits_done(const op* at, machine& m) {
    region_of(at, m).leaf = static_cast<index>(at->number);
    const auto* const next = pass(at, m, -1);
    HSM_PROCEED(next);
}

const op* entered(const op* at, machine& m) {
    auto& region = region_of(at, m);
    region.leaf = static_cast<index>(at->number);
    region.row = static_cast<const op* const*>(at[1].self);
    ++m.row;
    HSM_PROCEED(*m.row);
}

const op* enter_apart(const op* at, machine& m) {
    run(at + 1, m);
    ++m.row;
    HSM_PROCEED(*m.row);
}

const op* region_leaf(const op* at, machine& m) {
    region_of(at, m).leaf = static_cast<index>(at->number);
    HSM_PROCEED(next(at));
}

const op* region_entered(const op* at, machine& m) {
    auto& region = region_of(at, m);
    region.leaf = static_cast<index>(at->number);
    region.row = static_cast<const op* const*>(at[1].self);
    HSM_PROCEED(next(at + 1));
}

const op* moving(const op* at, machine& m) {
    region_step_of(m, core_of(m)).moving = at->number ? region_step_head::siblings : region_step_head::none;
    HSM_PROCEED(at + 1);
}

const op* stamp(const op* at, machine& m) {
    const auto& core = core_of(m);
    reinterpret_cast<std::int64_t*>(m.block + core.layout.times)[core.states[at->number].time_slot] = m.now;
    HSM_PROCEED(at + 1);
}

namespace {
const op* hand_over(machine& m, std::uint64_t at_state, std::uint64_t what, std::uintptr_t code) {
    const auto s = static_cast<index>(at_state);
    set_region_leaf(m, core_of(m), core_of(m).states[s].region, s);
    m.at = nullptr;
    auto& head = region_step_of(m, core_of(m));
    head.reached = s;
    head.handed = static_cast<std::uint32_t>(what);
    return end_with(code);
}
} // namespace

const op* to_region_engine(const op* at, machine& m) {
    region_step_of(m, core_of(m)).handed = static_cast<std::uint32_t>(at->number);
    return end_with(code_chosen);
}

const op* arrived(const op* at, machine& m) {
    auto& r = region_of(at, m);
    r.leaf = static_cast<index>(at->number);
    r.row = static_cast<const op* const*>(at[1].self);
    m.at = nullptr;
    return end_with(result::taken);
}

const op* arrived_in_tick(const op* at, machine& m) {
    auto& r = region_of(at, m);
    r.leaf = static_cast<index>(at->number);
    r.row = static_cast<const op* const*>(at[1].self);
    m.state |= state_fired;
    if (m.work != 0) [[unlikely]] {
        m.at = nullptr;
        return end_with(result::taken);
    }
    HSM_PROCEED(at[2].target);
}

const op* next_region(const op* at, machine& m) {
    const auto leaf = region_at(m, at->number).leaf;
    const auto* const tick = leaf == no_index ? at[1].target : m.chart->ticks[leaf];
    HSM_PROCEED(tick);
}

const op* begin_regions(const op* at, machine& m) {
    m.state = static_cast<std::uint8_t>(m.state & ~state_fired);
    HSM_PROCEED(next(at));
}

const op* end_regions([[maybe_unused]] const op* at, machine& m) {
    m.at = nullptr;
    return end_with(code_next + (m.state & state_fired));
}

const op* in_section(const op* at, machine& m) {
    const auto* const first = next(at);
    m.section = first;
    HSM_PROCEED(first);
}

const op* region_updated(const op* at, machine& m) {
    if (m.work != 0) [[unlikely]] {
        m.section = at + 1;
        return end_with(code_interrupted);
    }
    HSM_PROCEED(next(at));
}

const op* arrived_outermost(const op* at, machine& m) {
    m.leaf = static_cast<index>(at->number);
    return arrived(at, m);
}

const op* regions(const op* at, machine& m) { return hand_over(m, at->number, 0, code_regions); }

const op* targets(const op* at, machine& m) { return hand_over(m, at->number >> 32, at->number & 0xffff'ffff, code_targets); }

const op* go_back(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto owner = at->number & 0xffff;
    if (record_of(m, core, owner) == 0) HSM_PROCEED(at + 1);
    return hand_over(m, core.history_owners[owner], at->number, code_record);
}

} // namespace hsm::detail::ops
