/// Objects of the user's between the bytes of an image and what documents say of them.
#pragma once

#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/snapshot.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <span>

namespace hsm::detail {

/// Prototype: of a local, or null.
datum value_to_tree(const value_shape& shape, const void* prototype, std::span<const std::byte> bytes);
/// What its fields do not say is as in the prototype, or as the class makes it. Throws misfit.
value_bytes tree_to_value(const value_shape& shape, const void* prototype, const datum& tree, std::vector<misfit>& notes);
/// Of a local that nothing is said of.
value_bytes prototype_bytes(const value_shape& shape, const void* prototype);

} // namespace hsm::detail
