/// Converts the bodies of requests to commands, and results to bodies. Bodies are untrusted. These functions do not depend on the HTTP library.
#pragma once

#include <hsm/inspect/detail/feed.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hsm::inspect::detail {

/// Returns nothing for an invalid body, and sets `problem`.
std::optional<command> read_command(std::string_view body, std::string& problem);

/// The body of /api/open and /api/close.
struct viewer_request {
    std::uint32_t viewer = 0;
    std::uint32_t machine = no_machine;
};
std::optional<viewer_request> read_viewer_request(std::string_view body, std::string& problem);

/// Returns the text of an nlohmann::json. Bytes that are not UTF-8 are replaced.
template <class Json> std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string text_of(std::uint64_t number, const command_result& result);
std::string error_text(std::string_view code, std::string_view message, std::string_view hint);

} // namespace hsm::inspect::detail
