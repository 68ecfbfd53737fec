/// A faster path for images of plain machines: one region, no conditions, timers, locals, holds or deferral. The bytes are the same.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <span>

namespace hsm::detail {

struct chart_core;
struct image_shape;

/// Returns the required size. Writes the image if `to` is large enough. Returns 0 if something waits; then use the general path.
std::size_t save_plain(machine& m, const chart_core& core, const image_shape& shape, std::span<std::byte> to);
/// Returns false without changes if the general path is needed, or if the image does not fit.
bool restore_plain(machine& m, const chart_core& core, const image_shape& shape, std::span<const std::byte> from);

} // namespace hsm::detail
