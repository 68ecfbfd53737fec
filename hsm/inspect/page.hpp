/// A live page for the browser that shows every machine of a running program: `hsm::inspect::page page;`
///
///     hsm::inspect::page page;   // 127.0.0.1, a free port; prints its URL
///     page.add("hero", agent);   // instances, actors, crowds, managers, SCXML sessions
///     page.add("guards", herd);
///     while (running) {
///         if (page.runs(agent)) agent.tick(dt); // needed for pause, step and breakpoints
///         page.poll();                          // executes commands, on this thread, between frames
///     }
///
/// A page has a server with its own threads, and a first lane. A lane lists the machines of one thread (lane.hpp). The page's `add`, `remove`,
/// `record`, `runs` and `poll` call the functions of its first lane. The page and its first lane belong to one thread. Each further thread that runs
/// machines uses its own lane. Listed machines are not observed until a viewer opens them. Listed machines can be moved and destroyed. This header is
/// not part of <hsm/hsm.hpp>; it is available only if hsm was built with cpp-httplib and nlohmann_json.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/inspect/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hsm::inspect {

namespace detail {
class page_core;
}

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

class page {
public:
    /// Starts the server, and prints the URL. Throws inspect_error: HSM-401 if the server cannot listen at the address, HSM-402 if open_reading is
    /// set for an address that is not on loopback.
    explicit page(const page_options& options = {});
    page(const page&) = delete;
    page& operator=(const page&) = delete;
    ~page(); ///< ends the server. Lanes and their recordings end, too.

    std::string url() const; ///< contains the token, after the character #

    /// Creates a lane for another thread. Any thread can call this function. The lane exists until the page is destroyed.
    inspect::lane& lane();

    // The functions of the first lane: see lane.hpp.
    template <class Machine> void add(std::string_view name, Machine& machine) { first_->add(name, machine); }
    void add(std::string_view name, manager& machines, const machine_factory& kinds) { first_->add(name, machines, kinds); }
    template <class Machine> void remove(const Machine& machine) { first_->remove(machine); }
    template <class Machine> void record(const Machine& machine) { first_->record(machine); }
    template <class Machine> bool runs(const Machine& machine) { return first_->runs(machine); }
    void poll() { first_->poll(); }

private:
    owned<detail::page_core> core_;
    inspect::lane* first_;
};

} // namespace hsm::inspect
