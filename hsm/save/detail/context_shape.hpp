/// How contexts stand in images.
#pragma once

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/image_shape.hpp>

namespace hsm::detail {

value_shape shape_of_context(const saved_context& kind);
/// Throws save_error (HSM-351).
void require_saveable_context(const chart_core& core, const value_shape& context);

} // namespace hsm::detail
