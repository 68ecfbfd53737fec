/// The HTTP server of a page. Its threads call the hub.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/inspect/page_options.hpp>

#include <string>

namespace hsm::inspect::detail {

class hub;

class server {
public:
    /// Binds the port. Throws inspect_error (HSM-401, HSM-402).
    server(const page_options& options, hub& machines);
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server(); ///< ends all requests

    void listen(); ///< begins to answer requests
    const std::string& url() const { return url_; }
    const std::string& run() const { return run_; } ///< identifies this run of the program
    static std::string version();

private:
    struct parts;

    std::string url_, run_;
    owned<parts> parts_;
};

} // namespace hsm::inspect::detail
