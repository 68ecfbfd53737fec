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
#include <hsm/inspect/page_options.hpp>

#include <string>
#include <string_view>

namespace hsm::inspect {

namespace detail {
class page_core;
}

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
