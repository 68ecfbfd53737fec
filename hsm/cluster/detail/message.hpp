/// The messages that ranks exchange, which checkpoints also contain:
///
///     [ head | payload | padding to 8 bytes ]
#pragma once

#include <hsm/cluster/distributed_options.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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

constexpr std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t(7); }

/// Leaves new bytes uninitialized.
class byte_buffer {
public:
    std::byte* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }
    operator std::span<const std::byte>() const { return {data(), size_}; }
    void clear() { size_ = 0; }
    void reserve(std::size_t size) {
        if (size > capacity_) [[unlikely]]
            grow(std::max(size, capacity_ * 2));
    }
    void resize(std::size_t size) { reserve(size), size_ = size; }
    std::byte* append(std::size_t size) {
        reserve(size_ + size);
        return data() + std::exchange(size_, size_ + size);
    }

private:
    HSM_NOINLINE void grow(std::size_t capacity) {
        std::unique_ptr<std::byte[]> larger(new std::byte[capacity]);
        if (size_ > 0) std::memcpy(larger.get(), data(), size_);
        memory_ = std::move(larger);
        capacity_ = capacity;
    }

    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_ = 0, capacity_ = 0;
};

/// Messages for the next exchange.
struct outbox {
    byte_buffer bytes;
    byte_buffer sent; ///< in the last exchange; events refer to it until the end of the tick
    std::uint64_t count = 0;
    std::vector<std::byte> scratch;
};

/// Requires some bytes.
HSM_NOINLINE inline void append_bytes(byte_buffer& to, const std::byte* bytes, std::size_t size) { std::memcpy(to.append(size), bytes, size); }
/// Returns where the payload is to be written.
inline std::byte* append_message(byte_buffer& to, message_head head, std::size_t size) {
    if (size > UINT32_MAX) throw std::length_error("hsm: a message to another rank must be smaller than 4 GiB");
    head.size = static_cast<std::uint32_t>(size);
    auto* const at = to.append(sizeof head + padded(size));
    std::memcpy(at, &head, sizeof head);
    return at + sizeof head;
}
inline void append_message(byte_buffer& to, const message_head& head, std::span<const std::byte> payload) {
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

} // namespace hsm::detail
