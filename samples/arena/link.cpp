#include "link.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace arena {

namespace {

sockaddr_in local_address(std::uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool assign(int (*call)(int, const sockaddr*, socklen_t), int socket, std::uint16_t port) {
    const auto address = local_address(port);
    return call(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

} // namespace

link::link(std::uint16_t own_port, std::uint16_t other_port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    if (socket_ >= 0 && assign(::bind, socket_, own_port) && assign(::connect, socket_, other_port)) return;
    const int error = errno;
    ::close(socket_);
    throw std::system_error(error, std::generic_category(), "UDP port " + std::to_string(own_port));
}

link::~link() { ::close(socket_); }

void link::send(std::span<const std::uint8_t> bytes) const {
    ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
}

std::optional<std::vector<std::uint8_t>> link::receive() const {
    std::vector<std::uint8_t> bytes(256);
    const auto size = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0) return {}; // also if the other process does not listen yet
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
}

} // namespace arena
