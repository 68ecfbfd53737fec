/// The format of a crowd's image, documented in docs/reference/image_format.md.
///
///     [ head | pages: page head, rows, generations, conditions and blocks, contexts, rates, agents | contexts of classes with fields | free places |
///       mailbox ]
///
/// Agents that consist of columns and a block are stored in columns. All others are stored as separate images.
#pragma once

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t crowd_image_magic = 0x636d'7368; ///< "hsmc"

struct crowd_image_head : image_prefix {
    std::uint64_t size = 0;
    std::uint64_t checksum = 0;
    std::int64_t now = 0;
    std::uint64_t ticks = 0;
    std::uint64_t untouched = 0;    ///< the first place that never had an agent
    std::uint64_t block_size = 0;   ///< of an agent; 0: the image has no blocks
    std::uint64_t context_size = 0; ///< of an agent; 0: contexts belong to the user
    std::uint32_t context_form = 0; ///< value_layout::form_of
    std::uint32_t pages = 0;
    std::uint32_t free = 0;
    std::uint32_t mailed = 0;
};
static_assert(std::is_trivially_copyable_v<crowd_image_head> && sizeof(crowd_image_head) == 112);

struct crowd_page_head {
    std::uint32_t used = 0;  ///< slots in use, from the page's first one on
    std::uint32_t alive = 0; ///< agents
    std::uint32_t alone = 0; ///< the number of agents with separate images
    std::uint32_t has_rates = 0;
};

/// Precedes the image of an agent.
struct crowd_agent_head {
    std::uint32_t slot;
    std::uint32_t size;
};

struct crowd_mail_entry {
    queue_entry what;
    std::uint32_t reserved;
    std::uint32_t padding; ///< 0; can have any value in older images
    std::uint64_t to;      ///< a handle: its index, and its generation << 32
};
static_assert(sizeof(queue_entry) == 8);

/// Properties common to all images of a crowd.
struct crowd_image_layout {
    crowd_image_layout(const crowd_access& crowd, const saved_context& kind);

    const image_layout& machine;
    value_layout context; ///< of contexts that the crowd keeps
    bool owns_contexts;
    bool has_columns;       ///< whether an agent's block consists of plain bytes
    std::size_t block_size; ///< of blocks in images
    std::size_t context_size;

    /// Equal for all images of such crowds, except for the flags.
    image_prefix prefix() const { return {crowd_image_magic, image_version, 0, machine.chart, machine.layout}; }
    void require_saveable(const crowd_access& crowd) const; ///< throws save_error (HSM-351)
};

void gather_mail(crowd_core& crowd); ///< as gather_mail(machine&)
/// Returns the required size. Writes the image if `to` is large enough.
std::size_t save_core(crowd_core& crowd, const saved_context& kind, std::span<std::byte> to, bool checksum);
/// Whether handles issued after the image stay stale, or are issued again; the latter requires that no such handle exists.
enum class later_handles { stay_stale, are_forgotten };
/// Throws like restore.
result restore_core(crowd_core& crowd, const saved_context& kind, std::span<const std::byte> from, later_handles later = later_handles::stay_stale);

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
    crowd_page_reader(const crowd_layout& crowd, const crowd_image_layout& layout, image_reader& in) : crowd_(crowd), layout_(layout), in_(in) {}
    bool next(crowd_page_view& page); ///< false if the image is cut off or the page is too large

private:
    const crowd_layout& crowd_;
    const crowd_image_layout& layout_;
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

/// Checks whether an image is valid for a crowd of the chart, and builds the objects in it separately. No agent must be loaded in `idle`. Throws
/// save_error (HSM-353 to HSM-356), and exceptions of constructors and `serialize`.
checked_crowd check_crowd(const crowd_access& crowd, const crowd_image_layout& layout, std::span<const std::byte> from, machine& idle);

} // namespace hsm::detail
