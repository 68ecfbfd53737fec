/// Datagrams between two processes of one computer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace arena {

class link {
public:
    /// Listens at a port and sends to another one, both at 127.0.0.1. Throws std::system_error.
    link(std::uint16_t own_port, std::uint16_t other_port);
    link(const link&) = delete;
    ~link();

    /// Sends without waiting. Datagrams can be lost, as in every network.
    void send(std::span<const std::uint8_t> bytes) const;
    std::optional<std::vector<std::uint8_t>> receive() const; ///< the next datagram; nothing if none has arrived

private:
    int socket_;
};

} // namespace arena
