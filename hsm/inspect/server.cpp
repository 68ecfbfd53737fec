#include <hsm/inspect/detail/hub.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/inspect/detail/pictures.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>

#include <httplib.h>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#ifndef HSM_PAGE_FOLDER // the build defines it
#define HSM_PAGE_FOLDER "."
#endif

// The assembler includes each file between two symbols.
#define HSM_PAGE_FILE(symbol, name, type)                                                                                                            \
    HSM_ELF_ASSEMBLY(".pushsection .rodata, \"a\"\n"                                                                                                 \
                     ".hidden hsm_page_" #symbol "\n.global hsm_page_" #symbol "\n"                                                                  \
                     "hsm_page_" #symbol ":\n.incbin \"" HSM_PAGE_FOLDER "/" name "\"\n"                                                             \
                     ".hidden hsm_page_" #symbol "_end\n.global hsm_page_" #symbol "_end\n"                                                          \
                     "hsm_page_" #symbol "_end:\n.byte 0\n.popsection\n");                                                                           \
    extern "C" const char hsm_page_##symbol[], hsm_page_##symbol##_end[];

#define HSM_PAGE_SCRIPT(use, symbol) use(symbol, #symbol ".js", "text/javascript")
#define HSM_PAGE_FILES(use)                                                                                                                          \
    use(index, "index.html", "text/html") use(style, "style.css", "text/css") HSM_PAGE_SCRIPT(use, boxes) HSM_PAGE_SCRIPT(use, commands)             \
        HSM_PAGE_SCRIPT(use, dom) HSM_PAGE_SCRIPT(use, list) HSM_PAGE_SCRIPT(use, log) HSM_PAGE_SCRIPT(use, main) HSM_PAGE_SCRIPT(use, model)        \
            HSM_PAGE_SCRIPT(use, picture) HSM_PAGE_SCRIPT(use, populations) HSM_PAGE_SCRIPT(use, stream) HSM_PAGE_SCRIPT(use, timeline)              \
                HSM_PAGE_SCRIPT(use, why)
HSM_PAGE_FILES(HSM_PAGE_FILE)

namespace hsm::inspect::detail {

namespace {

/// A file of the page, which is part of the library.
struct asset {
    std::string_view text; ///< empty: there is no such file
    const char* type = "";
};
/// Finds a file by the path of a request: "/", "/style.css", "/main.js".
asset find_asset(std::string_view path) {
    if (path == "/") path = "/index.html";
#define HSM_PAGE_ENTRY(symbol, name, type)                                                                                                           \
    if (path == "/" name) return {{hsm_page_##symbol, static_cast<std::size_t>(hsm_page_##symbol##_end - hsm_page_##symbol)}, type "; charset=utf-8"};
    HSM_PAGE_FILES(HSM_PAGE_ENTRY)
    return {};
}

constexpr std::size_t most_body = 8u << 20; ///< bytes: documents are uploaded
constexpr std::chrono::milliseconds command_wait{2000};
constexpr std::chrono::milliseconds heartbeat{500};
constexpr std::size_t most_head = 32u << 10; ///< bytes: the request line and the headers
constexpr std::chrono::seconds head_wait{5}, body_wait{30}, write_wait{5};

/// The connection of one request. The library does not limit the number of headers and the time of a request.
class connection final : public httplib::Stream {
public:
    /// `listens` becomes INVALID_SOCKET when the server ends.
    connection(socket_t s, const std::atomic<socket_t>& listens) : socket_(s), listens_(listens) {}

    /// Reads up to the end of the headers. Returns false if there is no such end.
    bool read_head() {
        const auto end = std::chrono::steady_clock::now() + head_wait;
        while (input_.find("\r\n\r\n") == input_.npos)
            if (input_.size() > most_head || !receive(end)) return false;
        body_end_ = std::chrono::steady_clock::now() + body_wait;
        return true;
    }
    bool is_readable() const override { return at_ < input_.size() || waits_for(POLLIN, body_end_); }
    bool is_writable() const override {
        char byte = 0;
        return waits_for(POLLOUT, std::chrono::steady_clock::now() + write_wait) && ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
    }
    ssize_t read(char* to, std::size_t size) override {
        if (at_ == input_.size()) {
            input_.clear();
            at_ = 0;
            if (!receive(body_end_)) return 0;
        }
        const auto count = input_.copy(to, size, at_);
        at_ += count;
        return static_cast<ssize_t>(count);
    }
    ssize_t write(const char* from, std::size_t size) override {
        for (std::size_t sent = 0; sent < size;) {
            if (!waits_for(POLLOUT, std::chrono::steady_clock::now() + write_wait)) return -1; // it does not read
            const auto count = ::send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count >= 0)
                sent += static_cast<std::size_t>(count);
            else if (errno != EAGAIN && errno != EINTR)
                return -1;
        }
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return socket_; }

private:
    bool waits_for(short what, std::chrono::steady_clock::time_point end) const {
        do {
            pollfd one{socket_, what, 0};
            if (::poll(&one, 1, 50) > 0) return true;
        } while (listens_ != INVALID_SOCKET && std::chrono::steady_clock::now() < end);
        return false;
    }
    bool receive(std::chrono::steady_clock::time_point end) {
        char some[8192];
        if (!waits_for(POLLIN, end)) return false;
        const auto count = ::recv(socket_, some, sizeof(some), 0);
        if (count > 0) input_.append(some, static_cast<std::size_t>(count));
        return count > 0;
    }

    const socket_t socket_;
    const std::atomic<socket_t>& listens_;
    std::string input_; ///< read, but not taken before at_
    std::size_t at_ = 0;
    std::chrono::steady_clock::time_point body_end_;
};

/// Answers one request for each connection. Otherwise the unread body of a refused request would be read as the next request.
class http_server final : public httplib::Server {
    bool process_and_close_socket(socket_t s) override {
        connection client(s, svr_sock_);
        bool is_closed = false;
        // The library would compress with the highest quality of Brotli, which takes seconds for a large dictionary.
        const auto set_up = [](httplib::Request& request) { request.headers.erase("Accept-Encoding"); };
        const bool done = client.read_head() && process_request(client, true, is_closed, set_up);
        ::shutdown(s, SHUT_RDWR);
        ::close(s);
        return done;
    }
};

void reply(httplib::Response& to, const std::string& body) { to.set_content(body, "application/json"); }
void refuse(httplib::Response& to, const refusal& why) {
    to.status = why.status;
    to.set_content(error_text("", why.message, why.hint), "application/json");
}

/// Reads a body, also without a length, up to the limit. Returns nothing if it is too long.
std::optional<std::string> body_of(const httplib::ContentReader& reader) {
    std::string body;
    const bool all = reader([&](const char* bytes, std::size_t count) {
        if (body.size() + count > most_body) return false;
        body.append(bytes, count);
        return true;
    });
    return all ? std::optional(std::move(body)) : std::nullopt;
}

class page_server final : public server {
public:
    page_server(const page_options& options, hub& machines);
    ~page_server() override {
        if (!listener_.joinable()) return;
        http_.stop();
        listener_.join();
    }

private:
    void set_up();
    bool may_command(const httplib::Request& from) const { return gate_->is_token(from.get_header_value("X-Hsm-Token")); }
    void stream(const httplib::Request& from, httplib::Response& to);
    void command(const httplib::Request& from, httplib::Response& to, const std::string& body);
    void show(httplib::Response& to, const std::string& body, bool on);
    void send_picture(httplib::Response& to, const std::string& chart);

    hub& machines_;
    const page_options options_;
    std::optional<gate> gate_;
    pictures pictures_;
    http_server http_;
    std::thread listener_;
};

page_server::page_server(const page_options& options, hub& machines) : machines_(machines), options_(options) {
    if (options.open_reading && !is_loopback(options.host))
        throw inspect_error(code::open_elsewhere, fmt::format("open_reading is set, and {} is not a loopback address", options.host),
                            "clear open_reading, or listen on 127.0.0.1");
    // Without SO_REUSEPORT, which the library sets by default: another server could listen on the same port.
    http_.set_socket_options([](socket_t s) {
        const int yes = 1;
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    const int port = options.port == 0 ? http_.bind_to_any_port(options.host) : (http_.bind_to_port(options.host, options.port) ? options.port : -1);
    if (port < 0)
        throw inspect_error(code::cannot_listen, fmt::format("the page cannot listen on {}, port {}", options.host, options.port),
                            options.port == 0 ? "choose an address of this computer" : "choose another port, or 0 for any free port");
    const auto host = options.host.find(':') != std::string::npos && options.host[0] != '[' ? fmt::format("[{}]", options.host) : options.host;
    gate_.emplace(host, static_cast<std::uint16_t>(port), options.token.empty() ? random_token() : options.token, options.open_reading);
    url = fmt::format("http://{}:{}/#{}", host, port, gate_->token());
    set_up();
    if (options_.print) {
        std::fprintf(stderr, "live page: %s\n", url.c_str());
        if (!is_loopback(options_.host))
            std::fprintf(stderr, "warning: other computers can connect to the live page, and traffic is not encrypted\n");
    }
    listener_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::yield(); // otherwise a stop could be lost
}

void page_server::set_up() {
    http_.new_task_queue = [this] { return new httplib::ThreadPool(options_.most.viewers + 6); }; // a stream occupies a thread
    http_.set_payload_max_length(most_body);
    http_.set_default_headers({{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                                           "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
                               {"X-Content-Type-Options", "nosniff"},
                               {"Cross-Origin-Resource-Policy", "same-origin"},
                               {"Cross-Origin-Opener-Policy", "same-origin"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cache-Control", "no-store"}});
    http_.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& out) {
        using status = httplib::Server::HandlerResponse;
        const auto host = from.get_header_value("Host"), origin = from.get_header_value("Origin"), site = from.get_header_value("Sec-Fetch-Site"),
                   token = from.get_header_value("X-Hsm-Token");
        const auto no = gate_->admit({from.method, from.path, host, origin, site, token}, std::chrono::steady_clock::now());
        if (no) {
            refuse(out, no);
        } else if (from.path.starts_with("/api/")) {
            return status::Unhandled;
        } else {
            const auto file = find_asset(from.path);
            file.text.empty() ? refuse(out, {404, "unknown path", "open /"}) : out.set_content(file.text.data(), file.text.size(), file.type);
        }
        return status::Handled;
    });
    http_.set_exception_handler([](const httplib::Request&, httplib::Response& out, std::exception_ptr) {
        refuse(out, {500, "the server failed", "the memory may be exhausted"});
    });
    http_.set_error_handler([](const httplib::Request&, httplib::Response& out) {
        if (out.body.empty()) refuse(out, {out.status, "the request is not valid"});
    });

    http_.Get("/api/stream", [this](const httplib::Request& from, httplib::Response& out) { stream(from, out); });
    http_.Get("/api/chart/([0-9a-f]{32})", [this](const httplib::Request& from, httplib::Response& out) {
        const auto text = machines_.dictionary(from.matches[1]);
        text.empty() ? refuse(out, {404, "unknown chart", "no listed machine has this chart"}) : reply(out, text);
    });
    http_.Get("/api/picture/([0-9a-f]{32})", [this](const httplib::Request& from, httplib::Response& out) { send_picture(out, from.matches[1]); });
    http_.Get("/api/trace/([0-9]{1,9})", [this](const httplib::Request& from, httplib::Response& out) {
        const auto text = machines_.trace(static_cast<std::uint32_t>(std::strtoul(from.matches[1].str().c_str(), nullptr, 10)));
        if (text.empty()) return refuse(out, {404, "no records", "open the machine first"});
        out.set_header("Content-Disposition", "attachment; filename=\"machine.trace\"");
        out.set_content(text, "application/octet-stream");
    });
    const auto post = [&](const char* path, auto handle) {
        http_.Post(path, [handle](const httplib::Request& from, httplib::Response& out, const httplib::ContentReader& reader) {
            const auto body = body_of(reader);
            body ? handle(from, out, *body) : refuse(out, {413, "the body is too long", "send at most 8 MB"});
        });
    };
    post("/api/open", [this](const httplib::Request&, httplib::Response& out, const std::string& body) { show(out, body, true); });
    post("/api/close", [this](const httplib::Request&, httplib::Response& out, const std::string& body) { show(out, body, false); });
    post("/api/command", [this](const httplib::Request& from, httplib::Response& out, const std::string& body) { command(from, out, body); });
}

void page_server::stream(const httplib::Request& from, httplib::Response& to) {
    const auto who = machines_.join(may_command(from));
    if (!who) return refuse(to, {503, "too many viewers", "close another page"});
    to.set_chunked_content_provider(
        "text/event-stream",
        [this, who](std::size_t, httplib::DataSink& sink) {
            std::string text;
            if (!machines_.take(*who, text, heartbeat) || !sink.is_writable()) return false;
            if (text.empty()) text = ":\n\n";
            return sink.write(text.data(), text.size());
        },
        [this, who](bool) { machines_.leave(*who); });
}

void page_server::show(httplib::Response& to, const std::string& body, bool on) {
    std::string problem;
    const auto what = read_viewer_request(body, problem);
    const auto no = what ? machines_.show(what->viewer, what->machine, on) : refusal{400, problem};
    no ? refuse(to, no) : reply(to, "{}");
}

void page_server::command(const httplib::Request& from, httplib::Response& to, const std::string& body) {
    std::string problem;
    auto what = read_command(body, problem);
    if (!what) return refuse(to, {400, problem});
    if (!only_reads(what->verb) && !may_command(from))
        return refuse(to, {401, "commands need the token", "open the URL that the program printed, with the part after #"});
    if (const auto no = machines_.send(*what)) return refuse(to, no);
    const auto result = machines_.result_of(what->number, command_wait);
    if (result) return reply(to, text_of(what->number, *result));
    to.status = 202;
    reply(to, fmt::format(R"({{"number":{}}})", what->number));
}

void page_server::send_picture(httplib::Response& to, const std::string& chart) {
    const auto known = machines_.chart(chart);
    if (!known && machines_.dictionary(chart).empty()) return refuse(to, {404, "unknown chart", "no listed machine has this chart"});
    const auto drawn = known ? pictures_.of(known->view()) : picture{{}, "a trace contains only the names of the chart"};
    if (!drawn.svg.empty()) return to.set_content(drawn.svg, "image/svg+xml");
    to.status = 204;
    to.set_header("X-Hsm-Why", std::string(drawn.why));
}

} // namespace

owned<server> start_server(const page_options& options, hub& machines) { return make_owned<page_server>(options, machines); }

} // namespace hsm::inspect::detail
