/// An image in parts, with the numbers of its chart. For code that is not performance-critical.
#pragma once

#include <hsm/save/detail/image_format.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace hsm::detail {

using value_bytes = std::vector<std::byte>; ///< as in an image, without their length

struct snapshot {
    struct state_entry {
        index state;
        std::uint8_t marks = 0; ///< state_mark
        std::uint32_t entered_by = 0;
        std::int64_t entered = 0;
    };
    struct timer_entry {
        std::uint32_t timer;
        std::int64_t due, period;
    };
    struct local_entry {
        std::uint32_t local;
        value_bytes value;
    };
    struct history_entry {
        index recorded = 0;
        std::vector<index> regions; ///< of those inside its owner; empty if nothing is recorded
    };
    struct pending_event {
        pending_entry what;
        value_bytes payload;
    };
    struct deferred_event {
        std::uint16_t event;
        value_bytes payload;
    };
    struct queued_event {
        queue_entry what;
        value_bytes payload;
    };
    enum queue { internal, posted, mailed };

    image_head head{};         ///< its counts are not used
    std::vector<index> leaves; ///< of all regions
    std::vector<condition_word> conditions;
    std::vector<state_entry> states; ///< active states, in the order of an image
    std::vector<timer_entry> timers;
    std::vector<local_entry> locals;
    std::vector<index> due;             ///< in the order in which they were marked
    std::vector<history_entry> records; ///< by history owner
    chance_head chance{};
    std::vector<std::int64_t> cooldowns; ///< when they end; 0: they have passed
    std::vector<waiting_entry> waiting;
    std::vector<pending_event> pending;
    std::vector<std::uint64_t> leave_requests; ///< bits
    std::vector<deferred_event> deferred;
    std::array<std::vector<queued_event>, 3> queues;

    const state_entry* find(index s) const;
    bool has_leave_request(std::size_t number) const { return leave_requests[number / 64] >> number % 64 & 1; }
};

/// The names in documents. The numbers are signed there.
inline constexpr std::pair<const char*, std::uint64_t chance_head::*> parts_of_chance[] = {
    {"seed", &chance_head::seed}, {"stream", &chance_head::stream}, {"draws", &chance_head::draws}};

/// Throws save_error (HSM-353 to HSM-355) if the image cannot be restored.
snapshot decompose(const chart_core& core, std::span<const std::byte> image);
snapshot decompose(const chart_core& core, const image_layout& layout, std::span<const std::byte> image);
/// The order of states, timers and locals does not matter. Those of active states must exist.
std::vector<std::byte> compose(const chart_core& core, const snapshot& s);
std::vector<std::byte> compose(const chart_core& core, const image_layout& layout, const snapshot& s);

} // namespace hsm::detail
