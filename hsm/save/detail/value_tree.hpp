/// Converts users' objects between image bytes and document data.
#pragma once

#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/snapshot.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <span>

namespace hsm::detail {

/// `prototype` is that of a local, or null.
datum value_to_tree(const value_shape& shape, const void* prototype, std::span<const std::byte> bytes);
/// Missing fields are as in the prototype, or as in a default-constructed object. Throws misfit.
value_bytes tree_to_value(const value_shape& shape, const void* prototype, const datum& tree, std::vector<misfit>& notes);
/// For a local that is missing in the document.
value_bytes prototype_bytes(const value_shape& shape, const void* prototype);

} // namespace hsm::detail
