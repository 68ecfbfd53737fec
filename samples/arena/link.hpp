/// Datagrams between two processes of one computer.
#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <span>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace arena {

class link {
public:
    /// Listens at a port and sends to another one, both at 127.0.0.1. Throws std::system_error.
    link(std::uint16_t own_port, std::uint16_t other_port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        if (socket_ >= 0 && assign(::bind, own_port) && assign(::connect, other_port)) return;
        const int error = errno;
        ::close(socket_);
        throw std::system_error(error, std::generic_category(), "UDP port " + std::to_string(own_port));
    }
    link(const link&) = delete;
    ~link() { ::close(socket_); }

    /// Sends without waiting. Datagrams can be lost, as in every network.
    void send(std::span<const std::uint8_t> bytes) const { ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT); }
    /// Returns the next datagram; nothing if none has arrived, or if the other process does not listen yet.
    std::optional<std::vector<std::uint8_t>> receive() const {
        std::vector<std::uint8_t> bytes(256);
        const auto size = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (size < 0) return {};
        bytes.resize(static_cast<std::size_t>(size));
        return bytes;
    }

private:
    bool assign(int (*call)(int, const sockaddr*, socklen_t), std::uint16_t port) const {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return call(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }

    int socket_;
};

} // namespace arena
