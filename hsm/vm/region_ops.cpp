// Ops of charts with driven regions: they find programs of events, and execute exits and entries of regions. See also step_ops.cpp.

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/ops.hpp>

namespace hsm::detail::ops {

const op* dispatch_pair(const op* at, machine& m) {
    const auto code = run(at->target, m);
    m.row = row_of_regions(m, core_of(m));
    return end_with(code);
}

const op* region_leaf(const op* at, machine& m) {
    reinterpret_cast<region_state*>(m.block + (at->number >> 16))->leaf = static_cast<index>(at->number);
    HSM_PROCEED(at + 1);
}

const op* moving(const op* at, machine& m) {
    region_step_of(m, core_of(m)).moving = at->number ? region_step_head::siblings : region_step_head::none;
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
