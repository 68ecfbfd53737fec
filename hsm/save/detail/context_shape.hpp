/// How contexts stand in images, and in what is said of them.
#pragma once

#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/saved_context.hpp>

namespace hsm::detail {

/// Of contexts that are made anew.
value_shape shape_of_context(const saved_context& kind);
/// Of those that stay where they are: what a serialize does not name stays as it is.
value_shape shape_of_users_context(const saved_context& kind);
/// Throws save_error (HSM-351).
void require_saveable_context(const chart_core& core, const value_shape& context);
/// For hashes, differences and documents. Throws save_error (HSM-351).
void require_known_context(const chart_core& core, const value_shape& context);

datum context_tree(const value_shape& shape, void* context);

} // namespace hsm::detail
