/// The options of a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hsm::inspect {

/// The limits of a page's memory.
struct page_limits {
    std::size_t ring = 1u << 16;    ///< records of a lane that the server has not read yet; each takes 24 bytes
    std::size_t history = 100'000;  ///< records that are stored for a machine
    std::size_t memory = 48u << 20; ///< bytes of stored records of all machines; beyond this limit, the oldest records are removed
    std::size_t viewers = 8;        ///< browsers at the same time
    std::size_t machines = 100'000; ///< listed machines, including those of managers; beyond this limit, machines of managers are not listed
};

struct page_options {
    /// The address that the server listens on. If it is not a loopback address, other computers can connect, and the traffic is not encrypted.
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;    ///< 0: any free port
    std::string token = {};    ///< empty: a random token is generated
    bool open_reading = false; ///< lets every local user read the page without the token; requires a loopback address
    std::string title = {};    ///< empty: the name of the program
    bool print = true;         ///< prints the URL, with the token, on standard error
    page_limits most = {};
};

} // namespace hsm::inspect
