/// Whether an image can be that of a crowd of that chart. What has to be built for it is built aside.
#pragma once

#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

/// A page as it stands in an image. Its columns are not aligned.
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
    /// The same as that page, as far as this goes?
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

/// Reads pages one after the other; the same for checking and for restoring.
class crowd_page_reader {
public:
    crowd_page_reader(const crowd_shape& crowd, const crowd_image_shape& shape, image_reader& in) : crowd_(crowd), shape_(shape), in_(in) {}
    bool next(crowd_page_view& page); ///< false: it is cut off, or too large

private:
    const crowd_shape& crowd_;
    const crowd_image_shape& shape_;
    image_reader& in_;
};

/// visit(slot, image); false: it is broken.
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
    std::span<const std::byte> pages; ///< and what stands behind them
    std::span<const std::byte> free;
    std::vector<checked_image> alone;  ///< in their order; only if something had to be built for them
    std::vector<built_value> contexts; ///< of classes with fields: of all agents, in their order
    std::vector<built_value> mailed;
    std::span<const std::byte> mail;
};

/// Throws save_error (HSM-353 to HSM-356), and what constructors and serialize throw. `idle`: nobody is loaded there.
checked_crowd check_crowd(const crowd_access& herd, const crowd_image_shape& shape, std::span<const std::byte> from, machine& idle);

} // namespace hsm::detail
