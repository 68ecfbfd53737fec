/// Finds a short log that still shows a bug. Removes calls from a log as long as the shorter log still fails.
///
///     const auto shorter = hsm::shrink(log, [](std::span<const std::byte> candidate) {
///         world w;                              // new for each candidate
///         hsm::replay again(candidate);
///         again.attach(w.agent, w.hero);
///         again.seek(again.calls());
///         return w.hero.life < 0;               // the failure
///     });
///
/// The algorithm is delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002). This header is not part of
/// <hsm/hsm.hpp>.
#pragma once

#include <hsm/replay/replay_error.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace hsm {

namespace detail {
using log_test = bool (*)(void* self, std::span<const std::byte> log);
std::vector<std::byte> shrink_log(std::span<const std::byte> log, void* self, log_test fails);
} // namespace detail

/// Returns a log that still fails and starts at the first keyframe. If you remove any single call from this log, it no longer fails. For a log of n
/// calls, calls `fails` about n log n times, often fewer. If the original log does not fail, returns it unchanged. Throws replay_error (HSM-371,
/// HSM-372), and exceptions of `fails`.
template <class Fails> std::vector<std::byte> shrink(std::span<const std::byte> log, Fails fails) {
    static_assert(std::is_invocable_r_v<bool, Fails&, std::span<const std::byte>>,
                  "hsm: shrink needs a function that can be called as bool fails(std::span<const std::byte> log)");
    return detail::shrink_log(log, std::addressof(fails),
                              [](void* self, std::span<const std::byte> candidate) -> bool { return (*static_cast<Fails*>(self))(candidate); });
}

} // namespace hsm
