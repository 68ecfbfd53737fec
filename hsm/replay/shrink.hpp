/// Finds a short log that still shows a mistake: calls are left out, as long as it fails without them.
///
///     const auto shorter = hsm::shrink(log, [](std::span<const std::byte> candidate) {
///         world w;                              // made anew each time
///         hsm::replay again(candidate);
///         again.attach(w.agent, w.hero);
///         again.seek(again.calls());
///         return w.hero.life < 0;               // it fails
///     });
///
/// By delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002). Not part of <hsm/hsm.hpp>.
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

/// A log from the first keyframe, from which no single call can be left out. Calls `fails` some n log n times for n calls, often less. The log itself
/// must fail: otherwise it comes back as it is. Throws replay_error (HSM-371, HSM-372), and what `fails` throws.
template <class Fails> std::vector<std::byte> shrink(std::span<const std::byte> log, Fails fails) {
    static_assert(std::is_invocable_r_v<bool, Fails&, std::span<const std::byte>>, "hsm: shrink calls bool fails(std::span<const std::byte> log)");
    return detail::shrink_log(log, std::addressof(fails),
                              [](void* self, std::span<const std::byte> candidate) -> bool { return (*static_cast<Fails*>(self))(candidate); });
}

} // namespace hsm
