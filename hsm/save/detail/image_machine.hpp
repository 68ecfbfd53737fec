/// Images of machines, below the types that users see.
#pragma once

#include <hsm/op/detail/machine.hpp>
#include <hsm/op/result.hpp>
#include <hsm/save/check_saveable.hpp>

#include <cstddef>
#include <span>

namespace hsm::detail {

struct chart_core;

/// Between two calls. How many bytes it takes; written if that is not more than there are.
std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum);
/// Between two calls. Throws save_error.
void restore_machine(machine& m, std::span<const std::byte> from);

/// Throws save_error (HSM-351).
void require_saveable(const chart_core& core, saving purpose);

} // namespace hsm::detail
