/// The messages that ranks exchange, which checkpoints also contain:
///
///     [ head | payload | padding to 8 bytes ]
#pragma once

#include <hsm/cluster/distributed_options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace hsm::detail {

enum class message_kind : std::uint8_t {
    agent,    ///< an agent that moves: its context and its image
    newcomer, ///< the same, for an agent that its home does not know yet
    moved,    ///< to the home of an agent: its rank, in `sequence`
    child,    ///< the context of an agent that is to be added
    removal,
    migration, ///< to the rank in `column`
    outside,   ///< an event that the program posted; `from` is its order
    posted,    ///< an event of the agent `from`
};
constexpr bool is_event(message_kind kind) { return kind == message_kind::outside || kind == message_kind::posted; }

struct message_head {
    global_id to = 0;
    std::uint64_t from = 0;
    std::uint64_t sequence = 0; ///< orders the messages of one sender; of events from outside, the upper 24 bits are the rank
    std::uint32_t size = 0;     ///< of the payload
    std::uint16_t column = 0;   ///< of an event; of a migration: the rank
    message_kind kind = message_kind::agent;
    std::uint8_t to_all = 0;
};
static_assert(sizeof(message_head) == 32 && std::is_trivially_copyable_v<message_head>);

/// Messages for the next exchange.
struct outbox {
    std::vector<std::byte> bytes;
    std::uint64_t count = 0;
    std::vector<std::byte> scratch;
};

constexpr std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t(7); }

inline void append_bytes(std::vector<std::byte>& to, const void* from, std::size_t size) {
    const auto* const bytes = static_cast<const std::byte*>(from);
    to.insert(to.end(), bytes, bytes + size);
}
inline std::uint32_t size_of_payload(std::size_t size) {
    if (size > UINT32_MAX) throw std::length_error("hsm: a message to another rank must be smaller than 4 GiB");
    return static_cast<std::uint32_t>(size);
}
inline void append_message(std::vector<std::byte>& to, message_head head, std::span<const std::byte> payload) {
    head.size = size_of_payload(payload.size());
    const auto at = to.size();
    to.resize(at + sizeof head + padded(payload.size())); // before the copies, so that a failed allocation leaves no part of a message
    std::memcpy(to.data() + at, &head, sizeof head);
    if (!payload.empty()) std::memcpy(to.data() + at + sizeof head, payload.data(), payload.size());
}

/// The bytes after the head of the last message, which begins at `at`, become its payload.
inline void end_message(std::vector<std::byte>& to, std::size_t at) {
    message_head head;
    std::memcpy(&head, to.data() + at, sizeof head);
    const auto size = to.size() - at - sizeof head;
    head.size = size_of_payload(size);
    to.resize(at + sizeof head + padded(size));
    std::memcpy(to.data() + at, &head, sizeof head);
}

/// Refers to a message in a buffer.
struct message {
    const std::byte* at = nullptr;

    message_head head() const {
        message_head h;
        std::memcpy(&h, at, sizeof h);
        return h;
    }
    static std::size_t size(const message_head& h) { return sizeof h + padded(h.size); }
    std::span<const std::byte> payload(const message_head& h) const { return {at + sizeof h, h.size}; }
};

/// Calls visit(message, head) for each message. Returns false if the bytes end within a message.
template <class Visit> bool each_message(std::span<const std::byte> bytes, const Visit& visit) {
    for (std::size_t at = 0; at < bytes.size();) {
        if (bytes.size() - at < sizeof(message_head)) return false;
        const message each{bytes.data() + at};
        const auto head = each.head();
        if (bytes.size() - at < message::size(head)) return false;
        visit(each, head);
        at += message::size(head);
    }
    return true;
}

} // namespace hsm::detail
