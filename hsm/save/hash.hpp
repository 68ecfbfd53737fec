/// What an instance means, as a number: equal for an instance, an agent of a crowd and a restored copy that are in the same states, with equal times,
/// locals, conditions and waiting things; on every compiler. Not in it: the clock by itself, contexts, handles, capacities of queues.
///
///     if (hsm::hash(mine) != hash_of_the_others) ...     // then hsm::difference says where
///
/// Locals and events count by the fields that their `serialize` names, or by their value: hsm::check_saveable(chart, saving::document).
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/save_error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hsm {

/// 0: it is busy. Allocates. Throws save_error (HSM-351).
std::uint64_t hash(const instance_base& agent);
/// Of an image. Throws save_error (HSM-351, HSM-353 to HSM-355).
std::uint64_t hash(const chart_base& chart, std::span<const std::byte> image);

namespace detail {
std::uint64_t hash_of_value(void (*serialize)(archive& a, void* value), const void* value);
} // namespace detail

/// Of an object of a class with a `serialize`: of a context, say.
template <class T>
    requires detail::serializable<T>
std::uint64_t hash_of(const T& value) {
    return detail::hash_of_value([](archive& to, void* object) { serialize(to, *static_cast<T*>(object)); }, std::addressof(value));
}

} // namespace hsm
