/// The HTTP server of a page. Its threads call the hub.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/inspect/page_options.hpp>

#include <string>
#include <string_view>

namespace hsm::inspect::detail {

class hub;

class server {
public:
    server() = default;
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    virtual ~server() = default; ///< ends all requests

    virtual void listen() = 0; ///< begins to answer requests

    std::string url;
    std::string run; ///< identifies this run of the program
};
/// Binds the port. Throws inspect_error (HSM-401, HSM-402).
owned<server> make_server(const page_options& options, hub& machines);

/// A file of the page, which is part of the library.
struct asset {
    std::string_view text; ///< empty: there is no such file
    const char* type = "";
};
/// Finds a file by the path of a request: "/", "/style.css", "/main.js".
asset find_asset(std::string_view path);

} // namespace hsm::inspect::detail
