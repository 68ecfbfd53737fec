#include <hsm/inspect/detail/gate.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <random>
#include <utility>

namespace hsm::inspect::detail {

gate::gate(std::string host, std::uint16_t port, std::string token, bool open_reading)
    : host_(std::move(host)), port_(fmt::format("{}", port)), token_(std::move(token)), open_reading_(open_reading) {}

bool rate_limit::admits(std::chrono::steady_clock::time_point now) {
    const std::lock_guard lock(mutex_);
    left_ = std::min(most, left_ + most * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

refusal gate::admit(const request_head& request, std::chrono::steady_clock::time_point now) {
    const auto no = check(request);
    return (no ? refused_rate_ : rate_).admits(now) ? no : refusal{429, "too many requests", "wait for a second"};
}

bool gate::is_own_name(std::string_view host) const {
    const auto colon = host.rfind(':');
    if (colon == host.npos || host.substr(colon + 1) != port_) return false;
    const auto name = host.substr(0, colon);
    if (name == host_ || (is_loopback(host_) && is_loopback(name))) return true;
    // The server listens on all addresses. Attacks by DNS rebinding need a host name, not a numeric address. There are host names of only the letters
    // a to f, so letters are accepted only in brackets.
    const auto digits = name.starts_with('[') && name.ends_with(']') ? "0123456789.:abcdef[]" : "0123456789.";
    return (host_ == "0.0.0.0" || host_ == "[::]") && !name.empty() && name.find_first_not_of(digits) == name.npos;
}

bool gate::is_token(std::string_view given) const {
    if (given.size() != token_.size()) return false;
    unsigned different = 0;
    for (std::size_t i = 0; i < token_.size(); ++i) different |= static_cast<unsigned char>(given[i] ^ token_[i]);
    return different == 0;
}

refusal gate::check(const request_head& request) const {
    if (!is_own_name(request.host)) return {403, "the request names another server", "open the URL that the program printed"};
    constexpr std::string_view scheme = "http://";
    if (!request.origin.empty() && (!request.origin.starts_with(scheme) || !is_own_name(request.origin.substr(scheme.size()))))
        return {403, "the request comes from another web site", "open the URL that the program printed"};
    if (request.fetch_site == "cross-site") return {403, "the request comes from another web site", "open the URL that the program printed"};
    const bool reads = request.method == "GET" || request.path == "/api/open" || request.path == "/api/close";
    if (!reads && request.method != "POST") return {405, "only GET and POST are answered", ""};
    if (!request.path.starts_with("/api/")) return reads ? refusal() : refusal{405, "only paths in /api/ accept POST", ""};
    if (is_token(request.token)) return {};
    if (!request.token.empty()) return {401, "wrong token", "open the URL that the program printed; a new run has a new token"};
    // A command without a token is refused when its verb is known: some verbs only read.
    if (open_reading_) return {};
    return {401, "the token is missing", "open the URL that the program printed, with the part after #"};
}

bool is_loopback(std::string_view host) { return host == "127.0.0.1" || host == "localhost" || host == "::1" || host == "[::1]"; }

std::string random_token() {
    std::random_device source;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
}

} // namespace hsm::inspect::detail
