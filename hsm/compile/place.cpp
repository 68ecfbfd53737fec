// Assigns memory in an instance's block to locals, timers and entry times.

#include <hsm/compile/detail/tables.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hsm::detail {

namespace {

/// States that exclude each other share memory; the regions of a parallel are consecutive. `place` puts a state at or after an offset and returns its
/// end. Returns the end of all states.
template <class Place> std::uint64_t place_states(const chart_core& core, Place place) {
    std::vector<std::uint64_t> end(core.states.size());  // of the state itself
    std::vector<std::uint64_t> last(core.states.size()); // of all states placed in it so far
    for (index s = 0; s < row_count(core.states); ++s) {
        const auto outer = core.states[s].superstate;
        const bool is_region = outer != no_index && core.states[outer].kind == state_kind::parallel;
        end[s] = last[s] = place(s, outer == no_index ? 0 : is_region ? last[outer] : end[outer]);
        for (auto o = outer; o != no_index && last[o] < end[s]; o = core.states[o].superstate) last[o] = end[s];
    }
    return last[0];
}

/// If offsets exceed the limit, the chart is rejected later.
std::uint64_t place_data(chart_core& core, const state_row& row, std::uint64_t at) {
    for (std::uint32_t i = 0; i < row.locals.count; ++i) {
        auto& local = core.locals[row.locals.first + i];
        const auto& type = local.prototype->type();
        at = aligned(at, type.alignment);
        local.offset = static_cast<std::uint32_t>(at);
        at += type.size;
        core.block_alignment = std::max(core.block_alignment, type.alignment);
    }
    for (std::uint32_t i = 0; i < row.timers.count; ++i) {
        auto& timer = core.timers[row.timers.first + i];
        at = aligned(at, 8);
        timer.offset = static_cast<std::uint32_t>(at);
        at += timer.periodic ? 16 : 8;
        core.block_alignment = std::max(core.block_alignment, 8u);
    }
    return at;
}

} // namespace

void place_in_block(chart_core& core) {
    core.block_size = place_states(core, [&](index s, std::uint64_t at) { return place_data(core, core.states[s], at); });
    core.time_slots = static_cast<index>(place_states(core, [&](index s, std::uint64_t at) {
        core.states[s].time_slot = static_cast<index>(at);
        return at + 1;
    }));
}

} // namespace hsm::detail
