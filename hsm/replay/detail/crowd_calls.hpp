/// The calls of a crowd in a log. Frames are ticks, decides and updates, as for a machine. Other calls are the bytes of log_other: the number of the
/// crowd_call and its operands. A handle is a place and a generation; lists are preceded by their length.
#pragma once

#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <cstdint>

namespace hsm::detail {

enum class crowd_call : std::uint64_t { add, remove, clear, change, change_all, set_rate, give_all, give_state, give_list, mailed, agent };

constexpr std::uint64_t no_elapsed = ~std::uint64_t(0); ///< calls of one agent do not refer to an earlier tick

/// Repeats a call. Exceptions of hooks are ignored. Throws replay_error (HSM-372). `call` is its number.
void make_crowd_call(crowd_core& crowd, const crowd_image_layout& layout, const log_call& what, std::uint64_t call);

} // namespace hsm::detail
