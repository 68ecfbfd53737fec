// The ops of charts whose regions are driven.
//
// An event that one region handles is a program, as where there is one region only. If two of them do, their programs are run
// by turns, so that what both leave is left before what either does and enters: at a turn, one goes on where the other waits.
//
//     first:  guards |                 exits, action |         entries
//     second:         guards, exits |                  action |        entries

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/ops.hpp>

namespace hsm::detail::ops {

namespace {

driver_head& head_at(const machine& m, std::uint64_t offset) { return *reinterpret_cast<driver_head*>(m.block + offset); }

/// No program can do it.
const op* by_selection(machine& m, std::uint64_t column) {
    return end_with(m.chart->host->handle_by_selection(m, static_cast<std::uint32_t>(column)));
}

const op to_the_driver{&back, {.number = 0}};

/// Both have something to say. The second region leaves its states first.
const op* by_turns(const op* first, const op* second, machine& m, driver_head& head) {
    const auto* const start = second[in_turn_second].target;
    head.other = start;
    auto code = run(first[in_turn_first].target, m);
    if (head.other == start) return second->run(second, m);     // the first has refused
    if (code == static_cast<std::uintptr_t>(result::guarded)) { // the second has
        do {
            const auto* const waits = head.other;
            head.other = &to_the_driver;
            code = run(waits, m);
        } while (code == code_turn);
    } else {
        const auto other_code = run(head.other, m);
        if (other_code == static_cast<std::uintptr_t>(result::taken)) code = other_code;
    }
    head.moving = driver_head::none;
    return end_with(code);
}

} // namespace

const op* drive(const op* at, machine& m) {
    const auto column = at->number & 0xffff'ffff;
    auto& head = head_at(m, at->number >> 32);
    auto* const* region = head.list;
    const op* found[2];
    std::size_t count = 0;
    for (auto* const* const end = region + head.leaf_count; region != end; ++region) {
        const auto* const program = (*region)->row[column];
        if (!program) continue;
        if (count == 2 || program->run == &general) return by_selection(m, column);
        found[count++] = program;
    }
    for (auto* const* const end = region + head.outer_count; region != end; ++region)
        if ((*region)->row[column]) return by_selection(m, column);
    if (count == 0) return end_with(result::unhandled);
    if (count == 1) HSM_PROCEED(found[0]);
    if (!head.siblings) return by_selection(m, column);
    return by_turns(found[0], found[1], m, head);
}

const op* drive_pair(const op* at, machine& m) {
    const auto code = run(at->target, m);
    m.row = row_of_regions(m, core_of(m));
    return end_with(code);
}

const op* region_leaf(const op* at, machine& m) {
    reinterpret_cast<region_state*>(m.block + (at->number >> 16))->leaf = static_cast<index>(at->number);
    HSM_PROCEED(at + 1);
}

const op* moving(const op* at, machine& m) {
    driver_of(m, core_of(m)).moving = at->number ? driver_head::turns : driver_head::none;
    HSM_PROCEED(at + 1);
}

const op* pair_done(const op* at, machine& m) {
    auto* const region = reinterpret_cast<region_state*>(m.block + (at->number >> 32));
    region[0].leaf = static_cast<index>(at->number);
    region[1].leaf = static_cast<index>(at->number >> 16);
    region[0].row = static_cast<const op* const*>(at[1].self);
    region[1].row = static_cast<const op* const*>(at[2].self);
    m.row = static_cast<const op* const*>(at[3].self);
    m.at = nullptr;
    return end_with(result::taken);
}

/// drive knows it, and does not run it.
const op* general([[maybe_unused]] const op* at, [[maybe_unused]] machine& m) { return end_with(result::unhandled); }

const op* back([[maybe_unused]] const op* at, [[maybe_unused]] machine& m) { return end_with(code_turn); }

const op* turn(const op* at, machine& m) {
    auto& head = head_at(m, at->number >> 16 & 0xff'ffff);
    const auto* const next = head.other;
    head.other = at + 1;
    HSM_PROCEED(next);
}

const op* turn_left(const op* at, machine& m) {
    reinterpret_cast<region_state*>(m.block + (at->number >> 40))->leaf = static_cast<index>(at->number);
    auto& head = head_at(m, at->number >> 16 & 0xff'ffff);
    head.moving = driver_head::turns;
    const auto* const next = head.other;
    head.other = at + 1;
    HSM_PROCEED(next);
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
    auto& head = driver_of(m, core_of(m));
    head.reached = s;
    head.handed = static_cast<std::uint32_t>(what);
    return end_with(code);
}
} // namespace

const op* arrived(const op* at, machine& m) {
    auto& r = *reinterpret_cast<region_state*>(m.block + (at->number >> 16));
    r.leaf = static_cast<index>(at->number);
    r.row = static_cast<const op* const*>(at[1].self);
    m.at = nullptr;
    return end_with(result::taken);
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
