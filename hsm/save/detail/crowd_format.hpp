/// An image of a crowd; docs/reference/image_format.md describes it.
///
///     [ head | pages: page head, rows, generations, conditions and blocks, contexts, rates, agents | contexts of classes with fields | free places |
///       mailbox ]
///
/// Agents whose columns and block are all that there is to them stand there as those; others as images of their own.
#pragma once

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t crowd_image_magic = 0x636d'7368; ///< "hsmc"

struct crowd_image_head : image_prefix {
    std::uint64_t size = 0;
    std::uint64_t checksum = 0;
    std::int64_t now = 0;
    std::uint64_t ticks = 0;
    std::uint64_t untouched = 0;    ///< the first place that nobody has ever had
    std::uint64_t block_size = 0;   ///< of an agent; 0: there are no blocks in it
    std::uint64_t context_size = 0; ///< of an agent; 0: the user has them
    std::uint32_t context_form = 0; ///< value_shape::form_of
    std::uint32_t pages = 0;
    std::uint32_t free = 0;
    std::uint32_t mailed = 0;
};
static_assert(std::is_trivially_copyable_v<crowd_image_head> && sizeof(crowd_image_head) == 112);

struct crowd_page_head {
    std::uint32_t used = 0;  ///< places, from the first one of the page on
    std::uint32_t alive = 0; ///< agents
    std::uint32_t alone = 0; ///< of these, with images of their own
    std::uint32_t has_rates = 0;
};

/// In front of the image of an agent.
struct crowd_agent_head {
    std::uint32_t slot;
    std::uint32_t size;
};

struct crowd_mail_part {
    queue_part what;
    std::uint32_t reserved;
    std::uint32_t padding; ///< written as 0; older images contain anything here
    std::uint64_t to;      ///< a handle: its index, and its generation << 32
};
static_assert(sizeof(queue_part) == 8);

/// What is the same for all images of a crowd.
struct crowd_image_shape {
    crowd_image_shape(const crowd_access& herd, const saved_context& kind);

    const image_shape& machine;
    value_shape context; ///< of those that it keeps
    bool keeps_contexts;
    bool has_columns;       ///< an agent's block is nothing but bytes
    std::size_t block_size; ///< that is in images
    std::size_t context_size;

    /// The same for all images of such crowds, but for the flags.
    image_prefix prefix() const { return {crowd_image_magic, image_version, 0, machine.chart, machine.layout}; }
    void require_saveable(const crowd_access& herd) const; ///< throws save_error (HSM-351)
};

/// How much it takes; written if that is not more than there is.
std::size_t save_core(crowd_core& herd, const saved_context& kind, std::span<std::byte> to, bool checksum);
/// Whether handles that were given out since an image stay stale, or are given out once more: then nobody may have them.
enum class later_handles { stay_stale, are_forgotten };
/// Throws as restore does.
result restore_core(crowd_core& herd, const saved_context& kind, std::span<const std::byte> from, later_handles later = later_handles::stay_stale);

} // namespace hsm::detail
