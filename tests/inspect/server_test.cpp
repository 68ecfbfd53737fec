// The server of the live page, and clients that attack it. The test is the lane: it sends messages and takes commands.

#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/inspect_error.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

using namespace std::chrono_literals;
using hsm::inspect::page_options;

namespace {

const std::string right_token = "0123456789abcdef";
constexpr std::size_t most_body = 8u << 20; // bytes

class connection {
public:
    explicit connection(std::uint16_t port, int receive_buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
        const timeval limit{30, 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0);
    }
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection() { ::close(socket_); }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return; // the server has closed the connection: read_all returns its answer
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// Reads until the text contains `end`, the server closes the connection, or a minute has passed. Returns all bytes since the last call.
    std::string read_until(std::string_view end) {
        std::string text;
        char some[65536];
        const auto limit = std::chrono::steady_clock::now() + 60s; // the stream of an idle page never ends
        for (std::size_t searched = 0; text.find(end, searched) == text.npos && std::chrono::steady_clock::now() < limit;) {
            searched = text.size() - std::min(text.size(), end.size());
            const auto count = ::recv(socket_, some, sizeof(some), 0);
            if (count <= 0) break;
            text.append(some, static_cast<std::size_t>(count));
        }
        return text;
    }
    std::string read_all() { return read_until({"\0never sent\0", 12}); }

private:
    int socket_;
};

int status_of(std::string_view answer) { return answer.starts_with("HTTP/1.1 ") ? std::stoi(std::string(answer.substr(9, 3))) : 0; }

class test_page {
public:
    explicit test_page(page_options options = {}) : hub(with_token(options)), lane(hub.new_feed()) {
        const auto url = hub.url();
        port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }

    /// Replaces PORT by the server's port.
    std::string with_port(std::string text) const {
        for (auto at = text.find("PORT"); at != text.npos; at = text.find("PORT", at)) text.replace(at, 4, fmt::format("{}", port));
        return text;
    }
    /// Returns a request with these header lines, each with its end.
    std::string request(std::string_view what, std::string_view lines, std::string_view body = {}) const {
        const auto length = body.empty() ? std::string() : fmt::format("Content-Length: {}\r\n", body.size());
        return with_port(fmt::format("{} HTTP/1.1\r\n{}{}\r\n", what, lines, length)) + std::string(body);
    }
    std::string ask_with(std::string_view what, std::string_view lines, std::string_view body = {}) const {
        connection client(port);
        client.send(request(what, lines, body));
        return client.read_all();
    }
    std::string ask(std::string_view what, std::string_view body = {}) const { return ask_with(what, own_lines(), body); }
    static std::string own_lines() { return fmt::format("Host: 127.0.0.1:PORT\r\nX-Hsm-Token: {}\r\n", right_token); }

    void add(std::uint32_t id, std::string name) {
        lane.send(hsm::inspect::detail::machine_added{.id = id, .kind = hsm::inspect::detail::machine_kind::manager, .name = std::move(name)});
    }
    void begin_stream(connection& viewer) const { viewer.send(request("GET /api/stream", own_lines())); }
    std::optional<hsm::inspect::detail::command> wait_for_command() {
        const auto limit = std::chrono::steady_clock::now() + 30s;
        auto command = lane.pop_command();
        for (; !command && std::chrono::steady_clock::now() < limit; command = lane.pop_command()) std::this_thread::sleep_for(1ms);
        return command;
    }
    /// Returns whether the server accepts another viewer within 30 seconds.
    bool accepts_viewer() const {
        for (const auto limit = std::chrono::steady_clock::now() + 30s; std::chrono::steady_clock::now() < limit; std::this_thread::sleep_for(20ms)) {
            connection viewer(port);
            begin_stream(viewer);
            if (status_of(viewer.read_until("\r\n\r\n")) == 200) return true;
        }
        return false;
    }

    hsm::inspect::detail::hub hub;
    hsm::inspect::detail::feed& lane;
    std::uint16_t port = 0;

private:
    static page_options with_token(page_options options) {
        options.token = right_token;
        options.print = false;
        return options;
    }
};

} // namespace

TEST_CASE("requests that name another server are refused") {
    const test_page page;
    for (const auto* host : {"attacker.example", "attacker.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.attacker.example:PORT",
                             "127.0.0.1:PORT.attacker.example", "0.0.0.0:PORT", ""})
        for (const auto* path : {"GET /", "GET /api/trace/1", "POST /api/command"}) {
            CAPTURE(host);
            CAPTURE(path);
            CHECK(status_of(page.ask_with(path, fmt::format("Host: {}\r\nX-Hsm-Token: {}\r\n", host, right_token))) == 403);
        }
    CHECK(status_of(page.ask_with("GET /", "")) == 403);
    for (const auto* host : {"127.0.0.1:PORT", "localhost:PORT"}) CHECK(status_of(page.ask_with("GET /", fmt::format("Host: {}\r\n", host))) == 200);
}

TEST_CASE("requests to a server on all addresses must name it by a numeric address") {
    const hsm::inspect::detail::gate gate("0.0.0.0", 80, right_token, false);
    const auto status = [&](std::string_view host) { return gate.check({"GET", "/", host, {}, {}, {}}).status; };
    for (const auto* host : {"192.168.1.5:80", "127.0.0.1:80", "[fe80::1]:80"}) CHECK(status(host) == 0);
    for (const auto* host : {"bad.cafe:80", "fade.de:80", "[bad.cafe:80", "attacker.example:80"}) CHECK(status(host) == 403);
}

TEST_CASE("many refused requests do not lock out the page") {
    hsm::inspect::detail::gate gate("127.0.0.1", 80, right_token, false);
    std::chrono::steady_clock::time_point now{1h};
    const auto status = [&](std::string_view host) { return gate.admit({"GET", "/", host, {}, {}, {}}, now).status; };
    for (int i = 0; i < 200; ++i) CHECK(status("attacker.example") == 403);
    CHECK(status("attacker.example") == 429);
    for (int i = 0; i < 200; ++i) CHECK(status("127.0.0.1:80") == 0);
    CHECK(status("127.0.0.1:80") == 429);
    now += 5ms; // one request of 200 per second
    CHECK(status("127.0.0.1:80") == 0);
    CHECK(status("127.0.0.1:80") == 429);
}

TEST_CASE("requests of other web sites are refused, also with the token") {
    const test_page page;
    struct {
        const char* line;
        int status;
    } const cases[] = {
        {"Origin: http://attacker.example\r\n", 403},
        {"Origin: http://attacker.example:PORT\r\n", 403},
        {"Origin: https://127.0.0.1:PORT\r\n", 403},
        {"Origin: http://127.0.0.1:1\r\n", 403},
        {"Origin: null\r\n", 403},
        {"Sec-Fetch-Site: cross-site\r\n", 403},
        {"Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\n", 403},
        {"Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: same-origin\r\n", 404},
    };
    for (const auto& each : cases) {
        CAPTURE(each.line);
        CHECK(status_of(page.ask_with("GET /api/trace/1", page.own_lines() + each.line)) == each.status);
    }
    CHECK(page.ask("GET /").find("Access-Control") == std::string::npos);
}

TEST_CASE("a missing or wrong token is refused") {
    const test_page page;
    struct {
        std::string token;
        int status;
    } const cases[] = {
        {"", 401},
        {"0", 401},
        {right_token.substr(1), 401},
        {right_token + "0", 401},
        {"1" + right_token.substr(1), 401},
        {right_token.substr(0, 15) + "e", 401},
        {"0123456789ABCDEF", 401},
        {right_token, 404},
    };
    for (const auto& each : cases)
        for (const auto* what : {"GET /api/trace/1", "GET /api/chart/00000000000000000000000000000000"}) {
            CAPTURE(each.token);
            CHECK(status_of(page.ask_with(what, fmt::format("Host: 127.0.0.1:PORT\r\nX-Hsm-Token: {}\r\n", each.token))) == each.status);
        }
    connection stranger(page.port);
    stranger.send(page.request("GET /api/stream", "Host: 127.0.0.1:PORT\r\n"));
    const auto refused = stranger.read_until("\r\n\r\n"); // a stream would not end
    CHECK(status_of(refused) == 401);
    CHECK(refused.find(right_token) == std::string::npos);
    CHECK(status_of(page.ask_with(fmt::format("GET /api/trace/1?token={}", right_token), "Host: 127.0.0.1:PORT\r\n")) == 401);
}

TEST_CASE("with open_reading, requests without a token can read but cannot send commands") {
    test_page page({.open_reading = true});
    const auto ask = [&](const char* what, const char* body) { return status_of(page.ask_with(what, "Host: 127.0.0.1:PORT\r\n", body)); };
    CHECK(ask("GET /api/trace/1", "") == 404);
    CHECK(ask("POST /api/command", R"({"id":1,"verb":"save"})") == 404);
    CHECK(ask("POST /api/command", R"({"id":1,"verb":"start"})") == 401);
    CHECK(ask("POST /api/command", R"({"id":1,"verb":"agent","index":1,"generation":1})") == 401); // it would fill the list
    CHECK(status_of(page.ask_with("GET /api/trace/1", "Host: 127.0.0.1:PORT\r\nX-Hsm-Token: wrong\r\n")) == 401);
}

TEST_CASE("other methods and unknown paths are refused") {
    const test_page page;
    for (const auto* method : {"PUT", "DELETE", "PATCH", "OPTIONS"}) {
        CAPTURE(method);
        CHECK(status_of(page.ask(fmt::format("{} /api/command", method))) == 405);
    }
    CHECK(status_of(page.ask("POST /")) == 405);
    for (const auto* path : {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/main.js%00.html", "/api/trace/-1", "/api/unknown"}) {
        CAPTURE(path);
        CHECK(status_of(page.ask(fmt::format("GET {}", path))) == 404);
    }
    CHECK(page.ask("GET /<script>alert(1)</script>").find("<script") == std::string::npos);
}

TEST_CASE("response headers forbid foreign content, frames and caches") {
    const test_page page;
    for (const auto* path : {"GET /", "GET /api/trace/1", "GET /unknown", "PUT /"}) {
        const auto answer = page.ask(path);
        CAPTURE(answer);
        for (const auto* line : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
                                 "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store", "Referrer-Policy: no-referrer"})
            CHECK(answer.find(line) != std::string::npos);
        CHECK(answer.find("unsafe-inline") == std::string::npos);
    }
}

TEST_CASE("a body that is too long is refused, with and without a length") {
    const test_page page;
    CHECK(status_of(page.ask("POST /api/command", std::string(most_body + 1, ' '))) == 413);
    CHECK(status_of(page.ask("POST /api/command", std::string(most_body, ' '))) == 400);
    connection client(page.port);
    client.send(page.request("POST /api/command", page.own_lines() + "Transfer-Encoding: chunked\r\n"));
    client.send(fmt::format("{:x}\r\n", most_body) + std::string(most_body, ' ') + "\r\n");
    client.send("1\r\n ");
    CHECK(status_of(client.read_all()) == 413);
}

TEST_CASE("a request line that is too long is refused") {
    const test_page page;
    CHECK(status_of(page.ask("GET /" + std::string(10'000, 'a'))) == 414);
}

TEST_CASE("responses are not compressed") {
    const test_page page;
    const auto answer = page.ask_with("GET /style.css", page.own_lines() + "Accept-Encoding: gzip, deflate, br\r\n");
    CHECK(status_of(answer) == 200);
    CHECK(answer.find("Content-Encoding") == std::string::npos);
    CHECK(answer.find(":root {") != std::string::npos);
}

TEST_CASE("the size of headers is limited, and a long path is an unknown path") {
    const test_page page;
    std::string headers = page.own_lines();
    for (int i = 0; i < 4000; ++i) headers += fmt::format("X-{}: 1\r\n", i);
    CHECK(page.ask_with("GET /", headers).empty());
    CHECK(status_of(page.ask("GET /" + std::string(8000, 'a'))) == 404);
}

TEST_CASE("a page with clients that send nothing ends quickly") {
    std::list<connection> idle;
    std::chrono::steady_clock::time_point begin;
    {
        const test_page page;
        for (const auto* half : {"", "GET / HTTP/1.1\r\n"}) idle.emplace_back(page.port).send(half);
        connection viewer(page.port);
        page.begin_stream(viewer);
        REQUIRE(status_of(viewer.read_until("event: hello")) == 200); // the server has accepted the others before
        begin = std::chrono::steady_clock::now();
    }
    CHECK(std::chrono::steady_clock::now() - begin < 3s); // without idle clients it takes some milliseconds
}

TEST_CASE("a page can end while the server greets a viewer") {
    for (int i = 0; i < 100; ++i) {
        std::list<connection> viewers;
        const test_page page;
        for (int k = 0; k < 4; ++k) page.begin_stream(viewers.emplace_back(page.port));
    }
}

TEST_CASE("a body that is not a command is refused with a reason") {
    const test_page page;
    for (const std::string body : {"x", "[]", "{", "{}", R"({"id":-1,"verb":"start"})", R"({"id":4294967296,"verb":"start"})",
                                   R"({"id":1,"verb":"fly"})", R"({"id":1,"verb":"open"})", R"({"id":1,"verb":"process","event":7})", "\xff\xfe"}) {
        CAPTURE(body);
        const auto answer = page.ask("POST /api/command", body);
        CHECK(status_of(answer) == 400);
        CHECK(answer.find(R"("message":")") != std::string::npos);
    }
    CHECK(status_of(page.ask("POST /api/command", std::string(100'000, '['))) == 400);
    CHECK(status_of(page.ask("POST /api/open", R"({"viewer":1,"id":1})")) == 404);
    CHECK(status_of(page.ask("POST /api/open", "null")) == 400);
}

TEST_CASE("a command reaches the lane, and the client receives its result") {
    test_page page;
    connection viewer(page.port), client(page.port);
    page.begin_stream(viewer);
    page.add(1, "hero");
    REQUIRE(viewer.read_until("\"hero\"").find("event: hello") != std::string::npos);
    client.send(page.request("POST /api/command", page.own_lines(), R"({"id":1,"verb":"process","event":"hit"})"));
    const auto command = page.wait_for_command();
    REQUIRE(command);
    CHECK(command->event == "hit");
    page.lane.send(hsm::inspect::detail::command_done{command->number, 0, 1, command->verb, {.outcome = "taken"}});
    const auto answer = client.read_all();
    CHECK(status_of(answer) == 200);
    CHECK(answer.find(R"("outcome":"taken")") != std::string::npos);
}

TEST_CASE("the body of a refused request is not run as a second request") {
    test_page page;
    connection viewer(page.port);
    page.begin_stream(viewer);
    page.add(1, "hero");
    REQUIRE(viewer.read_until("\"hero\"").find("\"hero\"") != std::string::npos);
    const auto second = page.request("POST /api/command", page.own_lines(), R"({"id":1,"verb":"start"})");
    const auto answer = page.ask_with("POST /api/command", "Host: 127.0.0.1:PORT\r\nX-Hsm-Token: wrong\r\n", second);
    CHECK(status_of(answer) == 401);
    CHECK(answer.find("HTTP/1.1 ", 1) == std::string::npos);
    CHECK_FALSE(page.lane.pop_command());
}

TEST_CASE("names that contain HTML arrive as data") {
    const std::string name = "</script><img src=x onerror=\"alert(1)\">\n\ndata: {}";
    test_page page;
    page.add(1, name);
    page.add(2, "bad \xff byte");
    page.add(3, "last");
    connection viewer(page.port);
    page.begin_stream(viewer);
    auto text = viewer.read_until("\"last\"");
    text += viewer.read_until("\n\n");
    CHECK(text.find("Content-Type: text/event-stream") != std::string::npos);
    std::size_t found = 0;
    for (auto at = text.find("\ndata: "); at != text.npos; at = text.find("\ndata: ", at + 1)) {
        const auto data = nlohmann::json::parse(text.substr(at + 7, text.find('\n', at + 7) - at - 7));
        for (const auto* list : {"all", "machines"})
            if (data.contains(list))
                for (const auto& machine : data[list]) found += machine["name"] == name || machine["name"] == "bad \xef\xbf\xbd byte";
    }
    CHECK(found == 2);
}

TEST_CASE("a chart is known until the last machine that has it is removed") {
    struct no_context {};
    auto lamp = hsm::make_fsm<no_context>("lamp");
    lamp->add("off");
    const auto chart = hsm::compile(std::move(lamp));
    test_page page;
    const auto send = [&](std::uint32_t id) {
        page.lane.send(
            hsm::inspect::detail::machine_added{.id = id, .kind = hsm::inspect::detail::machine_kind::instance, .name = "lamp", .chart = chart});
    };
    const auto request = fmt::format("GET /api/chart/{}", chart.fingerprint().to_string());
    const auto becomes = [&](int status) {
        const auto limit = std::chrono::steady_clock::now() + 30s;
        while (status_of(page.ask(request)) != status && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(10ms);
        return status_of(page.ask(request)) == status;
    };
    send(1);
    send(2);
    CHECK(becomes(200));
    connection viewer(page.port); // its stream reports what the hub has handled
    page.begin_stream(viewer);
    viewer.read_until("event: machines");
    page.lane.send(hsm::inspect::detail::machine_removed{1});
    viewer.read_until("event: removed");
    CHECK(status_of(page.ask(request)) == 200);
    page.lane.send(hsm::inspect::detail::machine_removed{2});
    CHECK(becomes(404));
    send(3);
    CHECK(becomes(200));
}

TEST_CASE("the first event of a viewer is its number, also if the list of machines is ready") {
    test_page page;
    page.add(1, "hero");
    for (int i = 0; i < 3; ++i) {
        const auto viewer = page.hub.join(false);
        std::string text, more;
        for (const auto limit = std::chrono::steady_clock::now() + 30s; text.find("hero") == text.npos && std::chrono::steady_clock::now() < limit;
             text += more)
            page.hub.take(*viewer, more, 30s);
        CHECK(text.starts_with("event: hello\n"));
        CHECK(text.find(fmt::format("\"viewer\":{}", viewer->number)) < text.find("event: machines"));
        page.hub.leave(*viewer);
    }
}

TEST_CASE("a viewer beyond the limit is refused until another one leaves") {
    const test_page page({.most = {.viewers = 1}});
    {
        connection viewer(page.port);
        page.begin_stream(viewer);
        REQUIRE(viewer.read_until("event: hello").find("event: hello") != std::string::npos);
        CHECK(status_of(page.ask("GET /api/stream")) == 503);
    }
    CHECK(page.accepts_viewer());
}

TEST_CASE("a viewer that stops reading is dropped, while others are served") {
    test_page page({.most = {.viewers = 2}});
    connection stalled(page.port, 4096), reader(page.port);
    page.begin_stream(stalled);
    REQUIRE(status_of(stalled.read_until("event: hello")) == 200);
    page.begin_stream(reader);
    REQUIRE(status_of(reader.read_until("event: hello")) == 200);
    const std::string long_name(1'000'000, 'x'); // together, more than the buffers of the connection
    for (std::uint32_t id = 1; id <= 16; ++id) {
        page.add(id, fmt::format("{} {}", long_name, id));
        REQUIRE(reader.read_until(fmt::format(" {}\"", id)).size() > long_name.size());
    }
    CHECK(page.accepts_viewer());
    page.add(17, "later");
    CHECK(reader.read_until("\"later\"").find("\"later\"") != std::string::npos);
}

TEST_CASE("each viewer gets the number of lost records, also one that joins later") {
    test_page page({.most = {.ring = 2}});
    for (int i = 0; i < 100; ++i) page.lane.ring().push({});
    for (int i = 0; i < 2; ++i) {
        connection viewer(page.port);
        page.begin_stream(viewer);
        auto text = viewer.read_until("event: machines");
        text += viewer.read_until(":\n\n"); // the stream is idle
        CHECK(text.find("event: dropped\ndata: {\"lane\":0,\"total\":") != std::string::npos);
    }
}

TEST_CASE("clients that send half a request do not occupy the server forever") {
    const test_page page({.most = {.viewers = 1}});
    std::list<connection> halves; // more than the server has threads
    for (const auto* half : {"", "GET / HT", "GET / HTTP/1.1\r\nHost: 127", "POST /api/command HTTP/1.1\r\n"})
        for (int i = 0; i < 2; ++i) halves.emplace_back(page.port).send(half);
    CHECK(status_of(page.ask("GET /")) == 200);
}

TEST_CASE("a port in use is HSM-401") {
    const test_page page;
    try {
        const hsm::inspect::detail::hub second({.port = page.port, .print = false});
        FAIL("two servers listen on one port");
    } catch (const hsm::inspect::inspect_error& e) {
        CHECK(e.number() == hsm::code::cannot_listen);
        CHECK(std::string_view(e.what()).find("HSM-401") != std::string_view::npos);
    }
    CHECK(status_of(page.ask("GET /")) == 200);
}

TEST_CASE("open_reading at an address that is not loopback is HSM-402") {
    try {
        const hsm::inspect::detail::hub open({.host = "0.0.0.0", .open_reading = true, .print = false});
        FAIL("every computer could read");
    } catch (const hsm::inspect::inspect_error& e) {
        CHECK(e.number() == hsm::code::open_elsewhere);
        CHECK(std::string_view(e.what()).find("HSM-402") != std::string_view::npos);
    }
}
