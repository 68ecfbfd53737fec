/// Decides which requests the server answers, and converts their bodies to commands. Requests are untrusted. It does not depend on the HTTP library.
#pragma once

#include <hsm/inspect/detail/feed.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hsm::inspect::detail {

/// The parts of a request on which the decision depends. Empty: the header is missing.
struct request_head {
    std::string_view method;
    std::string_view path;
    std::string_view host;
    std::string_view origin;
    std::string_view fetch_site; ///< Sec-Fetch-Site
    std::string_view token;      ///< X-Hsm-Token
};

/// Status 0: the request is answered.
struct refusal {
    int status = 0;
    std::string_view message = {};
    std::string_view hint = {};

    explicit operator bool() const { return status != 0; }
};

/// Limits the rate of requests. Any thread can use it.
class rate_limit {
public:
    bool admits(std::chrono::steady_clock::time_point now);

private:
    static constexpr double most = 200; ///< requests per second, and at once

    std::mutex mutex_;
    double left_ = most;
    std::chrono::steady_clock::time_point last_ = {};
};

class gate {
public:
    /// `host` is the address that the server listens on, or the name by which other machines call it.
    gate(std::string host, std::uint16_t port, std::string token, bool open_reading);

    /// Checks the name of the server (DNS rebinding), the origin (other web sites), the token, and the method.
    refusal check(const request_head& request) const;
    /// Also limits the rate of requests. Refused requests have a limit of their own, so that other web sites cannot lock out the page.
    refusal admit(const request_head& request, std::chrono::steady_clock::time_point now);
    /// Returns whether the token is right. Takes the same time for each token of the right length.
    bool is_token(std::string_view given) const;
    const std::string& token() const { return token_; }

private:
    bool is_own_name(std::string_view host) const;

    std::string host_, port_, token_;
    bool open_reading_;
    rate_limit rate_, refused_rate_;
};

/// Returns whether the address can be reached only from this computer.
bool is_loopback(std::string_view host);
/// Returns 128 bits of the system's random numbers, as hexadecimal digits.
std::string random_token();

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
