/// Checks an image completely before it is used.
#pragma once

#include <hsm/save/detail/image_checker.hpp>

#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

struct checked_image {
    image_head head;
    std::span<const std::byte> parts;
    std::vector<built_value> built; ///< objects of classes with fields, in the order of the image
};

/// Throws save_error (HSM-353 to HSM-355), and exceptions of constructors and `serialize`.
checked_image check_image(const chart_core& core, const image_shape& shape, std::span<const std::byte> from);

[[noreturn]] void refuse_image(const chart_core& core, code number, std::string problem, std::string hint);

} // namespace hsm::detail
