#include <hsm/tool/detail/page_client.hpp>

#include <hsm/inspect/inspect_error.hpp>
#include <hsm/op/detail/format.hpp>

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace hsm::detail::tool {

namespace {

constexpr std::size_t most_waiting = 64;            ///< events that were not taken. Then the stream waits, and the page leaves out records
constexpr std::size_t longest_event = 64u << 20;    ///< bytes
constexpr time_t connect_limit = 5, read_limit = 5; ///< seconds; the page sends a comment twice a second

std::string server_of(const std::string& url) {
    constexpr std::string_view scheme = "http://";
    if (!url.starts_with(scheme) || url.size() == scheme.size())
        throw inspect::inspect_error(code::unreachable_page, fmt::format("\"{}\" is not the URL of a live page", url),
                                     "pass the URL that the program printed: http://127.0.0.1:PORT/#TOKEN");
    return url.substr(0, url.find_first_of("/#", scheme.size()));
}

std::string token_of(const std::string& url) {
    const auto mark = url.find('#');
    return mark == url.npos ? std::string() : url.substr(mark + 1);
}

} // namespace

struct page_client::parts {
    explicit parts(const std::string& url) : server(server_of(url)), stream_client(server) {
        if (const auto token = token_of(url); !token.empty()) headers.emplace("X-Hsm-Token", token);
        set_limits(stream_client);
    }

    static void set_limits(httplib::Client& client) {
        client.set_connection_timeout(connect_limit);
        client.set_read_timeout(read_limit);
    }
    [[noreturn]] void refuse(httplib::Error why) const {
        throw inspect::inspect_error(code::unreachable_page, fmt::format("the live page at {} does not answer ({})", server, httplib::to_string(why)),
                                     "check that the program runs; a new run can have another port");
    }
    void check(int status) const {
        if (status >= 200 && status < 300) return;
        if (status == 401)
            throw inspect::inspect_error(code::refused_request, fmt::format("the live page at {} refuses the token", server),
                                         "pass the complete URL in quotes, with the part after #; a new run has a new token");
        throw inspect::inspect_error(code::refused_request, fmt::format("the live page at {} refuses a request (status {})", server, status),
                                     status == 503   ? "close another viewer"
                                     : status == 404 ? "check whether the machine was removed"
                                                     : "use the version of hsm with which the program was built");
    }
    std::string checked(const httplib::Result& done) const {
        if (!done) refuse(done.error());
        check(done->status);
        return done->body;
    }

    void read_stream();
    bool take(const char* bytes, std::size_t count);
    bool push(page_event&& e);

    const std::string server;
    httplib::Headers headers;
    httplib::Client stream_client;
    std::string text; ///< of the stream, after the last complete event
    std::mutex mutex; ///< of everything below
    std::condition_variable changed;
    std::deque<page_event> events;
    std::exception_ptr failure;
    bool has_ended = false, stops = false;
    std::thread reader;
};

void page_client::parts::read_stream() {
    std::exception_ptr problem;
    int status = 0;
    const auto done = stream_client.Get(
        "/api/stream", headers, [&](const httplib::Response& head) { return (status = head.status) == 200; },
        [&](const char* bytes, std::size_t count) { return take(bytes, count); });
    try {
        if (status == 0) refuse(done.error());
        check(status);
    } catch (...) {
        problem = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = problem;
    has_ended = true;
    changed.notify_all();
}

bool page_client::parts::take(const char* bytes, std::size_t count) {
    if (text.size() + count > longest_event) return false;
    const auto searched = text.empty() ? 0 : text.size() - 1;
    text.append(bytes, count);
    std::size_t begin = 0;
    for (auto end = text.find("\n\n", searched); end != text.npos; end = text.find("\n\n", begin)) {
        const auto block = std::string_view(text).substr(begin, end - begin);
        begin = end + 2;
        constexpr std::string_view name = "event: ", data = "\ndata: ";
        const auto at = block.find(data);
        if (!block.starts_with(name) || at == block.npos) continue; // a comment: the page has no news
        if (!push({std::string(block.substr(name.size(), at - name.size())), std::string(block.substr(at + data.size()))})) return false;
    }
    text.erase(0, begin);
    return true;
}

/// Returns false if the client ends.
bool page_client::parts::push(page_event&& e) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stops || events.size() < most_waiting; });
    if (stops) return false;
    events.push_back(std::move(e));
    changed.notify_all();
    return true;
}

page_client::page_client(const std::string& url) : parts_(make_owned<parts>(url)) {
    parts_->reader = std::thread([&its = *parts_] { its.read_stream(); });
}

page_client::~page_client() {
    {
        const std::lock_guard lock(parts_->mutex);
        parts_->stops = true;
    }
    parts_->changed.notify_all();
    parts_->stream_client.stop();
    parts_->reader.join();
}

page_source::arrival page_client::next(page_event& to, std::chrono::milliseconds wait) {
    std::unique_lock lock(parts_->mutex);
    parts_->changed.wait_for(lock, wait, [&] { return !parts_->events.empty() || parts_->has_ended; });
    if (!parts_->events.empty()) {
        to = std::move(parts_->events.front());
        parts_->events.pop_front();
        parts_->changed.notify_all();
        return arrival::event;
    }
    if (!parts_->has_ended) return arrival::nothing;
    if (parts_->failure) std::rethrow_exception(std::exchange(parts_->failure, nullptr));
    return arrival::end;
}

std::string page_client::get(const std::string& path) {
    httplib::Client client(parts_->server);
    parts::set_limits(client);
    return parts_->checked(client.Get(path, parts_->headers));
}

void page_client::post(const std::string& path, const std::string& body) {
    httplib::Client client(parts_->server);
    parts::set_limits(client);
    parts_->checked(client.Post(path, parts_->headers, body, "application/json"));
}

} // namespace hsm::detail::tool
