/// Calls to a crowd, as a log holds them. Frames are ticks, decides and updates as those of a machine; everything else is the bytes of log_other: a
/// number that says what, and its operands. Handles are a place and a generation; lists stand behind their length.
#pragma once

#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <cstdint>

namespace hsm::detail {

enum class crowd_call : std::uint64_t { add, remove, clear, change, change_all, set_rate, give_all, give_state, give_list, mailed, agent };

constexpr std::uint64_t no_elapsed = ~std::uint64_t(0); ///< calls of one agent stand by themselves

/// Makes it once more. What a hook throws is passed over. Throws replay_error (HSM-372). Call: its number.
void make_crowd_call(crowd_core& herd, const crowd_image_shape& shape, const log_call& what, std::uint64_t call);

} // namespace hsm::detail
