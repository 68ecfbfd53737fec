/// The messages that ranks exchange, which checkpoints also contain:
///
///     [ head | payload | padding to 8 bytes ]
#pragma once

#include <hsm/cluster/distributed_options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::detail {

enum class message_kind : std::uint8_t {
    agent,    ///< an agent that moves: its context and its image; if `column` is not 0, its columns
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
    std::vector<std::byte> sent; ///< in the last exchange; events refer to it until the end of the tick
    std::uint64_t count = 0;
    std::vector<std::byte> scratch;
};

constexpr std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t(7); }

/// Leaves new bytes uninitialized.
struct byte_allocator : std::allocator<std::byte> {
    template <class T> struct rebind { using other = byte_allocator; };
    template <class T, class... From> void construct(T* at, From&&... from) {
        if constexpr (sizeof...(From) > 0) new (at) T(std::forward<From>(from)...);
    }
};
using byte_buffer = std::vector<std::byte, byte_allocator>;

template <class Buffer> void append_bytes(Buffer& to, const std::byte* bytes, std::size_t size) { to.insert(to.end(), bytes, bytes + size); }
/// Returns where the payload is to be written.
template <class Buffer> std::byte* append_message(Buffer& to, message_head head, std::size_t size) {
    if (size > UINT32_MAX) throw std::length_error("hsm: a message to another rank must be smaller than 4 GiB");
    head.size = static_cast<std::uint32_t>(size);
    const auto at = to.size();
    to.resize(at + sizeof head + padded(size)); // before the copies, so that a failed allocation leaves no part of a message
    std::memcpy(to.data() + at, &head, sizeof head);
    return to.data() + at + sizeof head;
}
template <class Buffer> void append_message(Buffer& to, const message_head& head, std::span<const std::byte> payload) {
    auto* const at = append_message(to, head, payload.size());
    if (!payload.empty()) std::memcpy(at, payload.data(), payload.size());
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

/// Calls visit(message, head) for each message. Before, calls prefetch(head) for messages that follow.
template <class Visit, class Prefetch> void each_message(std::span<const std::byte> bytes, const Visit& visit, const Prefetch& prefetch) {
    const auto *next = bytes.data(), *const end = next + bytes.size();
    int ahead = 0;
    for (const auto* at = next; at != end; --ahead) {
        for (; ahead < 12 && next != end; ++ahead) {
            const auto head = message{next}.head();
            prefetch(head);
            next += message::size(head);
        }
        const auto head = message{at}.head();
        visit(message{at}, head);
        at += message::size(head);
    }
}
template <class Visit> void each_message(std::span<const std::byte> bytes, const Visit& visit) {
    each_message(bytes, visit, [](const message_head&) {});
}

} // namespace hsm::detail
