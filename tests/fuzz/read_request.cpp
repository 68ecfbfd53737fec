// For libFuzzer: arbitrary bytes as requests to the live page. They are read, or refused with a reason. The gate accepts only the server's own name
// and the right token.

#include <tests/fuzz/fighters.hpp>

#include <hsm/inspect/detail/requests.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

using namespace fuzz;
using namespace hsm::inspect::detail;

namespace {

constexpr std::string_view right_token = "0123456789abcdef";

void write_seeds() {
    unsigned number = 0;
    for (const std::string_view body :
         {R"({"viewer":1,"id":1})", R"({"id":1,"verb":"explain","of":"event","event":"hit","data":"{}"})",
          R"({"id":1,"verb":"agents","state":2,"most":9})", R"({"id":1,"verb":"agent","index":1,"generation":2})",
          R"({"id":1,"verb":"set","condition":3})", R"({"id":1,"verb":"scale","factor":0.5})", R"({"id":1,"verb":"break","at":"entry","number":2})",
          R"({"id":1,"verb":"unbreak","all":true})", R"({"id":1,"verb":"load","document":"{}"})"})
        write_seed("body" + std::to_string(number++), 0, std::as_bytes(std::span(body)));
    const std::string_view head = "POST\n/api/command\n127.0.0.1:8000\nhttp://127.0.0.1:8000\nsame-origin\n0123456789abcdef\n";
    write_seed("head", 0, std::as_bytes(std::span(head)));
}

/// Removes a line from the beginning.
std::string_view take_line(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

void check_gate(std::string_view text) {
    std::array<std::string_view, 6> parts;
    for (auto& part : parts) part = take_line(text);
    const auto& [method, path, host, origin, site, token] = parts;
    for (const bool open_reading : {false, true}) {
        const gate entrance("127.0.0.1", 8000, std::string(right_token), open_reading);
        const auto refused = entrance.check({method, path, host, origin, site, token});
        require(!refused || (refused.status >= 400 && refused.status < 500 && !refused.message.empty()));
        if (refused) continue;
        require(host == "127.0.0.1:8000" || host == "localhost:8000" || host == "::1:8000" || host == "[::1]:8000");
        require(site != "cross-site");
        require(!path.starts_with("/api/") || token == right_token || (open_reading && token.empty()));
    }
}

void check_bodies(std::string_view text) {
    std::string problem;
    const auto command = read_command(text, problem);
    require(command.has_value() == problem.empty());
    if (command) require(command->verb < verb::open && command->most <= 1000);
    if (!command) require(!error_text("", problem, "").empty());
    const auto viewer = read_viewer_request(text, problem);
    require(viewer.has_value() == problem.empty());
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    write_seeds();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    check_gate(text);
    check_bodies(text);
    return 0;
}
