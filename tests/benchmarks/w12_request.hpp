/// W12: the head of an HTTP/1 request, a byte at a time.
#pragma once

#include "machine.hpp"

namespace w12 {

struct head {
    void add(char c) { text[size++ % sizeof(text)] = c; }
    void end_of(unsigned part) {
        bench::count(part);
        bench::count(part + 8, size);
        size = 0;
    }
    void done() { bench::count(4); }
    void failed() { bench::count(5); }
    unsigned size = 0;
    char text[512] = {};
};
enum part : unsigned { of_method, of_target, of_name, of_value };

/// Some requests, over and over; one of them is none.
inline void make_requests() {
    constexpr std::string_view text =
        "GET /index.html?lang=en HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9\r\nAccept-Language: en-US,en;q=0.5\r\n\r\n"
        "POST /api/v1/items HTTP/1.1\r\nHost: api.example.com\r\nContent-Type: application/json\r\nContent-Length: 0\r\n"
        "X-Request-Id:4f6b3c21-7a55-4c0e\r\n\r\n"
        "bad request\r\n\r\n"
        "DELETE /a HTTP/1.0\r\n\r\n";
    for (std::size_t i = 0; i < bench::event_count; ++i) bench::events[i] = static_cast<std::uint8_t>(text[i % text.size()]);
}

inline constexpr auto define_request = [](auto& root) {
    auto& line = root.named("request").add_fsm("line");
    auto& method = line.add("method");
    auto& target = line.add("target");
    auto& version = line.add("version");
    auto& field = root.add_fsm("field");
    auto& begin = field.add("begin");
    auto& name = field.add("name");
    auto& blank = field.add("blank");
    auto& value = field.add("value");
    auto& end_of_line = root.add("end of line");
    auto& end_of_head = root.add("end of head");
    auto& garbage = root.add("garbage");
    auto& after_garbage = root.add("after garbage");

    constexpr auto add = [](head& h, char c) { h.add(c); };
    method.on(hsm::range('A', 'Z')).then(add);
    method.to(target).on(' ').then([](head& h) { h.end_of(of_method); });
    target.on(hsm::range('!', '~')).then(add);
    target.to(version).on(' ').then([](head& h) { h.end_of(of_target); });
    version.on(hsm::any('H', 'T', 'P', '/', '.', hsm::range('0', '9')));
    version.to(end_of_line).on('\r');
    end_of_line.to(begin).on('\n');

    constexpr auto of_token = hsm::any(hsm::range('a', 'z'), hsm::range('A', 'Z'), hsm::range('0', '9'), '-', '_');
    begin.to(name).on(of_token).then(add);
    begin.to(end_of_head).on('\r');
    name.on(of_token).then(add);
    name.to(blank).on(':').then([](head& h) { h.end_of(of_name); });
    blank.on(hsm::any(' ', '\t'));
    blank.to(value).on(hsm::range('!', '~')).then(add);
    blank.to(end_of_line).on('\r').then([](head& h) { h.end_of(of_value); });
    value.on(hsm::any('\t', hsm::range(' ', '~'))).then(add);
    value.to(end_of_line).on('\r').then([](head& h) { h.end_of(of_value); });
    end_of_head.to(method).on('\n').then([](head& h) { h.done(); });

    // Whatever does not belong there; then as far as the next empty line.
    constexpr auto fail = [](head& h) {
        h.size = 0;
        h.failed();
    };
    for (auto* state : {&method, &target, &version, &begin, &name, &blank, &value, &end_of_line, &end_of_head})
        state->to(garbage).on(hsm::otherwise<char>()).then(fail);
    garbage.to(after_garbage).on('\n');
    garbage.on(hsm::otherwise<char>());
    after_garbage.to(method).on('\n');
    after_garbage.on('\r');
    after_garbage.to(garbage).on(hsm::otherwise<char>());
};
inline constexpr auto request_chart = hsm::constant_chart<head>(define_request);

class request_by_hand {
public:
    void start() {}
    void process(unsigned char byte) {
        const char c = static_cast<char>(byte);
        switch (state_) {
        case method:
            if (c >= 'A' && c <= 'Z')
                head_.add(c);
            else if (c == ' ')
                head_.end_of(of_method), state_ = target;
            else
                fail();
            break;
        case target:
            if (c >= '!' && c <= '~')
                head_.add(c);
            else if (c == ' ')
                head_.end_of(of_target), state_ = version;
            else
                fail();
            break;
        case version:
            if (c == '\r')
                state_ = end_of_line;
            else if (c != 'H' && c != 'T' && c != 'P' && c != '/' && c != '.' && !(c >= '0' && c <= '9'))
                fail();
            break;
        case begin:
            if (is_of_token(c))
                head_.add(c), state_ = name;
            else if (c == '\r')
                state_ = end_of_head;
            else
                fail();
            break;
        case name:
            if (is_of_token(c))
                head_.add(c);
            else if (c == ':')
                head_.end_of(of_name), state_ = blank;
            else
                fail();
            break;
        case blank:
            if (c >= '!' && c <= '~')
                head_.add(c), state_ = value;
            else if (c == '\r')
                head_.end_of(of_value), state_ = end_of_line;
            else if (c != ' ' && c != '\t')
                fail();
            break;
        case value:
            if (c == '\t' || (c >= ' ' && c <= '~'))
                head_.add(c);
            else if (c == '\r')
                head_.end_of(of_value), state_ = end_of_line;
            else
                fail();
            break;
        case end_of_line:
            if (c == '\n')
                state_ = begin;
            else
                fail();
            break;
        case end_of_head:
            if (c == '\n')
                head_.done(), state_ = method;
            else
                fail();
            break;
        case garbage:
            if (c == '\n') state_ = after_garbage;
            break;
        case after_garbage:
            if (c == '\n')
                state_ = method;
            else if (c != '\r')
                state_ = garbage;
        }
    }
    static std::size_t bytes() { return sizeof(state_); }

private:
    static bool is_of_token(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }
    void fail() {
        head_.size = 0;
        head_.failed();
        state_ = garbage;
    }

    enum : unsigned char { method, target, version, begin, name, blank, value, end_of_line, end_of_head, garbage, after_garbage } state_ = method;
    head head_;
};

} // namespace w12
