/// Requests to leave: which holding states have been informed of which held transitions. A request is *made* while its transition continues to be
/// held, and *due* until its hooks run.
#pragma once

#include <hsm/vm/detail/block.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

/// The number of the first due request, or no_request.
inline constexpr std::size_t no_request = std::size_t(-1);
std::size_t first_due_request(const machine& m, const chart_core& core);
inline mark_bits made_requests(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.requests); }
inline mark_bits due_requests(const machine& m, const chart_core& core) {
    return mark_bits(m.block + core.layout.requests + words_for(core.leave_requests.size()) * 8);
}

/// Records that the state holds the polled transition.
void request_leave(machine& m, const chart_core& core, index holder, std::uint32_t transition);
/// Records that the state holds the pending event or request of that slot.
void request_leave_for_pending(machine& m, const chart_core& core, index holder, std::size_t slot);

/// Call it when a guard of the polled transition has refused.
void end_leave_requests_of(machine& m, const chart_core& core, std::uint32_t transition);
/// Call it when nothing is pending in the slot any more.
void end_leave_requests_at(machine& m, const chart_core& core, std::size_t slot);
/// Call it when the state was exited.
void end_leave_requests_in(machine& m, const chart_core& core, index s);
/// Call it after an exception. Requests that are due are made again when their transitions are held again.
void drop_due_requests(machine& m, const chart_core& core);

} // namespace hsm::detail
