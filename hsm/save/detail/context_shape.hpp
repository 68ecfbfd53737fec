/// The form of contexts in images and documents.
#pragma once

#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/saved_context.hpp>

namespace hsm::detail {

/// For contexts that are created when they are restored.
value_shape shape_of_context(const saved_context& kind);
/// For contexts that stay in place: fields that `serialize` does not name stay unchanged.
value_shape shape_of_users_context(const saved_context& kind);
/// Why a trivially copyable class needs a `serialize`.
inline constexpr const char* unknown_fields = "it contains floating-point numbers or padding and has no serialize";

/// These throw save_error (HSM-351). `alternative` is added to the hint.
void require_saveable_context(const chart_core& core, const value_shape& context, const char* alternative = "");
void require_known_context(const chart_core& core, const value_shape& context, saving purpose);
inline constexpr const char* or_own_contexts = ", or store the contexts in your own array"; ///< for crowds

datum context_tree(const value_shape& shape, void* context);

} // namespace hsm::detail
