/// The short way to and from the images of plain machines: of charts with one region, without conditions, timers, locals, holds and deferral. The
/// images are the same.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <span>

namespace hsm::detail {

struct chart_core;
struct image_shape;

/// How many bytes it takes; written if that is not more than there are. 0: something waits, and the image has to be made part by part.
std::size_t save_plain(machine& m, const chart_core& core, const image_shape& shape, std::span<std::byte> to);
/// False, and nothing has changed: that has to be done part by part, or it is no image that fits.
bool restore_plain(machine& m, const chart_core& core, const image_shape& shape, std::span<const std::byte> from);

} // namespace hsm::detail
