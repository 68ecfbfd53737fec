/// A hash of an instance's state, independent of the compiler. The hash is equal for instances, agents of a crowd and restored copies if their
/// states, times, locals, conditions and waiting events are equal. It excludes the clock, contexts, handles and capacities of queues.
///
///     if (hsm::hash(mine) != hash_of_the_others) ...     // then hsm::difference lists the differences
///
/// Locals and events are hashed by the fields that `serialize` names, or by value. hsm::check_saveable(chart, saving::document) finds classes that
/// cannot be hashed.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/save_error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hsm {

/// Returns the hash, or 0 if the instance is busy. Allocates memory. Throws save_error (HSM-351).
std::uint64_t hash(const instance_base& agent);
/// Returns the hash of an image. Throws save_error (HSM-351, HSM-353 to HSM-355).
std::uint64_t hash(const chart_base& chart, std::span<const std::byte> image);

namespace detail {
std::uint64_t hash_of_value(void (*serialize)(archive& a, void* value), const void* value);
} // namespace detail

/// Returns the hash of an object with a `serialize`, for example a context.
template <class T>
requires detail::serializable<T> std::uint64_t hash_of(const T& value) {
    return detail::hash_of_value([](archive& to, void* object) { serialize(to, *static_cast<T*>(object)); }, std::addressof(value));
}

} // namespace hsm
