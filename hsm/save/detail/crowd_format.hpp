/// The format of a crowd's image, documented in docs/reference/image_format.md.
///
///     [ head | pages: page head, rows, generations, conditions and blocks, contexts, rates, agents | contexts of classes with fields | free places |
///       mailbox ]
///
/// Agents that consist of columns and a block are stored in columns. All others are stored as separate images.
#pragma once

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/savable.hpp>

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

/// An agent in a slot, unchanged, for the lifetime of this object.
class agent_in_slot {
public:
    agent_in_slot(agent_slot& slot, page& p, std::uint32_t number, std::int64_t now) : slot_(slot), now_(now) { slot.load(p, number, now); }
    agent_in_slot(const agent_in_slot&) = delete;
    ~agent_in_slot() { slot_.store(now_); }

    std::size_t save(std::span<std::byte> to) const { return save_machine(engine(), to, false); }
    std::span<const std::byte> save(std::vector<std::byte>& scratch) const { return save_machine(engine(), scratch); }

private:
    machine& engine() const { return instance_access::engine_of(slot_.machine()); }

    agent_slot& slot_;
    const std::int64_t now_;
};

class savable_crowd : public savable {
public:
    savable_crowd(crowd_core& crowd, const saved_context& kind) : crowd_(crowd), kind_(kind) {}
    savable_crowd(const crowd_base& crowd, const saved_context& kind) : savable_crowd(crowd_access::core_of(crowd), kind) {}

    std::string path() const final { return crowd_.layout().core.root->path(); }
    bool is_busy() const final { return crowd_access(crowd_).is_busy(); }
    void gather_mail() const final;
    std::size_t most_image_size() const final { return image_size_of(*this); }
    std::size_t save(std::span<std::byte> to, bool checksum) const override;
    void restore(std::span<const std::byte> from) const override;
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override;

protected:
    crowd_core& crowd_;
    const saved_context kind_;
};

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

/// Checks whether an image is valid for a crowd of the chart, and builds the objects in it separately. Requires that no agent is loaded in `idle`.
/// Throws save_error (HSM-353 to HSM-356), and exceptions of constructors and `serialize`.
checked_crowd check_crowd(const crowd_access& crowd, const crowd_image_layout& layout, std::span<const std::byte> from, machine& idle);

/// Throws save_error (HSM-351).
inline void require_known_crowd(const chart_core& core, const crowd_image_layout& layout, saving purpose) {
    require_saveable(core, purpose);
    if (layout.owns_contexts) require_known_context(core, layout.context, purpose);
}

/// Loads one agent at a time.
class crowd_reader {
public:
    crowd_reader(const crowd_access& crowd, const crowd_image_layout& layout) : access_(crowd), layout_(layout), slot_(crowd.core) {}

    /// Returns null if there is no agent.
    page* page_of(std::uint64_t place) const {
        if (place / page_agents >= access_.pages().size()) return nullptr;
        auto& p = *access_.pages()[place / page_agents];
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        return slot < p.used && p.has_agent(slot) ? &p : nullptr;
    }
    /// Calls visit(place, page, slot) for each agent.
    template <class Visit> void each(const Visit& visit) const {
        for (std::uint64_t place = 0; place < access_.pages().size() * page_agents; ++place)
            if (auto* const p = page_of(place)) visit(place, *p, static_cast<std::uint32_t>(place % page_agents));
    }
    std::span<const std::byte> image_of(page& p, std::uint32_t slot) { return agent_in_slot(*slot_, p, slot, access_.now()).save(image_); }
    json_value describe(page& p, std::uint32_t slot) {
        auto d = json_value::empty_object();
        d.add("machine", describe_image(access_.core.layout().core, image_of(p, slot)));
        if (layout_.owns_contexts) d.add("context", context_json(layout_.context, p.context(slot)));
        return d;
    }

private:
    const crowd_access& access_;
    const crowd_image_layout& layout_;
    crowd_access::borrowed_slot slot_;
    std::vector<std::byte> image_;
};

} // namespace hsm::detail
