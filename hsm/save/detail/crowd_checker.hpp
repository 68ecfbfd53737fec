/// Checks whether an image is valid for a crowd of the chart, and builds the objects in it separately.
#pragma once

#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

/// A page in an image. Its columns are not aligned.
struct crowd_page_view {
    crowd_page_head head;
    const std::byte* rows;
    const std::byte* generations;
    const std::byte* bits;
    const std::byte* blocks;
    const std::byte* contexts;
    const std::byte* rates;
    std::span<const std::byte> alone; ///< agents with images of their own

    std::uint32_t generation(std::uint32_t slot) const {
        std::uint32_t value;
        std::memcpy(&value, generations + slot * sizeof value, sizeof value);
        return value;
    }
    /// Returns whether the first `used` generations equal those of the page.
    bool has_generations_of(const page& p) const {
        const auto there = p.generations(head.used);
        return there.empty() || std::memcmp(there.data(), generations, there.size_bytes()) == 0;
    }
    std::uint32_t row(std::uint32_t slot, std::size_t size) const {
        std::uint32_t value = 0;
        std::memcpy(&value, rows + slot * size, size);
        return value;
    }
};

/// Reads pages one after the other, for checking and restoring.
class crowd_page_reader {
public:
    crowd_page_reader(const crowd_shape& crowd, const crowd_image_shape& shape, image_reader& in) : crowd_(crowd), shape_(shape), in_(in) {}
    bool next(crowd_page_view& page); ///< false if the image is cut off or the page is too large

private:
    const crowd_shape& crowd_;
    const crowd_image_shape& shape_;
    image_reader& in_;
};

/// Calls visit(slot, image) for each separate agent. Returns false if the data is invalid.
template <class Visit> bool each_alone(const crowd_page_view& page, const Visit& visit) {
    image_reader in(page.alone);
    for (std::uint32_t i = 0; i < page.head.alone; ++i) {
        const auto head = in.take<crowd_agent_head>();
        const auto* const bytes = in.take_bytes(head.size);
        if (in.ends_early() || !visit(head.slot, std::span(bytes, head.size))) return false;
    }
    return in.left() == 0;
}

struct checked_crowd {
    crowd_image_head head;
    std::span<const std::byte> pages; ///< pages and everything after them
    std::span<const std::byte> free;
    std::vector<checked_image> alone;  ///< in order; only if objects had to be built for them
    std::vector<built_value> contexts; ///< of classes with fields: contexts of all agents, in order
    std::vector<built_value> mailed;
    std::span<const std::byte> mail;
};

/// Throws save_error (HSM-353 to HSM-356), and exceptions of constructors and `serialize`. No agent must be loaded in `idle`.
checked_crowd check_crowd(const crowd_access& herd, const crowd_image_shape& shape, std::span<const std::byte> from, machine& idle);

} // namespace hsm::detail
